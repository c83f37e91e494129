package io.summarizer.server.explain;

import io.summarizer.core.receive.TopicRule;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The report on messages of one topic: its event type and the mappings that apply, or the patterns that nearly match.
 * Immutable.
 *
 * @param topic the topic of the question; empty for messages without a topic
 * @param event name of its event type, or null
 * @param format its format, {@code csv}, {@code json} or {@code text}, or null
 * @param patterns the matching patterns of the event type
 * @param mappings all mappings of the event type
 * @param nearest without an event type: the nearest patterns, the nearest first
 */
public record TopicReport(
        String topic,
        @Nullable String event,
        @Nullable String format,
        List<String> patterns,
        List<Mapped> mappings,
        List<Miss> nearest) {
    public TopicReport {
        patterns = List.copyOf(patterns);
        mappings = List.copyOf(mappings);
        nearest = List.copyOf(nearest);
    }

    /** Makes the report on a topic without an event type. */
    static TopicReport untaken(String topic, List<Miss> nearest) {
        return new TopicReport(topic, null, null, List.of(), List.of(), nearest);
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
            @Nullable String pattern,
            boolean applies,
            @Nullable String why) {}

    /** A pattern that does not match, its event type, and its first difference. */
    public record Miss(String pattern, String event, String why) {}

    /** Whether the topic has an event type. */
    public boolean isTaken() {
        return event != null;
    }

    /**
     * The report as text. The first line begins with the topic, a tab and the event type's name, or {@code -} if there
     * is none; all other lines are indented.
     */
    public String text() {
        StringBuilder text = new StringBuilder(Shown.of(topic)).append('\t');
        if (event == null) {
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
        text.append(event).append('\t').append(format).append('\n');
        patterns.forEach(pattern -> text.append("  matches  ")
                .append(pattern)
                .append(" of ")
                .append(event)
                .append('\n'));
        if (mappings.isEmpty()) {
            text.append("  no mapping takes ").append(event).append('\n');
        }
        for (Mapped mapping : mappings) {
            text.append(mapping.applies() ? "  applies  " : "  not      ").append(mapping.name());
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
