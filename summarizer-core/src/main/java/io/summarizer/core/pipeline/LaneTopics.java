package io.summarizer.core.pipeline;

import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.route.TopicPattern;
import io.summarizer.core.route.TopicRouter;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The assignment of topics to the lanes of a pipeline; the places in a journal, one for each lane, refer to it. It
 * outlives the pipeline, which may have other lanes when the journal is read again. Immutable.
 *
 * @param patterns by lane, as text, the patterns that it takes unless an earlier lane does; the first lane takes the
 *     rest, and has none
 */
public record LaneTopics(List<List<String>> patterns) {
    public LaneTopics {
        patterns = patterns.stream().map(List::copyOf).toList();
        if (patterns.stream().anyMatch(lane -> lane.stream().anyMatch(LaneTopics::hasSeparator))) {
            throw new IllegalArgumentException("a topic pattern has a tab or a line feed: " + patterns);
        }
        if (patterns.isEmpty()) {
            throw new IllegalArgumentException("there is no lane");
        }
    }

    /** The topics of a pipeline's lanes. */
    static LaneTopics of(List<PipelineOptions.Lane> lanes) {
        return new LaneTopics(lanes.stream()
                .map(lane -> lane.topics().stream().map(TopicPattern::toString).toList())
                .toList());
    }

    private static boolean hasSeparator(String pattern) {
        return pattern.indexOf('\t') >= 0 || pattern.indexOf('\n') >= 0;
    }

    /** A line for each lane, its patterns separated by tabs. */
    public String text() {
        return patterns.stream().map(lane -> String.join("\t", lane)).collect(Collectors.joining("\n"));
    }

    /** Parses the result of {@link #text}. */
    public static LaneTopics parse(String text) {
        return new LaneTopics(Arrays.stream(text.split("\n", -1))
                .map(line -> line.isEmpty() ? List.<String>of() : List.of(line.split("\t", -1)))
                .toList());
    }

    /** Number of lanes. */
    public int lanes() {
        return patterns.size();
    }

    /** Makes a router of messages to lanes, for one thread. */
    public Router newRouter() {
        return new Router(table(patterns.stream()
                        .map(lane -> lane.stream().map(TopicPattern::of).toList())
                        .toList())
                .newRouter());
    }

    /** The topics of all lanes, compiled: event type n of a route is lane n + 1, and unmatched is the first lane. */
    static TopicRouter.Table table(List<List<TopicPattern>> topics) {
        return new TopicRouter.Table(topics.subList(1, topics.size()).stream()
                .map(patterns -> new TopicRouter.Candidate(patterns, List.of()))
                .toList());
    }

    /** A router of one thread. */
    public static final class Router {
        private final TopicRouter topics;

        private Router(TopicRouter topics) {
            this.topics = topics;
        }

        /** The lane of a message whose envelope was parsed, or that was rejected and so has no topic. */
        public int lane(MessageBatch batch, int message) {
            return 1
                    + topics.route(
                                    batch.bytes(),
                                    batch.offset(message, MessageBatch.TOPIC),
                                    batch.length(message, MessageBatch.TOPIC))
                            .event();
        }
    }
}
