package io.summarizer.core.pipeline;

import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.route.TopicPattern;
import io.summarizer.core.route.TopicRouter;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The assignment of topics to the pipelines of an engine. Each pipeline has its own position in a journal, so positions
 * have a meaning only together with this assignment. Positions are saved with the assignment, because a later engine
 * that reads the journal may have other pipelines. Immutable.
 *
 * @param patterns for each pipeline, its topic patterns as text. A topic that the patterns of several pipelines match
 *     goes to the earliest of these pipelines. The first pipeline has no patterns, and takes all topics that no other
 *     pipeline takes
 */
public record PipelineTopics(List<List<String>> patterns) {
    public PipelineTopics {
        patterns = patterns.stream().map(List::copyOf).toList();
        if (patterns.stream().anyMatch(pipeline -> pipeline.stream().anyMatch(PipelineTopics::hasSeparator))) {
            throw new IllegalArgumentException("a topic pattern has a tab or a line feed: " + patterns);
        }
        if (patterns.isEmpty()) {
            throw new IllegalArgumentException("there is no pipeline");
        }
    }

    /** The topics of these pipelines. */
    static PipelineTopics of(List<PipelineOptions.Named> pipelines) {
        return new PipelineTopics(pipelines.stream()
                .map(pipeline ->
                        pipeline.topics().stream().map(TopicPattern::toString).toList())
                .toList());
    }

    private static boolean hasSeparator(String pattern) {
        return pattern.indexOf('\t') >= 0 || pattern.indexOf('\n') >= 0;
    }

    /** A line for each pipeline, with its patterns separated by tabs. */
    public String text() {
        return patterns.stream().map(pipeline -> String.join("\t", pipeline)).collect(Collectors.joining("\n"));
    }

    /** Parses the result of {@link #text}. */
    public static PipelineTopics parse(String text) {
        return new PipelineTopics(Arrays.stream(text.split("\n", -1))
                .map(line -> line.isEmpty() ? List.<String>of() : List.of(line.split("\t", -1)))
                .toList());
    }

    /** Number of pipelines. */
    public int pipelines() {
        return patterns.size();
    }

    /** Makes a router of messages to pipelines, for one thread. */
    public Router newRouter() {
        return new Router(table(patterns.stream()
                        .map(pipeline -> pipeline.stream().map(TopicPattern::of).toList())
                        .toList())
                .newRouter());
    }

    /**
     * The compiled topics of all pipelines. Pipelines and event types are numbered from 0. The table has an event type
     * for each pipeline except pipeline 0: event type n leads to pipeline n + 1. A route without event type leads to
     * pipeline 0.
     */
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

        /**
         * The pipeline of a message. Call this method only for a message whose envelope was parsed, because a message
         * that was rejected earlier has no topic.
         */
        public int pipeline(MessageBatch batch, int message) {
            return 1
                    + topics.route(
                                    batch.bytes(),
                                    batch.offset(message, MessageBatch.TOPIC),
                                    batch.length(message, MessageBatch.TOPIC))
                            .event();
        }
    }
}
