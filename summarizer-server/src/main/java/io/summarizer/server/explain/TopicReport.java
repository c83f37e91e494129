package io.summarizer.server.explain;

import io.summarizer.core.pipeline.Plan;
import io.summarizer.core.route.TopicDifference;
import io.summarizer.core.route.TopicPattern;
import io.summarizer.core.store.SummaryLayout;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of messages of one topic: the event type that takes it and which of its mappings apply, or the patterns
 * that nearly match. Immutable.
 *
 * @param topic what was asked about
 * @param event the event type that takes it, or null
 * @param nearest where nothing takes it: the patterns that it misses least, the nearest first
 */
public record TopicReport(String topic, @Nullable Taken event, List<Miss> nearest) {
    /** Patterns shown of those that do not match. */
    private static final int NEAREST_MAX = 3;
    /** A topic of more words is compared with nothing: the cost is its words times those of all patterns. */
    private static final int WORDS_MAX = 64;

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

    /** What the event types and summaries of a plan have for {@code topic}. */
    public static TopicReport of(String topic, List<Plan.Event> events, List<SummaryLayout> summaries) {
        for (Plan.Event event : events) {
            List<TopicPattern> matching = event.topics().stream()
                    .filter(pattern -> pattern.matches(topic))
                    .toList();
            if (!matching.isEmpty()) {
                List<Mapped> mappings = event.mappings().stream()
                        .map(mapping -> mapped(topic, mapping, summaries))
                        .toList();
                return new TopicReport(topic, new Taken(event.name(), event.format(), matching, mappings), List.of());
            }
        }
        return new TopicReport(topic, null, nearest(topic, events));
    }

    private static Mapped mapped(String topic, Plan.Mapping mapping, List<SummaryLayout> summaries) {
        boolean applies =
                mapping.topics().isEmpty() || mapping.topics().stream().anyMatch(pattern -> pattern.matches(topic));
        TopicPattern pattern =
                mapping.topics().isEmpty() ? null : mapping.topics().get(0);
        return new Mapped(
                mapping.name(),
                summaries.get(mapping.summary()).name(),
                pattern,
                applies || pattern == null
                        ? null
                        : TopicDifference.of(pattern, topic).describe(topic));
    }

    private static List<Miss> nearest(String topic, List<Plan.Event> events) {
        if (TopicPattern.words(topic).size() > WORDS_MAX) {
            return List.of();
        }
        record Candidate(TopicPattern pattern, String event, TopicDifference difference) {}
        List<Candidate> candidates = new ArrayList<>();
        for (Plan.Event event : events) {
            for (TopicPattern pattern : event.topics()) {
                candidates.add(new Candidate(pattern, event.name(), TopicDifference.of(pattern, topic)));
            }
        }
        // Of those equally near, the one that goes along further.
        return candidates.stream()
                .sorted(Comparator.<Candidate>comparingInt(
                                candidate -> candidate.difference().distance())
                        .thenComparingInt(candidate -> -candidate.difference().word()))
                .limit(NEAREST_MAX)
                .map(candidate -> new Miss(
                        candidate.pattern(),
                        candidate.event(),
                        candidate.difference().describe(topic)))
                .toList();
    }

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
            text.append("-\tno event type takes it\n");
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
