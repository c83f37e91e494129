package io.summarizer.core.pipeline;

import io.summarizer.core.bytes.CutLease;
import io.summarizer.core.message.RejectReason;
import io.summarizer.core.state.LayoutMatch;
import io.summarizer.core.store.Partitions;
import io.summarizer.core.store.SummaryLayout;
import io.summarizer.core.store.SummaryStore;
import io.summarizer.core.store.UpdateBatch;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * An owner's share of all partitions, and all that becomes of it: updates, views, resets, other definitions. One thread at
 * a time, but for what is said to be for any thread.
 */
final class Share implements OwnedStores.Listener {
    private static final Logger LOG = System.getLogger(Share.class.getName());
    /** As for messages. */
    private static final int FAULTS_LOGGED = 100;

    /** What the state has come to is published each 1,024 batches at least. */
    private static final int PUBLISH_MASK = 1023;

    private final int number;
    private final PipelineCounters counters;
    private final OwnedStores owned;

    /** The one thread that works with it, or null when it is one at a time. */
    private final @Nullable Thread thread;

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

    /** A share without stores yet, but for those that {@code generation} places with owner {@code number}. */
    Share(int number, PipelineCounters counters, Generation generation, @Nullable Thread thread) {
        this.number = number;
        this.counters = counters;
        this.generation = generation;
        this.thread = thread;
        int summaries = generation.tallies.length;
        owned = new OwnedStores(new SummaryStore[generation.partitions()], this);
        refusedStamps = new long[summaries];
        since = new int[generation.partitions()];
        summaryBytes = new long[summaries];
        takeNew(owned.stores());
    }

    /** Puts its own stores of the generation where there are none yet. */
    private void takeNew(@Nullable SummaryStore[] stores) {
        for (int i = 0; i < stores.length; i++) {
            if (stores[i] == null && generation.owners[i] == number) {
                SummaryStore store = generation.summaries.store(i / Partitions.COUNT, i % Partitions.COUNT);
                store.ownedBy(thread);
                stores[i] = store;
            }
        }
    }

    /** Applies all records of a batch. */
    void apply(UpdateBatch batch) {
        owned.apply(batch);
        if ((++batches & PUBLISH_MASK) == 0) {
            publish();
        }
    }

    /** Does what the coordinator asks for, and counts down at its latch. */
    void perform(OwnerTask.Control task) throws InterruptedException {
        if (task instanceof OwnerTask.Barrier barrier) {
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

    /** Says what the state has come to. */
    void publish() {
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
        barrier.arrived().countDown();
    }

    /** A fresh store in place of number {@code i}, whose last view was taken. */
    private SummaryStore emptied(SummaryStore store, int i, CutLease last) {
        saturationsBefore += store.saturationsInAll();
        since[i] = last.giveUp(store.bytesViewed(), since[i]);
        SummaryStore fresh = generation.summaries.renew(i / Partitions.COUNT, i % Partitions.COUNT);
        fresh.ownedBy(thread);
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
        takeNew(stores);
        owned.replace(stores);
        refusedStamps = new long[generation.tallies.length];
        summaryBytes = new long[generation.tallies.length];
        publish();
        other.arrived().countDown();
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
