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
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.Future;
import java.io.ByteArrayOutputStream;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Reads the bodies of requests whose resource takes a body, part by part, so that a body of any size needs the memory
 * of one read. Such a request goes to its handler before its body has come. The next part is read from the socket when
 * the handler is done with the part before. Other requests pass unchanged.
 *
 * <p>A body that no handler reads, because the request was refused, is skipped up to {@value #SKIPPED_BYTES_MAX} bytes;
 * beyond that, the connection is closed. State is confined to the event loop.
 */
final class BodyReader extends ChannelInboundHandlerAdapter {
    private static final int SKIPPED_BYTES_MAX = 1 << 20;

    private final HttpListener listener;
    private @Nullable ChannelHandlerContext context;

    /** Whether the last part of the current body has not come yet. */
    private boolean within;

    private boolean expectsContinue;
    private boolean isLast;
    private long skipped;
    private @Nullable Receiver receiver;
    private @Nullable Future<?> deadline;
    private final ByteArrayOutputStream part = new ByteArrayOutputStream();

    /** Receives a body. Called on the event loop. */
    interface Receiver {
        /**
         * Takes a part; the next part comes after the future is complete. When the future fails, no more parts come.
         */
        CompletableFuture<?> take(byte[] part);

        /** Ends the body. Its parts were all taken. */
        void end();

        /** The client went away, stalled, or a part could not be taken. Nothing else is called after this. */
        void broken(Throwable why);
    }

    BodyReader(HttpListener listener) {
        this.listener = listener;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        context = ctx;
    }

    /** Sends the body of the current request to a receiver. */
    void receive(Receiver to) {
        ChannelHandlerContext ctx = context;
        if (ctx == null) {
            throw new IllegalStateException("not in a pipeline");
        }
        receiver = to;
        if (expectsContinue) {
            expectsContinue = false;
            var unused = ctx.writeAndFlush(new DefaultFullHttpResponse(
                    HttpVersion.HTTP_1_1, HttpResponseStatus.CONTINUE, Unpooled.EMPTY_BUFFER));
        }
        handOver(ctx);
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (message instanceof HttpRequest request
                && listener.isServing()
                && listener.router().takesBody(request)) {
            within = true;
            isLast = false;
            skipped = 0;
            part.reset();
            expectsContinue = HttpUtil.is100ContinueExpected(request);
            FullHttpRequest begun = new DefaultFullHttpRequest(
                    request.protocolVersion(), request.method(), request.uri(), Unpooled.EMPTY_BUFFER);
            begun.headers().set(request.headers());
            begun.setDecoderResult(request.decoderResult());
            var unused = ctx.pipeline().context(HttpObjectAggregator.class).fireChannelRead(begun);
        } else if (within && message instanceof HttpContent content) {
            try {
                add(ctx, content.content());
            } finally {
                ReferenceCountUtil.release(message);
            }
            if (message instanceof LastHttpContent) {
                within = false;
                isLast = true;
            }
        } else {
            ctx.fireChannelRead(message);
        }
    }

    private void add(ChannelHandlerContext ctx, ByteBuf bytes) {
        skipped += receiver == null ? bytes.readableBytes() : 0;
        if (skipped > SKIPPED_BYTES_MAX) {
            var unused = ctx.close();
        } else {
            part.writeBytes(ByteBufUtil.getBytes(bytes));
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        if (receiver != null) {
            handOver(ctx);
        }
        ctx.fireChannelReadComplete();
    }

    /** Hands over what has come, and then reads more. */
    private void handOver(ChannelHandlerContext ctx) {
        Receiver to = receiver;
        if (to == null || (deadline != null && part.size() == 0 && !isLast)) {
            return;
        }
        disarm();
        if (part.size() == 0 && isLast) {
            receiver = null;
            to.end();
        } else if (part.size() == 0) {
            long stall = listener.settings().limits().stallTimeout().toMillis();
            deadline = ctx.executor()
                    .schedule(
                            () -> fail(new IllegalStateException("the client sent nothing for " + stall + " ms")),
                            stall,
                            TimeUnit.MILLISECONDS);
            ctx.read();
        } else {
            byte[] taken = part.toByteArray();
            part.reset();
            receiver = null; // parts that come meanwhile wait
            var unused = to.take(taken)
                    .whenCompleteAsync(
                            (done, failure) -> {
                                if (failure == null && ctx.channel().isActive()) {
                                    receiver = to;
                                    handOver(ctx);
                                } else {
                                    receiver = to;
                                    fail(failure == null ? new IllegalStateException("the client went away") : failure);
                                }
                            },
                            ctx.executor());
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        fail(new IllegalStateException("the client went away"));
        ctx.fireChannelInactive();
    }

    private void fail(Throwable why) {
        disarm();
        Receiver to = receiver;
        receiver = null;
        if (to != null) {
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
