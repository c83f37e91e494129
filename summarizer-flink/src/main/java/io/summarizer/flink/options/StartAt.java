package io.summarizer.flink.options;

import java.io.Serializable;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;

/**
 * The place in each Kafka partition where a job without state begins.
 *
 * @param kind the kind of place
 * @param millis with {@link Kind#TIME}, a time in milliseconds since 1970: the job begins at the first record whose
 *     timestamp is this time or later. With other kinds, 0
 */
public record StartAt(Kind kind, long millis) implements Serializable {
    private static final long serialVersionUID = 1;

    /** All records that the broker has. */
    public static final StartAt EARLIEST = new StartAt(Kind.EARLIEST, 0);
    /** Records that arrive after the job's start. */
    public static final StartAt LATEST = new StartAt(Kind.LATEST, 0);

    /** The kind of place. */
    public enum Kind {
        /** The first record that the broker has. */
        EARLIEST,
        /** The end at the start of the job. */
        LATEST,
        /** The first record that is not older than a time. */
        TIME
    }

    /**
     * Parses {@code earliest}, {@code latest}, or an ISO 8601 time with an offset.
     *
     * @throws IllegalArgumentException when the text has none of these forms; the message says what was expected
     */
    public static StartAt parse(String text) {
        return switch (text) {
            case "earliest" -> EARLIEST;
            case "latest" -> LATEST;
            default -> new StartAt(Kind.TIME, time(text).toEpochMilli());
        };
    }

    private static Instant time(String text) {
        try {
            return OffsetDateTime.parse(text).toInstant();
        } catch (DateTimeException e) {
            throw new IllegalArgumentException(
                    "\"" + text + "\" is not earliest, latest or a time such as 2026-11-20T00:00:00Z", e);
        }
    }
}
