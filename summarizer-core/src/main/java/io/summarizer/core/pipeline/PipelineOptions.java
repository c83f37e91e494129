package io.summarizer.core.pipeline;

import io.summarizer.core.bytes.ByteBudget;
import io.summarizer.core.queue.QueueKind;
import io.summarizer.core.queue.WaitPolicy;
import io.summarizer.core.route.TopicPattern;
import io.summarizer.core.snapshot.CutMemory;
import io.summarizer.core.store.ValueLimits;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Sizes and kinds of a pipeline's parts.
 *
 * @param pipelines the pipelines from received batches to rows, each with its own queues and workers. The first
 *     pipeline takes the topics that no other pipeline takes. A mode without queues has one pipeline, and ignores the
 *     configured queues and workers
 * @param receivers expected number of threads that hand over batches; if there are more, threads wait for each other
 * @param batchMessages largest number of messages in a batch, or 0 when only its bytes are bounded
 * @param maxRows bound on the rows of each summary, and on the rows of each nested summary, counted over all parent
 *     rows
 * @param values bounds on the values that one event may put into one row
 * @param windows bounds on the windows of summaries
 * @param stateBytesMax bound on the bytes of all rows, indexes, texts, sets and ids
 * @param dedupIds approximate number of ids that are kept exactly for one event type in one summary
 * @param dedupLag time for which ids are kept after the window of {@code dedup}, because events with earlier stamps may
 *     follow, in the unit of the plan's windows
 * @param cutBytesMax bound on the memory that cuts hold in addition to the current state, in bytes
 * @param queueBytesMax bound on the bytes of the batches in all queues. The parse queues have one half, the queues of
 *     owners the other half. All queues of one kind have equal shares
 */
public record PipelineOptions(
        PipelineMode mode,
        List<Named> pipelines,
        int receivers,
        int batchMessages,
        long maxRows,
        ValueLimits values,
        WindowOptions windows,
        long stateBytesMax,
        long dedupIds,
        long dedupLag,
        long cutBytesMax,
        long queueBytesMax) {
    /** Name of the pipeline that takes the topics that no other pipeline takes. */
    public static final String DEFAULT_PIPELINE = "default";

    /** One worker of each kind, with linked queues; suits two cores. */
    public static final PipelineOptions DEFAULT = queued(
            new Stage(QueueKind.LBQ, 64, 1, WaitPolicy.BLOCKING), new Stage(QueueKind.LBQ, 64, 1, WaitPolicy.BLOCKING));

    /**
     * The lag of ids in a service, in µs. Parser workers overtake each other, so an owner may see an event whose stamp
     * is slightly before the latest stamp.
     */
    public static final long DEFAULT_DEDUP_LAG = 10_000_000;

    private static final long DEFAULT_ROWS = 50_000_000;
    private static final long DEFAULT_IDS = 4_000_000;
    private static final int DEFAULT_QUEUE_PERCENT = 5;

    public PipelineOptions {
        pipelines = List.copyOf(pipelines);
        if (pipelines.isEmpty()) {
            throw new IllegalArgumentException("there is no pipeline");
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
        if (mode != PipelineMode.QUEUED && pipelines.size() > 1) {
            throw new IllegalArgumentException("without queues there is one pipeline, not " + pipelines.size());
        }
    }

    /**
     * A stage of a pipeline: a pool of workers and their bounded queue or queues.
     *
     * @param capacity capacity of a queue, in batches
     * @param workers number of threads; at the second stage, each thread has its own queue
     * @param waitPolicy the way in which workers wait at an empty queue; has an effect only if the kind of queue offers
     *     several ways
     */
    public record Stage(QueueKind queue, int capacity, int workers, WaitPolicy waitPolicy) {
        public Stage {
            requirePositive(capacity, "capacity");
            requirePositive(workers, "workers");
        }
    }

    /**
     * A pipeline from received batches to rows.
     *
     * @param topics the topics that the pipeline takes unless an earlier pipeline takes them; ignored for the first
     *     pipeline
     * @param parse the parser workers, which share one queue
     * @param summarize the owners; each owner has its own queue, and is the only writer of its share of the rows
     */
    public record Named(String name, List<TopicPattern> topics, Stage parse, Stage summarize) {
        public Named {
            topics = List.copyOf(topics);
        }
    }

    /** Options for one pipeline with queues; all other options have their defaults. */
    public static PipelineOptions queued(Stage parse, Stage summarize) {
        return new PipelineOptions(
                PipelineMode.QUEUED,
                List.of(new Named(DEFAULT_PIPELINE, List.of(), parse, summarize)),
                1,
                0,
                DEFAULT_ROWS,
                ValueLimits.DEFAULT,
                WindowOptions.DEFAULT,
                ByteBudget.defaultState(),
                DEFAULT_IDS,
                DEFAULT_DEDUP_LAG,
                CutMemory.defaultBudget(),
                defaultQueueBytes());
    }

    /** These options in another mode, with one pipeline. */
    public PipelineOptions withMode(PipelineMode mode, int receivers) {
        return with(parts -> {
            parts.mode = mode;
            parts.pipelines = pipelines.subList(0, 1);
            parts.receivers = receivers;
        });
    }

    /** These options with one more pipeline. */
    public PipelineOptions withPipeline(Named pipeline) {
        List<Named> more = new ArrayList<>(pipelines);
        more.add(pipeline);
        return with(parts -> parts.pipelines = more);
    }

    /** These options with another bound on the messages of a batch. */
    public PipelineOptions withBatchMessages(int batchMessages) {
        return with(parts -> parts.batchMessages = batchMessages);
    }

    /** These options with another bound on rows. */
    public PipelineOptions withMaxRows(long maxRows) {
        return with(parts -> parts.maxRows = maxRows);
    }

    /** These options with other bounds on keys and texts. */
    public PipelineOptions withValues(ValueLimits values) {
        return with(parts -> parts.values = values);
    }

    /** These options with other bounds on windows. */
    public PipelineOptions withWindows(WindowOptions windows) {
        return with(parts -> parts.windows = windows);
    }

    /** These options with another bound on the bytes of state. */
    public PipelineOptions withStateBytesMax(long stateBytesMax) {
        return with(parts -> parts.stateBytesMax = stateBytesMax);
    }

    /** These options with another bound on ids. */
    public PipelineOptions withDedupIds(long dedupIds) {
        return with(parts -> parts.dedupIds = dedupIds);
    }

    /** These options with another lag of ids. */
    public PipelineOptions withDedupLag(long dedupLag) {
        return with(parts -> parts.dedupLag = dedupLag);
    }

    /** These options with another bound on the memory of cuts. */
    public PipelineOptions withCutBytesMax(long cutBytesMax) {
        return with(parts -> parts.cutBytesMax = cutBytesMax);
    }

    /** These options with another bound on the bytes in queues. */
    public PipelineOptions withQueueBytesMax(long queueBytesMax) {
        return with(parts -> parts.queueBytesMax = queueBytesMax);
    }

    private PipelineOptions with(Consumer<Parts> change) {
        Parts parts = new Parts(this);
        change.accept(parts);
        return new PipelineOptions(
                parts.mode,
                parts.pipelines,
                parts.receivers,
                parts.batchMessages,
                parts.maxRows,
                parts.values,
                parts.windows,
                parts.stateBytesMax,
                parts.dedupIds,
                parts.dedupLag,
                parts.cutBytesMax,
                parts.queueBytesMax);
    }

    /** Options during a change. */
    private static final class Parts {
        PipelineMode mode;
        List<Named> pipelines;
        int receivers;
        int batchMessages;
        long maxRows;
        ValueLimits values;
        WindowOptions windows;
        long stateBytesMax;
        long dedupIds;
        long dedupLag;
        long cutBytesMax;
        long queueBytesMax;

        Parts(PipelineOptions of) {
            mode = of.mode;
            pipelines = of.pipelines;
            receivers = of.receivers;
            batchMessages = of.batchMessages;
            maxRows = of.maxRows;
            values = of.values;
            windows = of.windows;
            stateBytesMax = of.stateBytesMax;
            dedupIds = of.dedupIds;
            dedupLag = of.dedupLag;
            cutBytesMax = of.cutBytesMax;
            queueBytesMax = of.queueBytesMax;
        }
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
