package io.summarizer.server.tls;

import java.security.cert.CertificateException;

/** Thrown when a client's certificate is refused; the message says why. */
final class ClientRefusedException extends CertificateException {
    private static final long serialVersionUID = 1;

    private final TlsFault fault;

    ClientRefusedException(TlsFault fault, String detail) {
        super(detail);
        this.fault = fault;
    }

    TlsFault fault() {
        return fault;
    }
}
