package io.summarizer.server.tls;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;

class TlsFaultTest {
    /** Texts of the JDK. Clients on OpenSSL send the alert in the clear, and {@code SSLSocket} sends it encrypted. */
    @Test
    void anAlertOfTheClientTellsThatItRefusedTheListener() {
        assertThat(TlsFault.of(new SSLException("Unexpected plaintext alert received: unknown_ca")))
                .isEqualTo(TlsFault.REFUSED_BY_CLIENT);
        assertThat(TlsFault.of(new IOException(new SSLHandshakeException("Received fatal alert: certificate_unknown"))))
                .isEqualTo(TlsFault.REFUSED_BY_CLIENT);
        assertThat(TlsFault.of(new SSLHandshakeException("Received fatal alert: protocol_version")))
                .isEqualTo(TlsFault.PROTOCOL);
        assertThat(TlsFault.of(new SSLException("Tag mismatch"))).isEqualTo(TlsFault.BROKEN);
        assertThat(TlsFault.of(new IOException("Connection reset"))).isNull();
    }
}
