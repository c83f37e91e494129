package io.summarizer.core.pipeline;

import io.summarizer.core.bytes.CutLease;
import io.summarizer.core.message.RejectReason;
import io.summarizer.core.queue.BatchQueue;
import io.summarizer.core.store.Partitions;
import io.summarizer.core.store.Summaries;
import io.summarizer.core.store.SummaryStore;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The one thread that writes its share of all partitions: takes update batches, applies each record to its store. */
final class Owner implements Runnable, OwnedStores.Listener {
    private static final Logger LOG = System.getLogger(Owner.class.getName());
    /** As for parser workers. */
    private static final int FAULTS_LOGGED = 100;

    private static final long WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /** What the state has come to is published each 1,024 batches, at a cut, and when there is nothing to do. */
    private static final int PUBLISH_MASK = 1023;

    private final BatchQueue<OwnerTask> queue;
    private final BatchPool<OwnerTask.Updates> updatePool;
    private final PipelineCounters counters;
    private final PipelineFailure failure;
    private final Summaries summaries;
    private final OwnedStores owned;
    /** For each summary: updates not applied in full, and the stamp of the last of them. */
    private final long[] refusedUpdates;

    private final long[] refusedStamps;

    /** For each store, what {@link CutLease#giveUp} said when it took the place of another one. */
    private final int[] since;

    /** For each summary, bytes of its stores here, as of the last publication. */
    private final long[] summaryBytes;

    private int batches;
    private int logged;
    /** Saturations of stores that were given up. */
    private long saturationsBefore;

    private volatile long stateBytes;
    private volatile long saturations;

    Owner(
            BatchQueue<OwnerTask> queue,
            BatchPool<OwnerTask.Updates> updatePool,
            PipelineCounters counters,
            PipelineFailure failure,
            Summaries summaries,
            @Nullable SummaryStore[] stores) {
        this.queue = queue;
        this.updatePool = updatePool;
        this.counters = counters;
        this.failure = failure;
        this.summaries = summaries;
        owned = new OwnedStores(stores, this);
        refusedUpdates = new long[stores.length / Partitions.COUNT];
        refusedStamps = new long[refusedUpdates.length];
        since = new int[stores.length];
        summaryBytes = new long[refusedUpdates.length];
    }

    @Override
    public void run() {
        try {
            while (true) {
                OwnerTask task = queue.poll();
                if (task == null) {
                    publish();
                    queue.await(WAIT_NANOS);
                } else if (task instanceof OwnerTask.Updates updates) {
                    owned.apply(updates.batch);
                    updates.batch.clear();
                    updatePool.release(updates);
                    if ((++batches & PUBLISH_MASK) == 0) {
                        publish();
                    }
                } else if (task instanceof OwnerTask.Barrier barrier) {
                    freeze(barrier);
                } else {
                    return;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Throwable e) {
            failure.report(e);
        }
    }

    /** An update that met a full summary was not applied in full; a message counts once, however many rows it has there. */
    @Override
    public void refused(int summary, long stamp) {
        if (refusedStamps[summary] != stamp) {
            refusedStamps[summary] = stamp;
            refusedUpdates[summary]++;
            counters.rejected(RejectReason.LIMIT.ordinal()).increment();
        }
    }

    @Override
    public void failed(RuntimeException fault) {
        counters.failures.increment();
        if (logged++ < FAULTS_LOGGED) {
            LOG.log(Level.ERROR, "update not applied because of a fault in this program", fault);
        }
    }

    private void publish() {
        @Nullable SummaryStore[] stores = owned.stores();
        long bytes = 0;
        long lost = saturationsBefore;
        for (int summary = 0; summary < summaryBytes.length; summary++) {
            long ofSummary = 0;
            for (int i = summary * Partitions.COUNT; i < (summary + 1) * Partitions.COUNT; i++) {
                SummaryStore store = stores[i];
                if (store != null) {
                    ofSummary += store.bytesUsed();
                    lost += store.saturationsInAll();
                }
            }
            summaryBytes[summary] = ofSummary;
            bytes += ofSummary;
        }
        stateBytes = bytes;
        saturations = lost;
    }

    /** Bytes of this owner's state as of a while ago; for any thread. */
    long stateBytes() {
        return stateBytes;
    }

    /** As {@link #stateBytes()}, of one summary. */
    long stateBytes(int summary) {
        return summaryBytes[summary];
    }

    /** Observations lost to sums at their bound, as of a while ago or of the last cut; for any thread. */
    long saturations() {
        return saturations;
    }

    /** Updates of a summary that were refused, about as of now; for any thread. */
    long refusedUpdates(int summary) {
        return refusedUpdates[summary];
    }

    private void freeze(OwnerTask.Barrier barrier) {
        for (int summary = 0; summary < refusedUpdates.length; summary++) {
            barrier.refusedUpdates.addAndGet(summary, refusedUpdates[summary]);
        }
        @Nullable SummaryStore[] stores = owned.stores();
        boolean reset = barrier.reset >= 0;
        int from = reset ? barrier.reset * Partitions.COUNT : 0;
        int to = reset ? from + Partitions.COUNT : stores.length;
        for (int i = from; i < to; i++) {
            SummaryStore store = stores[i];
            if (store != null) {
                barrier.views[i] = store.freeze(barrier.lease);
                if (reset) {
                    stores[i] = emptied(store, i, barrier.lease);
                }
            }
        }
        publish();
        barrier.arrived.countDown();
    }

    /** A fresh store in place of number {@code i}, whose last view was taken. */
    private SummaryStore emptied(SummaryStore store, int i, CutLease last) {
        saturationsBefore += store.saturationsInAll();
        since[i] = last.giveUp(store.bytesViewed(), since[i]);
        SummaryStore fresh = summaries.renew(i / Partitions.COUNT, i % Partitions.COUNT);
        fresh.ownedBy(Thread.currentThread());
        return fresh;
    }
}
