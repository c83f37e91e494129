package io.summarizer.server.net;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.NotSslRecordException;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.netty.util.ReferenceCountUtil;
import io.summarizer.server.tls.ServerTls;
import io.summarizer.server.tls.TlsCounters;
import io.summarizer.server.tls.TlsFault;
import io.summarizer.server.tls.TlsHandler;
import java.security.cert.CertificateException;
import org.jspecify.annotations.Nullable;

/**
 * The handler after a channel's TLS. It counts handshakes and faults, and logs faults. Handlers of decrypted data do
 * not see faults. Confined to the channel's event loop.
 */
public final class TlsGuard extends ChannelInboundHandlerAdapter {
    private static final int DETAIL_CHARS_MAX = 300;

    private final TlsHandler tls;
    private final String listener;
    private final TlsCounters counters;
    private final ThrottledLog log;
    private boolean failed; // the connection failed, and the failure is counted

    /**
     * Makes a guard for one channel.
     *
     * @param listener name of the listener in log lines
     */
    TlsGuard(TlsHandler tls, String listener, TlsCounters counters, ThrottledLog log) {
        this.tls = tls;
        this.listener = listener;
        this.counters = counters;
        this.log = log;
    }

    /**
     * Adds TLS to the end of a new channel's pipeline. Without TLS, adds a check that the client does not speak TLS.
     *
     * @param tls TLS of the listener; null means plaintext
     * @return the handler of TLS; null means plaintext
     */
    public static @Nullable TlsHandler protect(
            Channel channel, @Nullable ServerTls tls, String listener, TlsCounters counters, ThrottledLog log) {
        if (tls == null) {
            channel.pipeline().addLast(new ClientHelloGuard(listener, counters, log));
            return null;
        }
        TlsHandler handler = tls.newHandler(channel.alloc());
        channel.pipeline()
                .addLast(new TlsAnswerLimit(handler), handler, new TlsGuard(handler, listener, counters, log));
        return handler;
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event instanceof SslHandshakeCompletionEvent done) {
            if (done.isSuccess()) {
                complete(ctx);
            } else {
                fail(ctx, TlsFault.ofHandshake(done.cause()), done.cause());
            }
        } else {
            ctx.fireUserEventTriggered(event);
        }
    }

    private void complete(ChannelHandlerContext ctx) {
        try {
            tls.checkClient();
            counters.handshake();
        } catch (CertificateException e) {
            fail(ctx, TlsFault.EXPIRED, e);
            var unused = ctx.close();
        }
    }

    /** Passes decrypted bytes on, unless the client was refused after the handshake. */
    @Override
    public void channelRead(ChannelHandlerContext ctx, Object decrypted) {
        if (failed) {
            ReferenceCountUtil.release(decrypted);
        } else {
            ctx.fireChannelRead(decrypted);
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        TlsFault fault = TlsFault.of(cause);
        if (fault == null && !failed) {
            ctx.fireExceptionCaught(cause);
            return;
        }
        fail(ctx, fault == null ? TlsFault.BROKEN : fault, cause);
        var unused = ctx.close();
    }

    private void fail(ChannelHandlerContext ctx, TlsFault fault, Throwable cause) {
        if (failed) {
            return;
        }
        failed = true;
        counters.fault(fault);
        if (fault != TlsFault.CLOSED) { // CLOSED is also a client that only checks whether the port is open
            log.warn(fault.text(), () -> listener + "; peer " + ctx.channel().remoteAddress() + detail(cause));
        }
    }

    /** Returns the message of the innermost exception, without characters that could begin a new line. */
    private static String detail(Throwable cause) {
        Throwable innermost = cause;
        while (innermost.getCause() != null) {
            innermost = innermost.getCause();
        }
        String message = innermost.getMessage();
        // The exception for bytes that are not TLS quotes all these bytes, which are usually the bytes of a message.
        if (message == null || innermost instanceof NotSslRecordException) {
            return "";
        }
        String clean = message.replaceAll("[^\\x20-\\x7e]", "?");
        return "; " + (clean.length() <= DETAIL_CHARS_MAX ? clean : clean.substring(0, DETAIL_CHARS_MAX) + "...");
    }
}
