package io.summarizer.server.explain;

import io.summarizer.core.receive.TopicRule;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The report on messages of one topic: its event type and the mappings that apply, or the patterns that nearly match.
 * Immutable.
 *
 * @param topic the topic of the question; empty for messages without a topic
 * @param event name of the topic's event type, or null
 * @param format format of the event type, {@code csv}, {@code json} or {@code text}, or null
 * @param patterns the matching patterns of the event type
 * @param mappings all mappings of the event type
 * @param nearest the nearest patterns, the nearest first; empty when the topic has an event type
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
     * A mapping of the topic's event type.
     *
     * @param pattern the mapping's own narrower pattern, or null
     * @param why the place where the mapping's pattern and the topic differ; null when the mapping applies
     */
    public record Mapped(
            String name,
            String summary,
            @Nullable String pattern,
            boolean applies,
            @Nullable String why) {
        private String text() {
            return (applies ? "  applies  " : "  not      ")
                    + name
                    + (pattern == null ? "" : " on " + pattern)
                    + (why == null ? "" : ": " + Shown.of(why));
        }
    }

    /** A pattern that does not match, its event type, and its first difference. */
    public record Miss(String pattern, String event, String why) {}

    /** Whether the topic has an event type. */
    public boolean isTaken() {
        return event != null;
    }

    /**
     * The report as text. The first line begins with the topic, a tab and the event type's name, or {@code -} if there
     * is no event type. All other lines are indented.
     */
    public String text() {
        List<String> lines = new ArrayList<>();
        if (event == null) {
            boolean isTooLong = topic.getBytes(StandardCharsets.UTF_8).length > TopicRule.TOPIC_BYTES_MAX;
            lines.add(Shown.of(topic) + "\t-\t"
                    + (isTooLong
                            ? "no message has it: a topic has at most " + TopicRule.TOPIC_BYTES_MAX + " bytes"
                            : "no event type takes it"));
            nearest.forEach(
                    miss -> lines.add("  near     " + miss.pattern + " of " + miss.event + ": " + Shown.of(miss.why)));
        } else {
            lines.add(Shown.of(topic) + '\t' + event + '\t' + format);
            patterns.forEach(pattern -> lines.add("  matches  " + pattern + " of " + event));
            if (mappings.isEmpty()) {
                lines.add("  no mapping takes " + event);
            }
            mappings.forEach(mapping -> lines.add(mapping.text()));
        }
        return String.join("\n", lines) + '\n';
    }
}
