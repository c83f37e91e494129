package io.summarizer.server.tls;

/** Client authentication of a listener. */
public enum ClientCertificates {
    /** No client certificate is requested. */
    NONE,
    /** A client certificate is optional. A certificate that the client sends must be valid. */
    OPTIONAL,
    /** A valid client certificate is required. */
    REQUIRED
}
