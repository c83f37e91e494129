package io.summarizer.flink.options;

import java.io.Serializable;

/**
 * The place of a record's topic.
 *
 * @param kind the kind of place
 * @param header with {@link Kind#HEADER}: the name of the header; else empty
 */
public record TopicFrom(Kind kind, String header) implements Serializable {
    private static final long serialVersionUID = 1;
    private static final String HEADER_PREFIX = "header:";

    /** Values are syslog messages, which have topics of their own. */
    public static final TopicFrom SYSLOG = new TopicFrom(Kind.SYSLOG, "");
    /** Values are payloads, and the Kafka topic is the topic. */
    public static final TopicFrom TOPIC = new TopicFrom(Kind.TOPIC, "");

    /** The kind of place. */
    public enum Kind {
        /** The envelope of the syslog message that is the value. */
        SYSLOG,
        /** The name of the Kafka topic; the value is the payload. */
        TOPIC,
        /** A header of the record; the value is the payload. */
        HEADER
    }

    /**
     * Parses {@code syslog}, {@code topic}, or {@code header:NAME}.
     *
     * @throws IllegalArgumentException when the text has none of these forms; the message says what was expected
     */
    public static TopicFrom parse(String text) {
        if (text.startsWith(HEADER_PREFIX) && text.length() > HEADER_PREFIX.length()) {
            return new TopicFrom(Kind.HEADER, text.substring(HEADER_PREFIX.length()));
        }
        return switch (text) {
            case "syslog" -> SYSLOG;
            case "topic" -> TOPIC;
            default -> throw new IllegalArgumentException("\"" + text + "\" is not syslog, topic or header:NAME");
        };
    }
}
