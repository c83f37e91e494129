package io.summarizer.server.tls;

/** Whether a listener wants to know who its clients are. */
public enum ClientCertificates {
    /** No: whoever reaches it may send. */
    NONE,
    /** One that is sent has to be good. */
    OPTIONAL,
    /** Without a good one nobody comes in. */
    REQUIRED
}
