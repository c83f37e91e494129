package io.summarizer.server.tls;

/** Client authentication of a listener. */
public enum ClientCertificates {
    /** No client certificate is requested. */
    NONE,
    /** A client certificate is optional; one that is sent must be valid. */
    OPTIONAL,
    /** A valid client certificate is required. */
    REQUIRED
}
