package io.summarizer.server.cli;

import io.summarizer.core.message.KafkaRange;
import io.summarizer.core.message.KafkaRange.Partition;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Merges ranges of Kafka records into one span for each partition. Used by one thread. */
final class KafkaSpans {
    private final Map<Partition, Span> spans = new LinkedHashMap<>();

    /**
     * The records of a partition.
     *
     * @param first offset of the first record
     * @param end offset after the last record
     * @param records number of records; an offset may be without a record
     */
    record Span(String topic, int partition, long first, long end, long records) {}

    void add(KafkaRange range) {
        Partition partition = range.partition();
        if (range.count() == 0) {
            return; // the place where the reading began
        }
        spans.merge(
                partition,
                new Span(partition.topic(), partition.number(), range.first(), range.end(), range.count()),
                (one, other) -> new Span(
                        one.topic,
                        one.partition,
                        Math.min(one.first, other.first),
                        Math.max(one.end, other.end),
                        one.records + other.records));
    }

    List<Span> spans() {
        return new ArrayList<>(spans.values());
    }

    /** A line for each partition, with a line break before each line. */
    String text() {
        StringBuilder text = new StringBuilder();
        for (Span span : spans.values()) {
            text.append(String.format(
                    "%n  kafka %s-%d: offsets %d to %d, %s",
                    span.topic, span.partition, span.first, span.end - 1, Units.count(span.records, "record")));
        }
        return text.toString();
    }
}
