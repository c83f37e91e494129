package io.summarizer.core.pipeline;

import io.summarizer.core.route.TopicPattern;
import io.summarizer.core.route.TopicRouter;
import io.summarizer.core.store.Partitions;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The assignment of topics to pipelines, and of summaries to owners: a summary belongs to the owners of the only
 * pipeline that brings it events, or to those of the first pipeline when several do. Immutable.
 */
final class Placement {
    private final List<List<TopicPattern>> topics;

    /** By pipeline: the number of its first owner; one more entry marks the end. */
    private final int[] firstOwners;

    /**
     * A placement.
     *
     * @param topics by pipeline, the patterns whose topics it takes unless an earlier pipeline does; the first pipeline
     *     takes all other topics
     * @param owners by pipeline, its number of owners
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
     * The compiled topics of all pipelines: event type n of a route means pipeline n + 1, and no event type means the
     * first pipeline.
     */
    TopicRouter.Table routes() {
        return PipelineTopics.table(topics);
    }

    /** The pipeline whose owners shall have summary {@code summary}. */
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

    /** The owner of a partition of a summary of {@code pipeline}. */
    int owner(int pipeline, int shift, int partition) {
        int first = firstOwners[pipeline];
        return first + Partitions.owner(shift, partition, firstOwners[pipeline + 1] - first);
    }

    /** The pipeline that owner {@code owner} belongs to. */
    int pipelineOf(int owner) {
        return IntStream.range(0, topics.size())
                .filter(pipeline -> owner < firstOwners[pipeline + 1])
                .findFirst()
                .orElseThrow();
    }
}
