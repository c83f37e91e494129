package io.summarizer.server.explain;

import io.summarizer.core.receive.TopicRule;
import io.summarizer.core.route.TopicPattern;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of messages of one topic: the event type that takes it and which of its mappings apply, or the patterns
 * that nearly match. Immutable.
 *
 * @param topic what was asked about; empty for messages without a topic
 * @param event the event type that takes it, or null
 * @param nearest where nothing takes it: the patterns that it misses least, the nearest first
 */
public record TopicReport(String topic, @Nullable Taken event, List<Miss> nearest) {
    public TopicReport {
        nearest = List.copyOf(nearest);
    }

    /**
     * The event type that takes a topic.
     *
     * @param format {@code csv}, {@code json} or {@code text}
     * @param patterns those of its patterns that match
     */
    public record Taken(String name, String format, List<TopicPattern> patterns, List<Mapped> mappings) {
        public Taken {
            patterns = List.copyOf(patterns);
            mappings = List.copyOf(mappings);
        }
    }

    /**
     * A mapping of that event type.
     *
     * @param pattern its own narrower pattern, or null
     * @param why null when it applies, else where its pattern and the topic differ
     */
    public record Mapped(
            String name,
            String summary,
            @Nullable TopicPattern pattern,
            @Nullable String why) {}

    /** A pattern that does not match, of which event type it is, and where it first differs. */
    public record Miss(TopicPattern pattern, String event, String why) {}

    /** Whether an event type takes the topic. */
    public boolean isTaken() {
        return event != null;
    }

    /**
     * Lines for people. The first one begins with the topic, a tab and the event type's name, or {@code -} when nothing takes it; all
     * others are indented.
     */
    public String text() {
        StringBuilder text = new StringBuilder(Shown.of(topic)).append('\t');
        Taken taken = event;
        if (taken == null) {
            boolean isTooLong = topic.getBytes(StandardCharsets.UTF_8).length > TopicRule.TOPIC_BYTES_MAX;
            text.append("-\t")
                    .append(
                            isTooLong
                                    ? "no message has it: a topic has at most " + TopicRule.TOPIC_BYTES_MAX + " bytes"
                                    : "no event type takes it")
                    .append('\n');
            for (Miss miss : nearest) {
                text.append("  near     ")
                        .append(miss.pattern())
                        .append(" of ")
                        .append(miss.event())
                        .append(": ")
                        .append(Shown.of(miss.why()))
                        .append('\n');
            }
            return text.toString();
        }
        text.append(taken.name()).append('\t').append(taken.format()).append('\n');
        taken.patterns()
                .forEach(pattern -> text.append("  matches  ")
                        .append(pattern)
                        .append(" of ")
                        .append(taken.name())
                        .append('\n'));
        if (taken.mappings().isEmpty()) {
            text.append("  no mapping takes ").append(taken.name()).append('\n');
        }
        for (Mapped mapping : taken.mappings()) {
            text.append(mapping.why() == null ? "  applies  " : "  not      ").append(mapping.name());
            if (mapping.pattern() != null) {
                text.append(" on ").append(mapping.pattern());
            }
            if (mapping.why() != null) {
                text.append(": ").append(Shown.of(mapping.why()));
            }
            text.append('\n');
        }
        return text.toString();
    }
}
