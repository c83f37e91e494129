package io.summarizer.server.net;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.summarizer.server.tls.TlsHandler;
import javax.net.ssl.SSLException;

/**
 * Limits the answers of TLS itself that the client has not taken, such as the answers to key updates (RFC 8446, 4.6.3).
 * A client may send any number of key updates and read no answer. The limits of what a listener sends do not count
 * these answers. This handler must be before the channel's {@link TlsHandler}, where it sees encrypted records.
 * Confined to the channel's event loop.
 */
final class TlsAnswerLimit extends ChannelOutboundHandlerAdapter {
    /** A client that reads takes them one by one. Each waiting answer needs about 224 bytes of heap. */
    private static final int WAITING_MAX = 256;

    private final TlsHandler tls;
    private int waiting;
    private boolean isOver;

    TlsAnswerLimit(TlsHandler tls) {
        this.tls = tls;
    }

    @Override
    public void write(ChannelHandlerContext ctx, Object encrypted, ChannelPromise promise) {
        if (!tls.isSending()) {
            waiting++;
            promise.addListener(sent -> waiting--);
        }
        var unused = ctx.write(encrypted, promise);
        if (waiting > WAITING_MAX && !isOver) {
            isOver = true;
            ctx.executor().execute(() -> end(ctx)); // later, because the TLS handler may be within a read
        }
    }

    /** Closes at once, because the client would not read the end of TLS, either. */
    private static void end(ChannelHandlerContext ctx) {
        ctx.fireExceptionCaught(
                new SSLException("the client sends key updates, and leaves " + WAITING_MAX + " answers unread"));
        var unused = ctx.close();
    }
}
