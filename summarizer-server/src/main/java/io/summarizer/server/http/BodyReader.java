package io.summarizer.server.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.Future;
import java.io.ByteArrayOutputStream;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Reads the body of a request part by part, so that a body of any size needs the memory of one read. This class handles
 * only requests whose resource takes a body; other requests pass unchanged. A request goes to its handler before its
 * body arrives. Each further part is read from the socket when the handler is done with the part before.
 *
 * <p>Up to {@value #WAITING_BYTES_MAX} bytes of a body wait for a handler. The connection is closed when more bytes
 * are waiting, or when the body of a refused request has more bytes. It is also closed when a client is too slow: when
 * it sends nothing for the stall timeout, or when all waits for it come to {@value #WAIT_SECONDS_MAX} s, and it has
 * sent less than {@value #BYTES_PER_SECOND} bytes for each second of them. A request is refused when it gets an answer
 * before a receiver; its body is discarded. State is confined to the event loop.
 *
 * <p>The aggregator answers an expectation that it cannot meet, and then takes the body for the next request. Somebody
 * could hide a request in such a body. So no such expectation reaches the aggregator (RFC 9110, 10.1.1).
 */
final class BodyReader extends ChannelInboundHandlerAdapter {
    private static final int WAITING_BYTES_MAX = 1 << 20;
    private static final int WAIT_SECONDS_MAX = 10;
    private static final int BYTES_PER_SECOND = 1 << 16;

    private final HttpListener listener;

    /** The body whose parts come; null between bodies. */
    private @Nullable Body current;

    /** Receives a body. Called on the event loop. */
    interface Receiver {
        /**
         * Takes a part of the body. The next part comes after the returned future is complete. If the future fails,
         * {@link #broken} is called.
         */
        CompletableFuture<?> take(byte[] part);

        /** Ends the body. Its parts were all taken. */
        void end();

        /**
         * Called when the client went away or stalled, or when a part could not be taken. No other method is called
         * afterwards.
         */
        void broken(Throwable why);
    }

    BodyReader(HttpListener listener) {
        this.listener = listener;
    }

    /** A request whose body comes after it. */
    private static final class Begun extends DefaultFullHttpRequest {
        final Body body;

        Begun(HttpRequest request, Body body) {
            super(request.protocolVersion(), request.method(), request.uri(), Unpooled.EMPTY_BUFFER);
            headers().set(request.headers());
            setDecoderResult(request.decoderResult());
            this.body = body;
        }
    }

    /** The body of a request whose resource takes one. */
    static Body of(FullHttpRequest request) {
        return ((Begun) request).body;
    }

    /**
     * Whether the end of the body cannot be found, so that the answer must be the connection's last one. This is so
     * when a chunk is malformed. It is also so when the client asked for permission to send the body: it may send the
     * body or leave it out.
     */
    static boolean isEndUnknown(FullHttpRequest request) {
        return request instanceof Begun begun && (begun.body.expectsContinue || begun.body.isMalformed);
    }

    /** Discards the body of a request that has its answer, unless a receiver took the body. */
    static void answered(FullHttpRequest request) {
        if (request instanceof Begun begun && begun.body.receiver == null) {
            begun.body.refuse();
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        Body body = current;
        if (message instanceof HttpRequest request
                && listener.isServing()
                && listener.router().takesBody(request)) {
            Body begun = new Body(ctx, HttpUtil.is100ContinueExpected(request));
            current = begun;
            var unused = ctx.pipeline().context(RequestAggregator.class).fireChannelRead(new Begun(request, begun));
        } else if (body != null && message instanceof HttpContent content) {
            body.isMalformed = content.decoderResult().isFailure();
            try {
                body.add(content.content());
            } finally {
                ReferenceCountUtil.release(message);
            }
            if (body.isMalformed && body.isRefused) {
                var unused = ctx.close(); // the client has its answer
            } else if (body.isMalformed || message instanceof LastHttpContent) {
                body.isLast = true;
                current = null;
                body.handOver(); // the read that brought it may be over
            }
        } else {
            if (message instanceof HttpRequest request) {
                removeUnmetExpectation(request);
            }
            ctx.fireChannelRead(message);
        }
    }

    private static void removeUnmetExpectation(HttpRequest request) {
        if (!HttpUtil.is100ContinueExpected(request)) {
            request.headers().remove(HttpHeaderNames.EXPECT);
        } else if (HttpUtil.getContentLength(request, 0L) > HttpListener.BODY_BYTES_MAX) {
            request.headers().remove(HttpHeaderNames.EXPECT);
            HttpUtil.setKeepAlive(request, false); // the client need not send the body
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        Body body = current;
        if (body != null) {
            body.handOver();
        }
        ctx.fireChannelReadComplete();
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        Body body = current;
        if (body != null) {
            body.fail(new ClosedChannelException());
        }
        ctx.fireChannelInactive();
    }

    /** The body of one request. */
    final class Body {
        private final ChannelHandlerContext ctx;
        private boolean expectsContinue;
        /** Whether the last part has come. */
        private boolean isLast;
        /** Whether a chunk was malformed, so that no further byte of the connection makes sense. */
        private boolean isMalformed;
        /** Whether the receiver is busy with a part. */
        private boolean isTaking;

        private @Nullable Receiver receiver;
        private @Nullable Future<?> deadline;
        private ByteArrayOutputStream part = new ByteArrayOutputStream();
        private boolean isRefused;
        /** Number of bytes that came without a receiver. */
        private long unwanted;

        private long bytes;
        private long waitBegan;
        /** Sum of all waits for bytes, in ns. */
        private long waited;

        private Body(ChannelHandlerContext ctx, boolean expectsContinue) {
            this.ctx = ctx;
            this.expectsContinue = expectsContinue;
        }

        /** Sends the body to a receiver. */
        void receive(Receiver to) {
            receiver = to;
            if (!ctx.channel().isActive()) {
                fail(new ClosedChannelException());
                return;
            }
            if (expectsContinue) {
                expectsContinue = false;
                var unused = ctx.writeAndFlush(new DefaultFullHttpResponse(
                        HttpVersion.HTTP_1_1, HttpResponseStatus.CONTINUE, Unpooled.EMPTY_BUFFER));
            }
            handOver();
        }

        private void add(ByteBuf bytes) {
            expectsContinue = false; // it was not waited for
            int length = bytes.readableBytes();
            unwanted += receiver == null ? length : 0;
            this.bytes += length;
            if (deadline != null) {
                waited += listener.now() - waitBegan;
                waitBegan = listener.now();
            }
            long seconds = TimeUnit.NANOSECONDS.toSeconds(waited);
            if (seconds >= WAIT_SECONDS_MAX && this.bytes < seconds * BYTES_PER_SECOND) {
                fail(new IllegalStateException("the client was too slow"));
            }
            if (unwanted > WAITING_BYTES_MAX) {
                var unused = ctx.close();
            } else if (!isRefused) {
                part.writeBytes(ByteBufUtil.getBytes(bytes));
            }
        }

        private void refuse() {
            isRefused = true;
            part = new ByteArrayOutputStream(0);
        }

        /** Hands over what has come, or reads more. */
        private void handOver() {
            Receiver to = receiver;
            if (to == null || isTaking) {
                return;
            }
            if (isMalformed) {
                fail(new BadRequestException("a chunk of the body is malformed"));
            } else if (part.size() > 0) {
                disarm();
                isTaking = true;
                byte[] taken = part.toByteArray();
                part.reset();
                var unused = to.take(taken)
                        .whenCompleteAsync(
                                (done, failure) -> {
                                    isTaking = false;
                                    if (failure != null) {
                                        fail(failure);
                                    } else if (isLast || ctx.channel().isActive()) {
                                        handOver();
                                    } else {
                                        fail(new ClosedChannelException());
                                    }
                                },
                                ctx.executor());
            } else if (isLast) {
                disarm();
                receiver = null;
                to.end();
            } else if (deadline == null) {
                waitBegan = listener.now();
                long stall = listener.settings().limits().stallTimeout().toMillis();
                deadline = ctx.executor()
                        .schedule(
                                () -> fail(new IllegalStateException("the client sent nothing for " + stall + " ms")),
                                stall,
                                TimeUnit.MILLISECONDS);
                ctx.read();
            } else {
                ctx.read(); // a read that brought nothing
            }
        }

        private void fail(Throwable why) {
            Receiver to = receiver;
            if (to != null && !isTaking) {
                disarm();
                receiver = null;
                to.broken(why);
            }
        }

        private void disarm() {
            Future<?> armed = deadline;
            deadline = null;
            if (armed != null) {
                armed.cancel(false);
            }
        }
    }
}
