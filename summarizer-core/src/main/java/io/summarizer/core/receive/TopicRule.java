package io.summarizer.core.receive;

/** The part of the envelope that is the topic. */
public enum TopicRule {
    /** The MSGID; the APP-NAME when the MSGID is absent ({@code -}). */
    MSGID_OR_APP_NAME,
    /** MSGID alone; a message without a MSGID has no topic. */
    MSGID,
    /** APP-NAME (RFC 3164: TAG) alone. */
    APP_NAME;

    /** Bound on a topic in bytes, as in AMQP. A longer MSGID or APP-NAME is malformed; a longer word is not a TAG. */
    public static final int TOPIC_BYTES_MAX = 255;
}
