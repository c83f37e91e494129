package io.summarizer.core.pipeline;

import io.summarizer.core.bytes.Bytes;
import io.summarizer.core.bytes.CutLease;
import io.summarizer.core.bytes.FrozenTables;
import io.summarizer.core.dedup.RecentIds;
import io.summarizer.core.ledger.Fate;
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
    /** The owner's number among all threads that decide. */
    private final int deciding;

    private final Ledger ledger;
    private final PipelineCounters counters;
    private final OwnedStores owned;

    /** The one thread that works with it, or null when it is one at a time. */
    private final @Nullable Thread thread;

    /** The definitions that the updates at hand are for. */
    private Generation generation;

    /** What was found of the messages that the updates at hand are of. */
    private @Nullable Verdicts verdicts;

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
    private volatile long idCount;
    private volatile long idsEvicted;
    private volatile long idBytes;
    /** Of partitions of ids that were given up. */
    private long idsEvictedBefore;

    /** A share without stores yet, but for those that {@code generation} places with owner {@code number}. */
    Share(int number, Ledger ledger, PipelineCounters counters, Generation generation, @Nullable Thread thread) {
        this.number = number;
        this.ledger = ledger;
        deciding = ledger.thread(number);
        this.counters = counters;
        this.generation = generation;
        this.thread = thread;
        int summaries = generation.tallies.length;
        owned = new OwnedStores(
                new SummaryStore[generation.partitions()],
                new RecentIds[generation.ids.tables() * Partitions.COUNT],
                this);
        since = new int[generation.partitions()];
        summaryBytes = new long[summaries];
        takeNew(owned.stores());
        link(owned.stores());
        takeIds(owned.ids());
    }

    /** Tells stores where what is too much for them goes: to the same partition, which this owner has, too. */
    private void link(@Nullable SummaryStore[] stores) {
        for (int i = 0; i < stores.length; i++) {
            SummaryStore store = stores[i];
            if (store != null) {
                int summary = i / Partitions.COUNT;
                int overflow = generation.overflows[summary];
                store.overflowInto(
                        generation.plan.summaries().get(summary),
                        overflow < 0 ? null : stores[overflow * Partitions.COUNT + i % Partitions.COUNT]);
            }
        }
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

    /** Puts its own partitions of the generation's ids where there are none yet. */
    private void takeIds(@Nullable RecentIds[] ids) {
        for (int i = 0; i < ids.length; i++) {
            if (ids[i] == null && ownsIds(i)) {
                ids[i] = generation.ids.recent(i / Partitions.COUNT, i % Partitions.COUNT);
            }
        }
    }

    private boolean ownsIds(int i) {
        int summary = generation.plan.dedups().get(i / Partitions.COUNT).summary();
        return generation.owners[summary * Partitions.COUNT + i % Partitions.COUNT] == number;
    }

    /** Applies all records of a batch. */
    void apply(OwnerTask.Updates updates) {
        verdicts = updates.verdicts;
        owned.apply(updates.batch);
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

    @Override
    public void refused(byte[] bytes, int record) {
        if (find(bytes, record, Fate.LIMIT)) {
            counters.rejected(RejectReason.LIMIT.ordinal()).increment();
        }
    }

    /**
     * Finds that a record does not simply reach the rows. Counts that once for what its mapping makes of the message, and once for
     * the message, however many rows that has, whichever owners have them.
     *
     * @return whether its mapping counted as something better until now
     */
    private boolean find(byte[] bytes, int record, Fate fate) {
        Verdicts verdicts = this.verdicts;
        if (verdicts == null) {
            throw new IllegalStateException("updates of no message");
        }
        PlanAccounts accounts = generation.accounts;
        int mapping = UpdateBatch.mapping(bytes, record);
        long stamp = Bytes.getLong(bytes, record + UpdateBatch.STAMP_OFFSET);
        Fate message = verdicts.find(stamp, Verdicts.MESSAGE, fate);
        if (message != null) {
            AccountCounter.move(accounts.events[accounts.eventOf[mapping]].row(deciding), message, fate);
            AccountCounter.move(ledger.row(verdicts.listener, deciding), message, fate);
        }
        Fate before = verdicts.find(stamp, mapping, fate);
        if (before == null) {
            return false;
        }
        AccountCounter.move(accounts.mappings[mapping].row(deciding), before, fate);
        if (before == Fate.APPLIED) {
            generation.tallies[accounts.summaryOf[mapping]].refused[number]++;
        }
        return true;
    }

    @Override
    public void duplicate(byte[] bytes, int record) {
        if (find(bytes, record, Fate.DUPLICATE)) {
            int summary = UpdateBatch.summary(bytes, record);
            generation.tallies[summary].duplicates[number]++;
            counters.duplicates.increment();
        }
    }

    @Override
    public void failed(byte[] bytes, int record, RuntimeException fault) {
        boolean unused = find(bytes, record, Fate.FAULT);
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
        countOverflows();
        publishIds();
    }

    /** No mapping is into a summary that takes an overflow: what it took are less than no refusals. */
    private void countOverflows() {
        @Nullable SummaryStore[] stores = owned.stores();
        for (int overflow : generation.overflows) {
            if (overflow >= 0) {
                long updates = 0;
                for (int i = overflow * Partitions.COUNT; i < (overflow + 1) * Partitions.COUNT; i++) {
                    SummaryStore store = stores[i];
                    updates += store == null ? 0 : store.updates();
                }
                generation.tallies[overflow].refused[number] = -updates;
            }
        }
    }

    private void publishIds() {
        long count = 0;
        long evicted = idsEvictedBefore;
        long bytes = 0;
        for (RecentIds ids : owned.ids()) {
            if (ids != null) {
                count += ids.size();
                evicted += ids.evicted();
                bytes += ids.bytesUsed();
            }
        }
        idCount = count;
        idsEvicted = evicted;
        idBytes = bytes;
    }

    /** Ids that are known exactly, as of a while ago; for any thread, as are the next two. */
    long idCount() {
        return idCount;
    }

    /** Ids that left the exact ones within their window, because the bound was reached. */
    long idsEvicted() {
        return idsEvicted;
    }

    /** Bytes of ids and what they are found by. */
    long idBytes() {
        return idBytes;
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
        countOverflows();
        for (int summary = 0; summary < generation.tallies.length; summary++) {
            barrier.refusedUpdates.addAndGet(summary, generation.tallies[summary].refused[number]);
        }
        barrier.ledger.add(deciding);
        @Nullable SummaryStore[] stores = owned.stores();
        if (barrier.reset < 0) {
            freeze(0, stores.length, barrier);
        } else {
            freeze(barrier.reset * Partitions.COUNT, (barrier.reset + 1) * Partitions.COUNT, barrier);
            int overflow = generation.overflows[barrier.reset];
            if (overflow >= 0) {
                freeze(overflow * Partitions.COUNT, (overflow + 1) * Partitions.COUNT, barrier);
            }
            link(stores);
        }
        freezeIds(barrier);
        publish();
        barrier.arrived().countDown();
    }

    /** Takes the views of ids. A summary that is emptied keeps its ids: what was in the cut must not come again after it. */
    private void freezeIds(OwnerTask.Barrier barrier) {
        if (barrier.ids.length == 0) {
            return;
        }
        @Nullable RecentIds[] ids = owned.ids();
        FrozenTables tables = new FrozenTables(barrier.lease, barrier.ids.length * RecentIds.NOTES);
        for (int i = 0; i < barrier.ids.length; i++) {
            RecentIds seen = ids[i];
            if (seen != null) {
                barrier.ids[i] = seen.freeze(tables);
            }
        }
        tables.add();
    }

    /** Takes the views of stores, and empties them at a reset. */
    private void freeze(int from, int to, OwnerTask.Barrier barrier) {
        @Nullable SummaryStore[] stores = owned.stores();
        FrozenTables tables = new FrozenTables(barrier.lease, notes(stores, from, to));
        for (int i = from; i < to; i++) {
            SummaryStore store = stores[i];
            if (store != null) {
                barrier.views[i] = store.freeze(tables);
                if (barrier.reset >= 0) {
                    stores[i] = emptied(store, i, barrier.lease);
                }
            }
        }
        tables.add();
    }

    private static int notes(@Nullable SummaryStore[] stores, int from, int to) {
        int notes = 0;
        for (int i = from; i < to; i++) {
            SummaryStore store = stores[i];
            notes += store == null ? 0 : store.notes();
        }
        return notes;
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
        @Nullable RecentIds[] ids = goOver(owned.ids());
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
                    // Not under the lease, which would keep the rows until all other summaries were copied, too.
                    rebuild.rows().add(store.freeze());
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
        link(stores);
        takeIds(ids);
        owned.replace(stores, ids);
        summaryBytes = new long[generation.tallies.length];
        publish();
        other.arrived().countDown();
    }

    /**
     * The ids of the generation, as far as there were any. Those whose partitions are others now are left to all owners, which
     * is done before any of them goes on: then the summary is one of those that are rebuilt.
     */
    private @Nullable RecentIds[] goOver(@Nullable RecentIds[] before) {
        @Nullable RecentIds[] ids = new RecentIds[generation.ids.tables() * Partitions.COUNT];
        for (int i = 0; i < before.length; i++) {
            RecentIds seen = before[i];
            if (seen == null) {
                continue;
            }
            int table = generation.ids.successorOf(seen);
            int at = table * Partitions.COUNT + i % Partitions.COUNT;
            if (table < 0) {
                idsEvictedBefore += seen.evicted();
                seen.giveUp();
            } else if (generation.ids.recent(table, i % Partitions.COUNT) == seen) {
                seen.goOverTo(generation.ids, table);
                ids[at] = seen;
            } else {
                idsEvictedBefore += seen.evicted();
                generation.ids.inherit(table, seen);
                seen.giveUp();
            }
        }
        return ids;
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
        store.giveUp();
    }
}
