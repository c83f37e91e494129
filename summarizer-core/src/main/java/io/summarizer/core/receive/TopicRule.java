package io.summarizer.core.receive;

/** The part of the envelope that names the event type. */
public enum TopicRule {
    /** MSGID unless it is absent ({@code -}), else APP-NAME. */
    MSGID_OR_APP_NAME,
    /** MSGID alone; a message without one has no topic. */
    MSGID,
    /** APP-NAME (RFC 3164: TAG) alone. */
    APP_NAME;

    /** Bound on a topic in bytes, as in AMQP. A longer MSGID or APP-NAME is malformed; a longer word is no TAG. */
    public static final int TOPIC_BYTES_MAX = 255;
}
