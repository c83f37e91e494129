package io.summarizer.server.net;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.summarizer.server.tls.TlsCounters;
import io.summarizer.server.tls.TlsFault;

/**
 * Checks the first bytes on a channel without TLS. A client that speaks TLS is disconnected. It is counted separately,
 * and not as a client that sends noise. The guard leaves the channel's pipeline after the check. Confined to the
 * channel's event loop.
 */
final class ClientHelloGuard extends ChannelInboundHandlerAdapter {
    /** A handshake record of version 3.x with a ClientHello in it (RFC 8446 §5.1, §4). */
    private static final int HANDSHAKE = 22;

    private static final int MAJOR_VERSION = 3;
    private static final int MINOR_VERSION_MAX = 4;
    private static final int CLIENT_HELLO = 1;
    private static final int HELLO_BYTES = 6;

    private final String listener;
    private final TlsCounters counters;
    private final ThrottledLog log;

    /**
     * Makes a guard for one channel.
     *
     * @param listener name of the listener in log lines
     */
    ClientHelloGuard(String listener, TlsCounters counters, ThrottledLog log) {
        this.listener = listener;
        this.counters = counters;
        this.log = log;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object received) {
        ByteBuf buffer = (ByteBuf) received;
        if (isClientHello(buffer)) {
            buffer.release();
            counters.fault(TlsFault.UNEXPECTED_TLS);
            log.warn(
                    TlsFault.UNEXPECTED_TLS.text(),
                    () -> listener + "; peer " + ctx.channel().remoteAddress());
            var unused = ctx.close();
            return;
        }
        ctx.pipeline().remove(this);
        ctx.fireChannelRead(received);
    }

    /**
     * Whether bytes begin with a ClientHello. Clients send their hello in one piece; smaller pieces are treated as
     * plaintext.
     */
    private static boolean isClientHello(ByteBuf buffer) {
        int at = buffer.readerIndex();
        return buffer.readableBytes() >= HELLO_BYTES
                && buffer.getByte(at) == HANDSHAKE
                && buffer.getByte(at + 1) == MAJOR_VERSION
                && buffer.getByte(at + 2) >= 0
                && buffer.getByte(at + 2) <= MINOR_VERSION_MAX
                && buffer.getByte(at + 5) == CLIENT_HELLO;
    }
}
