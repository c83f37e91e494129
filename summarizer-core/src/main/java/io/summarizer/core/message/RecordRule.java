package io.summarizer.core.message;

/**
 * The rule by which a Kafka record becomes a message. The journal has the rule of each range. So after a restart, the
 * same records become the same messages, even if the configuration has changed.
 *
 * @param source source of the topic
 * @param header name of the header that has the topic; empty for other sources
 * @param messageBytesMax larger values are rejected
 */
public record RecordRule(Source source, String header, int messageBytesMax) {
    /** Source of the topic of a message. */
    public enum Source {
        /** The value is a syslog message, which has a topic. */
        SYSLOG,
        /** The value is a payload, and the Kafka topic is the topic. */
        TOPIC,
        /** The value is a payload, and a header of the record has the topic. */
        HEADER
    }

    /** Checks that there is a header name if the source of the topic is a header, and no header name otherwise. */
    public RecordRule {
        if ((source == Source.HEADER) == header.isEmpty() || messageBytesMax < 1) {
            throw new IllegalArgumentException(
                    "source=" + source + " header=" + header + " messageBytesMax=" + messageBytesMax);
        }
    }
}
