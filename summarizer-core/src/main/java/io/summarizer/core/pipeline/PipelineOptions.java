package io.summarizer.core.pipeline;

import io.summarizer.core.bytes.CutMemory;
import io.summarizer.core.queue.QueueKind;
import io.summarizer.core.queue.WaitPolicy;

/**
 * Sizes and kinds of a pipeline's parts.
 *
 * @param parseQueue kind of the parse queue, one that may have several consumers
 * @param parseCapacity batches the parse queue holds
 * @param parserWorkers threads that decode and evaluate, at least 1
 * @param parseWait how parser workers wait for work, where the queue leaves a choice
 * @param ownerQueue kind of the owners' queues
 * @param ownerCapacity batches each owner's queue holds
 * @param owners threads that write summaries, at least 1
 * @param ownerWait how owners wait for work, where the queue leaves a choice
 * @param maxRows bound on rows of each summary, and of each nested summary over all its parents
 * @param cutBytesMax bound on what cuts hold beyond the present state, in bytes
 */
public record PipelineOptions(
        QueueKind parseQueue,
        int parseCapacity,
        int parserWorkers,
        WaitPolicy parseWait,
        QueueKind ownerQueue,
        int ownerCapacity,
        int owners,
        WaitPolicy ownerWait,
        long maxRows,
        long cutBytesMax) {
    /** One worker of each kind behind linked queues: what suits two cores. */
    public static final PipelineOptions DEFAULT =
            new PipelineOptions(QueueKind.LBQ, 64, 1, QueueKind.LBQ, 64, 1, WaitPolicy.BLOCKING, 50_000_000L);

    public PipelineOptions {
        requirePositive(parseCapacity, "parseCapacity");
        requirePositive(parserWorkers, "parserWorkers");
        requirePositive(ownerCapacity, "ownerCapacity");
        requirePositive(owners, "owners");
        requirePositive(maxRows, "maxRows");
        requirePositive(cutBytesMax, "cutBytesMax");
    }

    /** With parser workers that park. */
    public PipelineOptions(
            QueueKind parseQueue,
            int parseCapacity,
            int parserWorkers,
            QueueKind ownerQueue,
            int ownerCapacity,
            int owners,
            WaitPolicy ownerWait,
            long maxRows,
            long cutBytesMax) {
        this(
                parseQueue,
                parseCapacity,
                parserWorkers,
                WaitPolicy.BLOCKING,
                ownerQueue,
                ownerCapacity,
                owners,
                ownerWait,
                maxRows,
                cutBytesMax);
    }

    /** With parser workers that park, and the default bound on what cuts hold. */
    public PipelineOptions(
            QueueKind parseQueue,
            int parseCapacity,
            int parserWorkers,
            QueueKind ownerQueue,
            int ownerCapacity,
            int owners,
            WaitPolicy ownerWait,
            long maxRows) {
        this(
                parseQueue,
                parseCapacity,
                parserWorkers,
                ownerQueue,
                ownerCapacity,
                owners,
                ownerWait,
                maxRows,
                CutMemory.defaultBudget());
    }

    private static void requirePositive(long value, String name) {
        if (value < 1) {
            throw new IllegalArgumentException(name + "=" + value + ", must be at least 1");
        }
    }
}
