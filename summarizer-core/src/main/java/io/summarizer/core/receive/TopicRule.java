package io.summarizer.core.receive;

/** Which part of the envelope names the event type. */
public enum TopicRule {
    /** MSGID unless it is absent ({@code -}), else APP-NAME. */
    MSGID_OR_APP_NAME,
    /** MSGID alone; a message without one has no topic. */
    MSGID,
    /** APP-NAME (RFC 3164: TAG) alone. */
    APP_NAME;

    /** Bound on a topic in bytes, as in AMQP. A longer MSGID or APP-NAME is malformed, a longer TAG is none. */
    public static final int TOPIC_BYTES_MAX = 255;
}
