package io.summarizer.server.tls;

import io.netty.handler.ssl.SslHandler;
import javax.net.ssl.SSLEngine;

/** The TLS of one channel. Confined to its event loop. */
public final class TlsHandler extends SslHandler {
    TlsHandler(SSLEngine engine) {
        super(engine);
    }

    /** Bytes of a record that is not complete: 16 KiB and a little at most. */
    public int heldBytes() {
        return actualReadableBytes();
    }
}
