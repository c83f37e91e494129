package io.summarizer.core.pipeline;

import io.summarizer.core.bytes.ByteBudget;
import io.summarizer.core.queue.QueueKind;
import io.summarizer.core.queue.WaitPolicy;
import io.summarizer.core.route.TopicPattern;
import io.summarizer.core.snapshot.CutMemory;
import io.summarizer.core.store.ValueLimits;
import java.util.ArrayList;
import java.util.List;

/**
 * Sizes and kinds of a pipeline's parts.
 *
 * @param lanes the ways from received batches to rows, each with queues and workers of its own; the first takes what no other
 *     takes. Only the first, and nothing of it, matters to a mode without queues
 * @param receivers threads that are expected to hand over batches; any number may, but each further one may wait for another
 * @param batchMessages messages of a batch at most, or 0 when its bytes alone bound it
 * @param maxRows bound on rows of each summary, and of each nested summary over all its parents
 * @param values bounds on what one event may put into one row
 * @param stateBytesMax bound on the bytes of all rows, indexes, texts, sets and ids
 * @param dedupIds about how many ids are kept exactly for each event type that is counted once, in each summary
 * @param cutBytesMax bound on what cuts hold beyond the present state, in bytes
 * @param queueBytesMax bound on the bytes of the batches in all queues; one half belongs to the parse queues, the other to those of
 *     owners, and each has an equal share of it
 */
public record PipelineOptions(
        PipelineMode mode,
        List<Lane> lanes,
        int receivers,
        int batchMessages,
        long maxRows,
        ValueLimits values,
        long stateBytesMax,
        long dedupIds,
        long cutBytesMax,
        long queueBytesMax) {
    /** What the lane is called that takes what no other takes. */
    public static final String DEFAULT_LANE = "default";

    /** One worker of each kind behind linked queues: what suits two cores. */
    public static final PipelineOptions DEFAULT = queued(
            new Stage(QueueKind.LBQ, 64, 1, WaitPolicy.BLOCKING), new Stage(QueueKind.LBQ, 64, 1, WaitPolicy.BLOCKING));

    private static final long DEFAULT_ROWS = 50_000_000;
    private static final long DEFAULT_IDS = 4_000_000;
    private static final int DEFAULT_QUEUE_PERCENT = 5;

    public PipelineOptions {
        lanes = List.copyOf(lanes);
        if (lanes.isEmpty()) {
            throw new IllegalArgumentException("there is no lane");
        }
        requirePositive(receivers, "receivers");
        requirePositive(maxRows, "maxRows");
        requirePositive(stateBytesMax, "stateBytesMax");
        requirePositive(dedupIds, "dedupIds");
        requirePositive(cutBytesMax, "cutBytesMax");
        requirePositive(queueBytesMax, "queueBytesMax");
        if (batchMessages < 0) {
            throw new IllegalArgumentException("batchMessages=" + batchMessages + ", must be at least 0");
        }
        if (mode != PipelineMode.QUEUED && lanes.size() > 1) {
            throw new IllegalArgumentException("without queues there is one lane, not " + lanes.size());
        }
    }

    /**
     * A stage of a lane: a pool of workers and the bounded queue, or queues, they take from.
     *
     * @param capacity of a queue, in batches
     * @param workers threads; at the second stage each has a queue of its own
     * @param waitPolicy how workers wait at an empty queue, where its kind leaves a choice
     */
    public record Stage(QueueKind queue, int capacity, int workers, WaitPolicy waitPolicy) {
        public Stage {
            requirePositive(capacity, "capacity");
            requirePositive(workers, "workers");
        }
    }

    /**
     * A way from received batches to rows.
     *
     * @param topics what it takes, unless a lane before it does; without meaning for the first lane
     * @param parse decoding and evaluating: one queue, any worker takes from it
     * @param summarize adding to rows: a queue for each worker, which alone writes its share of them
     */
    public record Lane(String name, List<TopicPattern> topics, Stage parse, Stage summarize) {
        public Lane {
            topics = List.copyOf(topics);
        }
    }

    /** One lane with queues; all else is as it suits most. */
    public static PipelineOptions queued(Stage parse, Stage summarize) {
        return new PipelineOptions(
                PipelineMode.QUEUED,
                List.of(new Lane(DEFAULT_LANE, List.of(), parse, summarize)),
                1,
                0,
                DEFAULT_ROWS,
                ValueLimits.DEFAULT,
                ByteBudget.defaultState(),
                DEFAULT_IDS,
                CutMemory.defaultBudget(),
                defaultQueueBytes());
    }

    /** These in another mode, with one lane. */
    public PipelineOptions withMode(PipelineMode mode, int receivers) {
        return new PipelineOptions(
                mode,
                lanes.subList(0, 1),
                receivers,
                batchMessages,
                maxRows,
                values,
                stateBytesMax,
                dedupIds,
                cutBytesMax,
                queueBytesMax);
    }

    /** These with one more lane. */
    public PipelineOptions withLane(Lane lane) {
        List<Lane> more = new ArrayList<>(lanes);
        more.add(lane);
        return new PipelineOptions(
                mode,
                more,
                receivers,
                batchMessages,
                maxRows,
                values,
                stateBytesMax,
                dedupIds,
                cutBytesMax,
                queueBytesMax);
    }

    /** These with another bound on the messages of a batch. */
    public PipelineOptions withBatchMessages(int batchMessages) {
        return new PipelineOptions(
                mode,
                lanes,
                receivers,
                batchMessages,
                maxRows,
                values,
                stateBytesMax,
                dedupIds,
                cutBytesMax,
                queueBytesMax);
    }

    /** These with another bound on rows. */
    public PipelineOptions withMaxRows(long maxRows) {
        return new PipelineOptions(
                mode,
                lanes,
                receivers,
                batchMessages,
                maxRows,
                values,
                stateBytesMax,
                dedupIds,
                cutBytesMax,
                queueBytesMax);
    }

    /** These with other bounds on keys and texts. */
    public PipelineOptions withValues(ValueLimits values) {
        return new PipelineOptions(
                mode,
                lanes,
                receivers,
                batchMessages,
                maxRows,
                values,
                stateBytesMax,
                dedupIds,
                cutBytesMax,
                queueBytesMax);
    }

    /** These with another bound on the bytes of state. */
    public PipelineOptions withStateBytesMax(long stateBytesMax) {
        return new PipelineOptions(
                mode,
                lanes,
                receivers,
                batchMessages,
                maxRows,
                values,
                stateBytesMax,
                dedupIds,
                cutBytesMax,
                queueBytesMax);
    }

    /** These with another bound on ids. */
    public PipelineOptions withDedupIds(long dedupIds) {
        return new PipelineOptions(
                mode,
                lanes,
                receivers,
                batchMessages,
                maxRows,
                values,
                stateBytesMax,
                dedupIds,
                cutBytesMax,
                queueBytesMax);
    }

    /** These with another bound on what cuts hold. */
    public PipelineOptions withCutBytesMax(long cutBytesMax) {
        return new PipelineOptions(
                mode,
                lanes,
                receivers,
                batchMessages,
                maxRows,
                values,
                stateBytesMax,
                dedupIds,
                cutBytesMax,
                queueBytesMax);
    }

    /** These with another bound on the bytes in queues. */
    public PipelineOptions withQueueBytesMax(long queueBytesMax) {
        return new PipelineOptions(
                mode,
                lanes,
                receivers,
                batchMessages,
                maxRows,
                values,
                stateBytesMax,
                dedupIds,
                cutBytesMax,
                queueBytesMax);
    }

    private static long defaultQueueBytes() {
        return Runtime.getRuntime().maxMemory() / 100 * DEFAULT_QUEUE_PERCENT;
    }

    private static void requirePositive(long value, String name) {
        if (value < 1) {
            throw new IllegalArgumentException(name + "=" + value + ", must be at least 1");
        }
    }
}
