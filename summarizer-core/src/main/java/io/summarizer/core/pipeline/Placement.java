package io.summarizer.core.pipeline;

import io.summarizer.core.route.TopicPattern;
import io.summarizer.core.route.TopicRouter;
import io.summarizer.core.store.Partitions;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The assignment of topics to lanes, and of summaries to owners: a summary belongs to the owners of the only lane that
 * brings it events, or of the first lane when several do. Immutable.
 */
final class Placement {
    private final List<List<TopicPattern>> topics;

    /** By lane: the number of its first owner; one more entry marks the end. */
    private final int[] firstOwners;

    /**
     * A placement.
     *
     * @param topics by lane, the patterns that it takes unless an earlier lane does; the first lane takes the rest
     * @param owners by lane, its number of owners
     */
    Placement(List<List<TopicPattern>> topics, int... owners) {
        this.topics = List.copyOf(topics);
        firstOwners = new int[owners.length + 1];
        for (int lane = 0; lane < owners.length; lane++) {
            firstOwners[lane + 1] = firstOwners[lane] + owners[lane];
        }
    }

    /** Number of owners of all lanes. */
    int owners() {
        return firstOwners[firstOwners.length - 1];
    }

    /** The topics of all lanes, compiled: event type n of a route is lane n + 1, and unmatched is the first lane. */
    TopicRouter.Table routes() {
        return LaneTopics.table(topics);
    }

    /** The lane whose owners shall have summary {@code summary}. */
    int lane(Plan plan, int summary) {
        BitSet lanes = new BitSet();
        for (Plan.Event event : plan.events()) {
            for (Plan.Mapping mapping : event.mappings()) {
                if (mapping.summary() == summary) {
                    List<TopicPattern> patterns = mapping.topics().isEmpty() ? event.topics() : mapping.topics();
                    patterns.forEach(pattern -> addLanes(pattern, lanes));
                }
            }
        }
        return lanes.cardinality() == 1 ? lanes.nextSetBit(0) : 0;
    }

    private void addLanes(TopicPattern pattern, BitSet lanes) {
        for (int lane = 1; lane < topics.size(); lane++) {
            for (TopicPattern taken : topics.get(lane)) {
                if (pattern.commonTopic(taken).isPresent()) {
                    lanes.set(lane);
                }
                if (taken.covers(pattern)) {
                    return;
                }
            }
        }
        lanes.set(0);
    }

    /** The owner of a partition of a summary of {@code lane}. */
    int owner(int lane, int shift, int partition) {
        int first = firstOwners[lane];
        return first + Partitions.owner(shift, partition, firstOwners[lane + 1] - first);
    }

    /** The lane that owner {@code owner} belongs to. */
    int laneOf(int owner) {
        return IntStream.range(0, topics.size())
                .filter(lane -> owner < firstOwners[lane + 1])
                .findFirst()
                .orElseThrow();
    }
}
