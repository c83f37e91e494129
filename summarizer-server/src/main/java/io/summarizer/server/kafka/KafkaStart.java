package io.summarizer.server.kafka;

/**
 * The place at which the first reading of a topic begins.
 *
 * @param kind the kind of place: an end of the partitions, or a time
 * @param epochMillis the time, in ms since the epoch; records with this time or a later one are read
 */
public record KafkaStart(Kind kind, long epochMillis) {
    /** The oldest records. */
    static final KafkaStart EARLIEST = new KafkaStart(Kind.EARLIEST, 0);

    /** The kind of place. */
    public enum Kind {
        /** The oldest record that the brokers have. */
        EARLIEST,
        /** The end of each partition, so that only later records are read. */
        LATEST,
        /** A time. */
        TIME
    }
}
