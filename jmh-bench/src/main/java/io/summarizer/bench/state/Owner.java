package io.summarizer.bench.state;

import io.summarizer.bench.report.Figures;
import io.summarizer.bench.report.Numbers;
import io.summarizer.core.pipeline.UpdateApplier;
import io.summarizer.core.snapshot.CutLease;
import io.summarizer.core.snapshot.FrozenTables;
import io.summarizer.core.store.Cut;
import io.summarizer.core.store.StoreView;
import io.summarizer.core.store.Summaries;
import io.summarizer.core.store.SummaryPartition;
import io.summarizer.core.store.SummaryStore;
import io.summarizer.core.store.UpdateBatch;
import io.summarizer.dsl.generate.RowSources;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** An owner of all partitions of one summary, without a queue. */
public final class Owner {
    /** Throws an exception on every fault. Ignores duplicates, which are intended. */
    public static final UpdateApplier.Listener STRICT = new UpdateApplier.Listener() {
        @Override
        public void duplicate(byte[] bytes, int record) {
            // Intended.
        }

        @Override
        public void refused(byte[] bytes, int record) {
            throw new IllegalStateException("no room for a row");
        }

        @Override
        public void failed(byte[] bytes, int record, RuntimeException fault) {
            throw fault;
        }
    };

    private final Updates updates;
    private final Summaries summaries;
    private final UpdateApplier stores;
    private final List<SummaryPartition> partitions;

    Owner(Updates updates) {
        this.updates = updates;
        summaries = empty(updates);
        stores = UpdateApplier.ofAll(summaries, STRICT);
        partitions = Stream.of(stores.partitions().cells())
                .map(Objects::requireNonNull)
                .toList();
    }

    /** Makes the empty state of the summary of {@code updates}. */
    static Summaries empty(Updates updates) {
        return new Summaries(List.of(updates.layout()), List.of(RowSources.compile(updates.layout())), Long.MAX_VALUE);
    }

    /** Returns a cut of all rows, for a state file. */
    Cut cut() {
        return summaries.freeze(1, 0);
    }

    Updates updates() {
        return updates;
    }

    void apply(UpdateBatch batch) {
        stores.apply(batch);
    }

    /** Returns views of all partitions, as an owner does at a cut. */
    List<StoreView> freeze(CutLease lease) {
        return freeze(lease, Long.MAX_VALUE);
    }

    /** Returns views of the rows of windows that begin before {@code before}. */
    List<StoreView> freeze(CutLease lease, long before) {
        List<StoreView> views = new ArrayList<>(partitions.size());
        int notes = 0;
        for (SummaryPartition partition : partitions) {
            notes += partition.notes();
        }
        FrozenTables tables = new FrozenTables(lease, notes);
        for (SummaryPartition partition : partitions) {
            views.addAll(partition.freeze(tables, before));
        }
        tables.add();
        return views;
    }

    /** Closes windows, as an owner does. */
    void closeBefore(long before) {
        partitions.forEach(partition -> partition.closeBefore(before));
    }

    /** Removes the rows of windows of one partition from memory, as an owner does between two batches. */
    void dropBefore(int number, long before, CutLease last) {
        SummaryPartition partition = partitions.get(number);
        for (SummaryStore store : partition.takeBefore(before)) {
            int unused = store.leaveTo(last);
            partition.retire(store);
        }
    }

    long rows() {
        return partitions.stream().mapToLong(SummaryPartition::rows).sum();
    }

    long bytesUsed() {
        return partitions.stream().mapToLong(SummaryPartition::bytesUsed).sum();
    }

    /** Makes rows 0 to {@code rows} - 1, as {@link Updates#fill} does. */
    void fill(int rows) {
        updates.fill(rows, stores::apply);
    }

    /** Applies each batch once. Returns the time in nanoseconds. */
    long timed(UpdateBatch[] batches) {
        long start = System.nanoTime();
        for (UpdateBatch batch : batches) {
            stores.apply(batch);
        }
        return System.nanoTime() - start;
    }

    /** Applies all batches in each round; returns each round's updates per second. */
    double[] perSecond(UpdateBatch[] batches, int rounds) {
        double[] perSecond = new double[rounds];
        for (int i = 0; i < rounds; i++) {
            perSecond[i] = (double) batches.length * Updates.BATCH / timed(batches) * 1e9;
        }
        return perSecond;
    }

    /** Updates per second, and updates per second of the thread's processor time. */
    record Rates(double perSecond, double perCpuSecond) {}

    /** Measures updates until {@code end} is done; if it is null, measures {@code passes} passes over all batches. */
    Rates rates(UpdateBatch[] batches, int passes, @Nullable Future<?> end) {
        long start = System.nanoTime();
        long cpuStart = Figures.cpuNanos();
        long done = 0;
        while (end == null ? done < (long) passes * batches.length : !end.isDone()) {
            apply(batches[(int) (done++ % batches.length)]);
        }
        double updates = (double) done * Updates.BATCH * 1e9;
        return new Rates(updates / (System.nanoTime() - start), updates / (Figures.cpuNanos() - cpuStart));
    }

    /** Reports the median speed of rounds after warm-up rounds, and the bytes that an update allocates. */
    void report(String name, UpdateBatch[] batches, int warmUps, int rounds) {
        perSecond(batches, warmUps);
        long allocated = Figures.allocatedBytes();
        double[] perSecond = perSecond(batches, rounds);
        allocated = Figures.allocatedBytes() - allocated;
        Figures.report(name, Numbers.median(perSecond), "updates/s");
        Figures.report(
                name + "-allocated",
                (double) allocated / ((double) rounds * batches.length * Updates.BATCH),
                "bytes/update");
    }
}
