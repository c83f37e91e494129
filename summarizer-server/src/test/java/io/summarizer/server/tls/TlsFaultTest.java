package io.summarizer.server.tls;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.handler.codec.DecoderException;
import java.io.IOException;
import java.security.GeneralSecurityException;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLProtocolException;
import org.junit.jupiter.api.Test;

class TlsFaultTest {
    private static Throwable inTheClear(String alert) {
        SSLProtocolException thrown = new SSLProtocolException("Unexpected exception");
        thrown.initCause(new GeneralSecurityException("Unexpected plaintext alert received: " + alert));
        return new DecoderException(thrown);
    }

    /** The exceptions of JDK 25. OpenSSL sends the alert in the clear, and {@code SSLSocket} encrypts it. */
    @Test
    void anAlertOfTheClientTellsThatItRefusedTheListener() {
        assertThat(TlsFault.of(inTheClear("Level: fatal; Alert: unknown_ca"))).isEqualTo(TlsFault.REFUSED_BY_CLIENT);
        assertThat(TlsFault.of(inTheClear("Level: warning; Alert: close_notify")))
                .isEqualTo(TlsFault.BROKEN);
        assertThat(TlsFault.of(new SSLHandshakeException("Received fatal alert: certificate_unknown")))
                .isEqualTo(TlsFault.REFUSED_BY_CLIENT);
        assertThat(TlsFault.of(new SSLHandshakeException("Received fatal alert: protocol_version")))
                .isEqualTo(TlsFault.PROTOCOL);
        assertThat(TlsFault.of(new SSLException("Tag mismatch"))).isEqualTo(TlsFault.BROKEN);
        assertThat(TlsFault.of(new IOException("Connection reset"))).isNull();
    }
}
