package io.summarizer.core.pipeline;

import io.summarizer.core.route.TopicPattern;
import io.summarizer.core.route.TopicRouter;
import io.summarizer.core.store.Partitions;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The assignment of topics to pipelines, and of summaries to owners. If exactly one pipeline has events for a summary,
 * the owners of this pipeline have the summary. Otherwise, the owners of the first of all pipelines have the summary.
 * Immutable.
 */
final class Placement {
    private final List<List<TopicPattern>> topics;

    /** For each pipeline, the number of its first owner. An additional last entry is the number of all owners. */
    private final int[] firstOwners;

    /**
     * A placement.
     *
     * @param topics for each pipeline, its topic patterns. A topic that the patterns of several pipelines match goes to
     *     the earliest of these pipelines. The first pipeline takes all topics that no other pipeline takes
     * @param owners for each pipeline, its number of owners
     */
    Placement(List<List<TopicPattern>> topics, int... owners) {
        this.topics = List.copyOf(topics);
        firstOwners = new int[owners.length + 1];
        for (int pipeline = 0; pipeline < owners.length; pipeline++) {
            firstOwners[pipeline + 1] = firstOwners[pipeline] + owners[pipeline];
        }
    }

    /** Number of owners of all pipelines. */
    int owners() {
        return firstOwners[firstOwners.length - 1];
    }

    /**
     * The compiled topics of all pipelines. Pipelines and event types are numbered from 0. The table has an event type
     * for each pipeline except pipeline 0: event type n leads to pipeline n + 1. A route without event type leads to
     * pipeline 0.
     */
    TopicRouter.Table routes() {
        return PipelineTopics.table(topics);
    }

    /** The pipeline whose owners have summary {@code summary}. */
    int pipeline(Plan plan, int summary) {
        BitSet pipelines = new BitSet();
        for (Plan.Event event : plan.events()) {
            for (Plan.Mapping mapping : event.mappings()) {
                if (mapping.summary() == summary) {
                    List<TopicPattern> patterns = mapping.topics().isEmpty() ? event.topics() : mapping.topics();
                    patterns.forEach(pattern -> addPipelines(pattern, pipelines));
                }
            }
        }
        return pipelines.cardinality() == 1 ? pipelines.nextSetBit(0) : 0;
    }

    private void addPipelines(TopicPattern pattern, BitSet pipelines) {
        for (int pipeline = 1; pipeline < topics.size(); pipeline++) {
            for (TopicPattern taken : topics.get(pipeline)) {
                if (pattern.commonTopic(taken).isPresent()) {
                    pipelines.set(pipeline);
                }
                if (taken.covers(pattern)) {
                    return;
                }
            }
        }
        pipelines.set(0);
    }

    /** The owner of a partition of a summary that belongs to {@code pipeline}. */
    int owner(Partitions partitions, int pipeline, int shift, int partition) {
        int first = firstOwners[pipeline];
        return first + partitions.owner(shift, partition, firstOwners[pipeline + 1] - first);
    }

    /** The pipeline that owner {@code owner} belongs to. */
    int pipelineOf(int owner) {
        return IntStream.range(0, topics.size())
                .filter(pipeline -> owner < firstOwners[pipeline + 1])
                .findFirst()
                .orElseThrow();
    }
}
