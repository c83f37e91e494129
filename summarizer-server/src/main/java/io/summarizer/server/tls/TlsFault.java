package io.summarizer.server.tls;

import io.netty.handler.ssl.NotSslRecordException;
import io.netty.handler.ssl.SslHandshakeTimeoutException;
import java.io.IOException;
import java.util.Locale;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import org.jspecify.annotations.Nullable;

/** Why a connection did not come about, or broke, for reasons of TLS. A metric's label, so these are few. */
public enum TlsFault {
    /** The client speaks in the clear where TLS is spoken. */
    PLAINTEXT("the client does not speak TLS; listeners with TLS take nothing in the clear"),
    /** The client speaks TLS where it is not spoken. */
    UNEXPECTED_TLS("the client speaks TLS, and this listener has none; see its tls keys"),
    /** The handshake was not done in time. */
    TIMEOUT("the handshake took too long"),
    /** The client went away in the middle of it. */
    CLOSED("the client closed the connection during the handshake"),
    /** No version, cipher or kind of signature that both have. */
    PROTOCOL("client and listener have no version or cipher of TLS in common"),
    /** None came, and one is needed. */
    NO_CERTIFICATE("the client sent no certificate"),
    /** It is not, or not yet, valid. */
    EXPIRED("the client's certificate is expired, or not yet valid"),
    /** Nobody who is trusted vouches for it. */
    UNTRUSTED("the client's certificate is not one that client-ca vouches for"),
    /** It is good, and of somebody who may not come in. */
    NAME("the client's certificate has no name of allowed-names"),
    /** The client does not like what it is shown. */
    REFUSED_BY_CLIENT("the client refused the listener, its certificate mostly"),
    /** Anything else: a record that was tampered with, a message out of order. */
    BROKEN("the client broke the rules of TLS");

    private final String text;

    TlsFault(String text) {
        this.text = text;
    }

    /** As metrics have it: {@code no_certificate}. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** For people. */
    public String text() {
        return text;
    }

    /** The fault that an exception stands for; null when it is none of TLS. */
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
            if (at instanceof SSLHandshakeException || at instanceof SSLException) {
                TlsFault fault = byText(String.valueOf(at.getMessage()));
                if (fault != null) {
                    return fault;
                }
            }
        }
        return tls ? BROKEN : null;
    }

    /** The fault of a handshake that did not come to its end. */
    public static TlsFault ofHandshake(Throwable thrown) {
        TlsFault fault = of(thrown);
        return fault != null ? fault : thrown instanceof IOException ? CLOSED : BROKEN;
    }

    /** The JDK has one type for most of these, so that its words are all there is to go by. */
    private static @Nullable TlsFault byText(String message) {
        String text = message.toLowerCase(Locale.ROOT);
        if (text.contains("received fatal alert")) {
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
