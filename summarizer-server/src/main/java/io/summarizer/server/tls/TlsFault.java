package io.summarizer.server.tls;

import io.netty.handler.ssl.NotSslRecordException;
import io.netty.handler.ssl.SslHandshakeTimeoutException;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.util.Locale;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** A TLS fault that made a connection fail or break. Faults are labels of a metric, so there are only a few of them. */
public enum TlsFault {
    /** The client speaks plaintext where TLS is required. */
    PLAINTEXT("the client does not speak TLS; listeners with TLS take nothing in the clear"),
    /** The client speaks TLS where the listener has no TLS. */
    UNEXPECTED_TLS("the client speaks TLS, and this listener has none; see its tls keys"),
    /** The handshake was not complete in time. */
    TIMEOUT("the handshake took too long"),
    /** The client closed the connection during the handshake. */
    CLOSED("the client closed the connection during the handshake"),
    /** Client and listener have no version, cipher or signature algorithm in common. */
    PROTOCOL("client and listener have no version or cipher of TLS in common"),
    /**
     * The client sent no certificate, although one is required. A client sends a certificate only if the certificate
     * fits the authorities and signature algorithms that the listener names.
     */
    NO_CERTIFICATE("the client sent no certificate: it has none, or none that it may use here"
            + " (client-ca did not issue it, or client and listener share no signature algorithm for its key)"),
    /** The client's certificate is expired, or not yet valid. */
    EXPIRED("the client's certificate is expired, or not yet valid"),
    /** No trusted authority vouches for the client's certificate. */
    UNTRUSTED("the client's certificate is not one that client-ca vouches for"),
    /** The client's certificate is valid, but its name is not allowed. */
    NAME("the client's certificate has no name of allowed-names"),
    /** The client refuses the listener's certificate. */
    REFUSED_BY_CLIENT("the client refused the listener, its certificate mostly"),
    /** Any other fault, such as a record that was tampered with, or a message out of order. */
    BROKEN("the client broke the rules of TLS");

    private final String text;

    TlsFault(String text) {
        this.text = text;
    }

    /** The label in metrics: {@code no_certificate}. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The text for people. */
    public String text() {
        return text;
    }

    /** Returns the fault that caused an exception; null when the cause is no fault of TLS. */
    public static @Nullable TlsFault of(Throwable thrown) {
        boolean tls = false;
        for (Throwable at = thrown; at != null; at = at.getCause()) {
            if (at instanceof ClientRefusedException refused) {
                return refused.fault();
            }
            if (at instanceof NotSslRecordException) {
                return PLAINTEXT;
            }
            if (at instanceof SslHandshakeTimeoutException) {
                return TIMEOUT;
            }
            if (at instanceof SSLException) {
                tls = true;
            }
            if (at instanceof SSLException || at instanceof GeneralSecurityException) {
                TlsFault fault = byText(String.valueOf(at.getMessage()));
                if (fault != null) {
                    return fault;
                }
            }
        }
        return tls ? BROKEN : null;
    }

    /** Returns the fault of a handshake that failed. */
    public static TlsFault ofHandshake(Throwable thrown) {
        TlsFault fault = of(thrown);
        return fault != null ? fault : thrown instanceof IOException ? CLOSED : BROKEN;
    }

    /** Finds the fault by the exception's message, because the JDK uses one exception type for most faults. */
    private static @Nullable TlsFault byText(String message) {
        String text = message.toLowerCase(Locale.ROOT);
        // OpenSSL refuses a certificate in TLS 1.3 by an alert in the clear.
        if (text.contains("received fatal alert") || text.contains("plaintext alert received: level: fatal")) {
            return text.contains("handshake_failure") || text.contains("protocol_version")
                    ? PROTOCOL
                    : REFUSED_BY_CLIENT;
        }
        if (text.contains("empty client certificate") || text.contains("empty server certificate")) {
            return NO_CERTIFICATE;
        }
        if (text.contains("in common")
                || text.contains("not accepted by server preferences")
                || text.contains("protocol version")
                || text.contains("client requested protocol")) {
            return PROTOCOL;
        }
        return null;
    }
}
