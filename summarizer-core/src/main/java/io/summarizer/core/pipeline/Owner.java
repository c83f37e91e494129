package io.summarizer.core.pipeline;

import io.summarizer.core.bytes.CutLease;
import io.summarizer.core.message.RejectReason;
import io.summarizer.core.queue.BatchQueue;
import io.summarizer.core.state.LayoutMatch;
import io.summarizer.core.store.Partitions;
import io.summarizer.core.store.SummaryLayout;
import io.summarizer.core.store.SummaryStore;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The one thread that writes its share of all partitions: takes update batches, applies each record to its store. At a
 * {@link OwnerTask.Switch} it goes over to the stores of other definitions.
 */
final class Owner implements Runnable, OwnedStores.Listener {
    private static final Logger LOG = System.getLogger(Owner.class.getName());
    /** As for parser workers. */
    private static final int FAULTS_LOGGED = 100;

    private static final long WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /** What the state has come to is published each 1,024 batches, at a cut, and when there is nothing to do. */
    private static final int PUBLISH_MASK = 1023;

    /** Tasks taken from the queue at once: beyond its capacity, so few. */
    static final int DRAINED = 16;

    private final int number;
    private final BatchQueue<OwnerTask> queue;
    private final List<OwnerTask> tasks = new ArrayList<>(DRAINED);
    private final BatchPool<OwnerTask.Updates> updatePool;
    private final PipelineCounters counters;
    private final PipelineFailure failure;
    private final OwnedStores owned;

    /** The definitions that the updates at hand are for. */
    private Generation generation;

    /** For each summary: the stamp of the last update that was not applied in full. */
    private long[] refusedStamps;

    /** For each store, what {@link CutLease#giveUp} said when it took the place of another one. */
    private int[] since;

    /** For each summary, bytes of its stores here, as of the last publication. */
    private long[] summaryBytes;

    private int batches;
    private int logged;
    /** Saturations of stores that were given up. */
    private long saturationsBefore;

    private volatile long stateBytes;
    private volatile long saturations;

    Owner(
            int number,
            BatchQueue<OwnerTask> queue,
            BatchPool<OwnerTask.Updates> updatePool,
            PipelineCounters counters,
            PipelineFailure failure,
            Generation generation) {
        this.number = number;
        this.queue = queue;
        this.updatePool = updatePool;
        this.counters = counters;
        this.failure = failure;
        this.generation = generation;
        int summaries = generation.tallies.length;
        owned = new OwnedStores(new SummaryStore[generation.partitions()], this);
        refusedStamps = new long[summaries];
        since = new int[generation.partitions()];
        summaryBytes = new long[summaries];
    }

    /** Takes the stores that are this owner's; before it runs. */
    void ownedBy(Thread thread) {
        takeNew(owned.stores(), thread);
    }

    /** Puts its own stores of the generation where there are none yet. */
    private void takeNew(@Nullable SummaryStore[] stores, Thread thread) {
        for (int i = 0; i < stores.length; i++) {
            if (stores[i] == null && generation.owners[i] == number) {
                SummaryStore store = generation.summaries.store(i / Partitions.COUNT, i % Partitions.COUNT);
                store.ownedBy(thread);
                stores[i] = store;
            }
        }
    }

    @Override
    public void run() {
        try {
            while (true) {
                if (queue.drain(tasks, DRAINED) > 0) {
                    for (OwnerTask task : tasks) {
                        process(task);
                    }
                    tasks.clear();
                } else if (queue.isDrained()) {
                    return;
                } else {
                    publish();
                    queue.await(WAIT_NANOS);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Throwable e) {
            failure.report(e);
        }
    }

    private void process(OwnerTask task) throws InterruptedException {
        if (task instanceof OwnerTask.Updates updates) {
            owned.apply(updates.batch);
            updates.batch.clear();
            updatePool.release(updates);
            if ((++batches & PUBLISH_MASK) == 0) {
                publish();
            }
        } else if (task instanceof OwnerTask.Barrier barrier) {
            freeze(barrier);
        } else if (task instanceof OwnerTask.Switch other) {
            switchTo(other);
        }
    }

    /** An update that met a full summary was not applied in full; a message counts once, however many rows it has there. */
    @Override
    public void refused(int summary, long stamp) {
        if (refusedStamps[summary] != stamp) {
            refusedStamps[summary] = stamp;
            generation.tallies[summary].refused[number]++;
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

    private void freeze(OwnerTask.Barrier barrier) {
        for (int summary = 0; summary < generation.tallies.length; summary++) {
            barrier.refusedUpdates.addAndGet(summary, generation.tallies[summary].refused[number]);
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
        SummaryStore fresh = generation.summaries.renew(i / Partitions.COUNT, i % Partitions.COUNT);
        fresh.ownedBy(Thread.currentThread());
        return fresh;
    }

    /**
     * Goes over to other definitions: kept stores find their new places, rows of rebuilt summaries are copied into new stores,
     * all others go. Waits for the other owners after each rebuilt summary, as rows of theirs may become this owner's; so that
     * no two summaries are in memory twice at a time.
     */
    private void switchTo(OwnerTask.Switch other) throws InterruptedException {
        @Nullable SummaryStore[] before = owned.stores();
        int[] sinceBefore = since;
        // From here on nothing but the array above refers to stores that are not kept.
        generation = other.next;
        @Nullable SummaryStore[] stores = new SummaryStore[generation.partitions()];
        since = new int[stores.length];
        Arrays.fill(since, other.lease.mark());
        for (int summary = 0; summary < generation.tallies.length; summary++) {
            if (other.match.fate(summary) == LayoutMatch.Fate.KEPT) {
                keep(other.match.source(summary), before, sinceBefore, summary, stores);
            }
        }
        for (OwnerTask.Rebuild rebuild : other.rebuilds) {
            for (int i = rebuild.source() * Partitions.COUNT; i < (rebuild.source() + 1) * Partitions.COUNT; i++) {
                SummaryStore store = before[i];
                if (store != null) {
                    rebuild.rows().add(store.freeze(other.lease));
                    giveUp(store, other.lease, sinceBefore[i]);
                    before[i] = null;
                }
            }
            rebuild.copied().countDown();
            rebuild.copied().await();
        }
        for (int i = 0; i < before.length; i++) {
            SummaryStore store = before[i];
            if (store != null) {
                giveUp(store, other.lease, sinceBefore[i]);
            }
        }
        takeNew(stores, Thread.currentThread());
        owned.replace(stores);
        refusedStamps = new long[generation.tallies.length];
        summaryBytes = new long[generation.tallies.length];
        publish();
        other.arrived.countDown();
    }

    private void keep(
            int source,
            @Nullable SummaryStore[] before,
            int[] sinceBefore,
            int summary,
            @Nullable SummaryStore[] stores) {
        SummaryLayout layout = generation.plan.summaries().get(summary);
        for (int partition = 0; partition < Partitions.COUNT; partition++) {
            int from = source * Partitions.COUNT + partition;
            int to = summary * Partitions.COUNT + partition;
            SummaryStore store = before[from];
            if (store != null) {
                store.relabel(layout);
                stores[to] = store;
                since[to] = sinceBefore[from];
                before[from] = null;
            }
        }
    }

    private void giveUp(SummaryStore store, CutLease last, int since) {
        saturationsBefore += store.saturationsInAll();
        int unused = last.giveUp(store.bytesViewed(), since);
    }
}
