package io.summarizer.core.pipeline;

import io.summarizer.core.dedup.SavedIds;
import io.summarizer.core.ledger.Ledger;
import io.summarizer.core.ledger.LedgerCounts;
import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.reject.RejectSink;
import io.summarizer.core.store.Partitions;
import io.summarizer.core.store.UpdateBatch;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The work of a parser worker for a program whose owners are in other processes: decodes and evaluates messages, and
 * hands over the updates of each partition. {@link RangeOwner} applies them. Used by one thread at a time.
 *
 * <p>Memory: one batch of updates for each partition. All batches together take {@value #UPDATES_BYTES} bytes, unless a
 * single message needs more.
 */
public final class Evaluator {
    /** Approximate number of bytes of all update batches. */
    private static final int UPDATES_BYTES = 4 << 20;

    private static final int FLUSH_BYTES_MIN = 1024;
    private static final int FLUSH_BYTES_MAX = 32 * 1024;

    private final Generation generation;
    private final Ledger ledger;
    private final Faults faults = new Faults();
    private final MessageProcessor processor;

    /** The destination of updates. */
    @FunctionalInterface
    public interface Destination {
        /**
         * Takes the updates of one partition. Called on the evaluator's thread; the batch is reused after the call.
         */
        void accept(int partition, UpdateBatch updates);
    }

    /**
     * An evaluator before its first message.
     *
     * @param partitions all partitions of each summary
     * @param ids ids without entries, whose key hashes the ids of events
     */
    public Evaluator(
            Plan plan,
            PipelineOptions options,
            Partitions partitions,
            SavedIds ids,
            Destination destination,
            RejectSink rejects) {
        int count = partitions.count();
        Placement placement = new Placement(List.of(List.of()), count);
        generation =
                Generation.first(plan, plan.newSummaries(partitions.range(0, 0), options), ids, options, 1, placement);
        ledger = new Ledger(1, count, () -> generation.books);
        int flushBytes = Math.max(FLUSH_BYTES_MIN, Math.min(FLUSH_BYTES_MAX, UPDATES_BYTES / count));
        BatchPool<OwnerTask.Updates> pool =
                new BatchPool<>(count, () -> new OwnerTask.Updates(new UpdateBatch(flushBytes + flushBytes / 4)));
        List<HandOver> sinks = IntStream.range(0, count)
                .mapToObj(partition -> new HandOver(partition, destination, pool))
                .toList();
        processor = new MessageProcessor(0, generation, flushBytes, pool, sinks, ledger, faults, rejects);
    }

    private record HandOver(int partition, Destination destination, BatchPool<OwnerTask.Updates> pool)
            implements UpdateSink {
        @Override
        public boolean offer(OwnerTask.Updates updates) {
            put(updates);
            return true;
        }

        @Override
        public void put(OwnerTask.Updates updates) {
            destination.accept(partition, updates.batch);
            updates.applied(pool);
        }
    }

    /** Gives the listener with this number a name in the ledger. Call it before the first message. */
    public void name(int listener, String name) {
        ledger.name(listener, name);
    }

    /**
     * Evaluates all messages of a batch. Updates are handed over when there are many for a partition, and by {@link
     * #flush}.
     */
    public void process(MessageBatch batch) throws InterruptedException {
        ledger.received(batch.listener(), batch.count());
        processor.process(batch);
    }

    /** Hands over all updates. */
    public void flush() {
        boolean unused = processor.handOver(); // the destination takes all of them
    }

    /**
     * The progress of a summary since the last call, as {@link io.summarizer.core.window.WindowInput#takeProgress}
     * returns it. A caller that evaluates messages of several inputs can call this method after the messages of each
     * input. The caller can then track the progress of each input.
     */
    public long takeProgress(int summary) {
        return generation.takeProgress(0, summary);
    }

    /** Number of faults of this program that lost a message. Any thread. */
    public long faults() {
        return faults.count();
    }

    /**
     * The fates of all messages so far. Exact on the evaluator's thread while this thread processes no message;
     * approximate on other threads.
     */
    public LedgerCounts counts() {
        return ledger.now();
    }

    /** Continues the counts of an earlier evaluator. Call it before the first message. */
    public void restore(LedgerCounts counts) {
        ledger.restore(counts);
    }
}
