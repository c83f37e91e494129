package io.summarizer.server.explain;

import io.summarizer.core.pipeline.Plan;
import io.summarizer.core.receive.TopicRule;
import io.summarizer.core.route.Route;
import io.summarizer.core.route.TopicDifference;
import io.summarizer.core.route.TopicPattern;
import io.summarizer.core.route.TopicRouter;
import io.summarizer.core.store.SummaryLayout;
import io.summarizer.dsl.diagnose.Suggestions;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Explains topics, with the matcher that the service uses to route messages. Immutable; any thread. */
public final class TopicExplainer {
    /** Largest number of patterns shown for a topic that no pattern matches. */
    private static final int NEAREST_MAX = 3;
    /**
     * Largest number of words of a topic that is compared with the patterns. The cost of a comparison is the number of
     * words in the topic times the number of words in all patterns.
     */
    private static final int WORDS_MAX = 64;

    private final List<Plan.Event> events;
    private final List<SummaryLayout> summaries;
    private final TopicRouter.Table routes;

    /** Explains topics by a plan's event types and summaries. */
    public TopicExplainer(List<Plan.Event> events, List<SummaryLayout> summaries) {
        this.events = List.copyOf(events);
        this.summaries = List.copyOf(summaries);
        routes = Plan.routes(events);
    }

    /** Reports on messages with this topic. An empty topic stands for messages without a topic. */
    public TopicReport report(String topic) {
        byte[] bytes = topic.getBytes(StandardCharsets.UTF_8);
        if (bytes.length > TopicRule.TOPIC_BYTES_MAX) {
            return TopicReport.untaken(topic, List.of());
        }
        Route route = topic.isEmpty() ? routes.noTopic() : routes.newRouter().route(bytes, 0, bytes.length);
        if (route.event() < 0) {
            // An empty topic has no near patterns.
            return TopicReport.untaken(topic, topic.isEmpty() ? List.of() : nearest(topic));
        }
        Plan.Event event = events.get(route.event());
        List<TopicReport.Mapped> mappings = new ArrayList<>();
        for (int i = 0; i < event.mappings().size(); i++) {
            mappings.add(mapped(topic, event.mappings().get(i), route.active()[i]));
        }
        List<String> matching = event.topics().stream()
                .filter(pattern -> topic.isEmpty() ? pattern.matchesNoTopic() : pattern.matches(topic))
                .map(TopicPattern::toString)
                .toList();
        return new TopicReport(topic, event.name(), event.format(), matching, mappings, List.of());
    }

    private TopicReport.Mapped mapped(String topic, Plan.Mapping mapping, boolean applies) {
        String summary = summaries.get(mapping.summary()).name();
        if (mapping.topics().isEmpty()) {
            return new TopicReport.Mapped(mapping.name(), summary, null, true, null);
        }
        TopicPattern pattern = mapping.topics().get(0);
        return new TopicReport.Mapped(
                mapping.name(),
                summary,
                pattern.toString(),
                applies,
                applies ? null : TopicDifference.of(pattern, topic).describe(topic));
    }

    private List<TopicReport.Miss> nearest(String topic) {
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
        // Orders patterns: first those that match the most words from the start of the topic. If several match equally
        // many words, first those whose next word is most similar to the topic's next word.
        return candidates.stream()
                .sorted(Comparator.<Candidate>comparingInt(
                                candidate -> candidate.difference().distance())
                        .thenComparingInt(candidate -> -candidate.difference().word())
                        .thenComparingInt(candidate -> letters(topic, candidate.difference())))
                .limit(NEAREST_MAX)
                .map(candidate -> new TopicReport.Miss(
                        candidate.pattern().toString(),
                        candidate.event(),
                        candidate.difference().describe(topic)))
                .toList();
    }

    /**
     * Edit distance between the topic's first word that does not match the pattern, and the most similar word that the
     * pattern takes there; 0 when the topic ends there.
     */
    private static int letters(String topic, TopicDifference difference) {
        List<String> words = TopicPattern.words(topic);
        return difference.word() == words.size()
                ? 0
                : difference.expected().stream()
                        .mapToInt(expected -> Suggestions.distance(words.get(difference.word()), expected))
                        .min()
                        .orElse(Integer.MAX_VALUE);
    }
}
