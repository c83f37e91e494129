package io.summarizer.server.tls;

import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.ssl.SslHandler;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLPeerUnverifiedException;

/** The TLS of one channel. Confined to the channel's event loop. */
public final class TlsHandler extends SslHandler {
    private boolean isSending;

    TlsHandler(SSLEngine engine) {
        super(engine);
    }

    @Override
    public void flush(ChannelHandlerContext ctx) throws Exception {
        boolean before = isSending;
        isSending = true;
        try {
            super.flush(ctx);
        } finally {
            isSending = before;
        }
    }

    /** Whether the listener's data is being sent. All other records belong to TLS itself. */
    public boolean isSending() {
        return isSending;
    }

    /**
     * Checks that the client's certificate is valid now, if the client has one. A client that resumes a session is
     * otherwise not checked again.
     */
    public void checkClient() throws CertificateException {
        try {
            if (engine().getSession().getPeerCertificates()[0] instanceof X509Certificate client) {
                client.checkValidity();
            }
        } catch (SSLPeerUnverifiedException e) {
            // The client has no certificate, and needs none.
        }
    }

    /** Number of bytes of an incomplete record, at most a little more than 16 KiB. */
    public int heldBytes() {
        return actualReadableBytes();
    }
}
