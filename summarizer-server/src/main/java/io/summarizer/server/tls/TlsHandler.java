package io.summarizer.server.tls;

import io.netty.handler.ssl.SslHandler;
import javax.net.ssl.SSLEngine;

/** The TLS of one channel. Confined to the channel's event loop. */
public final class TlsHandler extends SslHandler {
    TlsHandler(SSLEngine engine) {
        super(engine);
    }

    /** Number of bytes of an incomplete record, at most a little more than 16 KiB. */
    public int heldBytes() {
        return actualReadableBytes();
    }
}
