package io.summarizer.server.http;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.codec.PrematureChannelClosureException;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.util.concurrent.Future;
import io.summarizer.server.net.Roster;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One HTTP connection. It reads a request, waits until the request is answered, then reads the next request. Auto-read
 * is off, so a client that sends many requests at once gets the answers one by one and waits meanwhile. The {@link
 * Filters} check a request, then the {@link Router}'s handler answers it. This class manages the connection: its place
 * among all connections, its timeouts, and its end.
 *
 * <p>State is confined to the event loop.
 */
final class HttpConnection extends SimpleChannelInboundHandler<FullHttpRequest> {
    /** Largest number of requests without a valid token on one connection. */
    private static final int DENIALS_MAX = 5;

    private final HttpListener listener;
    private final Roster.Seat<Channel> seat;
    private final boolean beyond; // beyond the limit on connections: for health checks only
    private boolean waiting; // for a request
    private boolean begun; // a part of a request has come
    private boolean answeredInRead; // the current read brought the request
    private boolean ending; // the answer at hand is the last one
    private int denials;
    private @Nullable Future<?> deadline;

    HttpConnection(HttpListener listener, Roster.Seat<Channel> seat, boolean beyond) {
        this.listener = listener;
        this.seat = seat;
        this.beyond = beyond;
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        begun = true; // a new connection is expected to send a request
        waiting = true;
        arm(ctx.channel(), listener.settings().connections().messageTimeout());
        var unused = ctx.channel().read();
        ctx.fireChannelActive();
    }

    /** Reads again if a read brought only a part of a request, or if another read was requested during a read. */
    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        if (waiting) {
            if (!begun && !answeredInRead) {
                begun = true;
                arm(ctx.channel(), listener.settings().connections().messageTimeout());
            }
            ctx.read();
        }
        answeredInRead = false;
        ctx.fireChannelReadComplete();
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        disarm();
        ctx.fireChannelInactive();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (cause instanceof PrematureChannelClosureException) {
            listener.log()
                    .warn(
                            "an HTTP client went away within a request",
                            () -> String.valueOf(ctx.channel().remoteAddress()));
        } else if (cause instanceof DecoderException
                && String.valueOf(cause.getCause()).contains("maxPipelineDepth")) {
            listener.log()
                    .warn(
                            "an HTTP client sent more than " + HttpListener.PIPELINED_MAX
                                    + " requests ahead of their answers",
                            () -> String.valueOf(ctx.channel().remoteAddress()));
        } else if (!(cause instanceof IOException)) {
            listener.log().warn("an HTTP request failed", cause::toString, cause);
        }
        close(ctx.channel());
    }

    @Override
    protected void channelRead0(ChannelHandlerContext ctx, FullHttpRequest request) {
        waiting = false;
        answeredInRead = true;
        ending = !HttpUtil.isKeepAlive(request);
        disarm();
        long now = listener.now();
        seat.completed(now);
        seat.busy(true, now);
        listener.counters().requests.increment();
        Exchange exchange = new Exchange(listener, this, ctx.channel(), request);
        if (listener.filters().pass(exchange)) {
            exchange.answer();
        }
    }

    /** Whether the connection is beyond the limit on connections and serves only health checks. */
    boolean isBeyond() {
        return beyond;
    }

    /** Answers a request without a valid token. Closes the connection after several such requests. */
    void deny(DefaultFullHttpResponse response, Exchange exchange) {
        if (++denials < DENIALS_MAX) {
            exchange.send(response);
        } else {
            response.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
            arm(exchange.channel(), listener.settings().limits().stallTimeout());
            var unused = exchange.channel().writeAndFlush(response).addListener(ChannelFutureListener.CLOSE);
        }
    }

    /** Makes the answer at hand the last one. Requests that the client has sent after it are not carried out. */
    void end() {
        ending = true;
    }

    /**
     * Reports that the whole answer was handed to the channel. The connection reads the next request when the client
     * has received the answer, unless this was the last answer (RFC 9112, 9.6).
     */
    void completed(Channel channel, ChannelFuture last) {
        armStall(channel);
        var unused = last.addListener(sent -> {
            if (!sent.isSuccess()) {
                close(channel);
            } else if (!ending) {
                readNext(channel);
            }
        });
    }

    private void readNext(Channel channel) {
        arm(channel, listener.settings().connections().idleTimeout());
        seat.busy(false, listener.now());
        begun = false;
        waiting = true;
        var unused = channel.read();
    }

    /** Restarts the stall timeout, within which the client must read some of the remaining bytes of an answer. */
    private void armStall(Channel channel) {
        long left = left(channel);
        arm(channel, listener.settings().limits().stallTimeout(), () -> {
            if (left(channel) < left) {
                armStall(channel);
            } else {
                close(channel);
            }
        });
    }

    /** Number of bytes that were handed to the channel and that the socket has not taken. */
    private static long left(Channel channel) {
        ChannelOutboundBuffer buffer = channel.unsafe().outboundBuffer();
        return buffer == null ? 0 : buffer.totalPendingWriteBytes() - buffer.currentProgress();
    }

    /** Sets the timer that closes the connection; a timeout of zero means no timer. */
    private void arm(Channel channel, Duration timeout) {
        if (timeout.isZero()) {
            disarm();
        } else {
            arm(channel, timeout, () -> close(channel));
        }
    }

    private void arm(Channel channel, Duration timeout, Runnable otherwise) {
        disarm();
        if (channel.isActive()) {
            deadline = channel.eventLoop().schedule(otherwise, timeout.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    private void disarm() {
        Future<?> deadline = this.deadline;
        this.deadline = null;
        if (deadline != null) {
            deadline.cancel(false);
        }
    }

    private static void close(Channel channel) {
        var unused = channel.close();
    }
}
