package io.summarizer.bench.state;

import io.summarizer.bench.report.Figures;
import io.summarizer.core.snapshot.CutLease;
import io.summarizer.core.snapshot.CutMemory;
import io.summarizer.core.store.Partitions;
import io.summarizer.core.store.StoreView;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * Measures how long an owner processes no updates when a window closes. In this time, the owner closes the window,
 * makes the cut from which the file is written, and removes the rows, partition by partition. Large windows come first,
 * while the code is not compiled yet. Many small windows follow. A step in which the garbage collector stopped the
 * thread is not among the times of its kind, because fills allocate much more than closes; it is reported apart.
 */
final class CloseSection {
    /** The partitions of these windows, 16 for each window, are enough for a percentile of 99.9. */
    private static final int LARGE = 63;

    private static final int SMALL = 2_000;
    private static final int SMALL_ROWS = 2_000;
    /** Rows of the next window, which stays open. */
    private static final int OPEN_ROWS = 1_000;

    private final Owner owner = new Owner(Updates.windowed());
    private final CutMemory memory = new CutMemory(CutMemory.defaultBudget());
    private final List<GarbageCollectorMXBean> collectors = ManagementFactory.getGarbageCollectorMXBeans();
    private long window;

    private CloseSection() {}

    static void run(int rows) {
        CloseSection section = new CloseSection();
        section.close("close-large", LARGE, rows);
        section.close("close-small", SMALL, SMALL_ROWS);
    }

    private void close(String name, int windows, int rows) {
        Histogram closes = new Histogram(3);
        Histogram cuts = new Histogram(3);
        Histogram drops = new Histogram(3);
        Histogram stopped = new Histogram(3);
        for (int i = 0; i < windows; i++) {
            owner.updates().window(window);
            owner.fill(rows);
            window += Updates.HOUR;
            owner.updates().window(window);
            owner.fill(OPEN_ROWS);
            record(closes, stopped, () -> owner.closeBefore(window));
            CutLease lease = memory.lease(CutLease.Kind.LAST);
            record(cuts, stopped, () -> check(owner.freeze(lease, window), rows));
            CutLease last = memory.lease(CutLease.Kind.LAST);
            for (int partition = 0; partition < Partitions.COUNT; partition++) {
                int number = partition;
                record(drops, stopped, () -> owner.dropBefore(number, window, last));
            }
            last.release();
            lease.release();
            if (owner.rows() != OPEN_ROWS) {
                throw new IllegalStateException("rows=" + owner.rows() + " after the close");
            }
        }
        Figures.report(name + "-windows", windows, "windows of " + rows + " rows");
        report(name, closes);
        report(name + "-cut", cuts);
        report(name + "-drop", drops);
        Figures.report(name + "-with-collection", (double) stopped.getTotalCount(), "steps");
        Figures.report(name + "-with-collection-max", stopped.getMaxValue() / 1e6, "ms");
    }

    private static void check(List<StoreView> views, int rows) {
        long all = views.stream().mapToLong(view -> view.rows()).sum();
        if (all != rows) {
            throw new IllegalStateException("rows=" + all + " in the cut instead of " + rows);
        }
    }

    private void record(Histogram times, Histogram stopped, Runnable work) {
        long collections = collections();
        long start = System.nanoTime();
        work.run();
        long nanos = System.nanoTime() - start;
        (collections() == collections ? times : stopped).recordValue(nanos);
    }

    private long collections() {
        return collectors.stream()
                .mapToLong(GarbageCollectorMXBean::getCollectionCount)
                .sum();
    }

    private static void report(String name, Histogram times) {
        Figures.report(name + "-p50", times.getValueAtPercentile(50) / 1e6, "ms");
        if (times.getTotalCount() >= 1_000) {
            Figures.report(name + "-p99.9", times.getValueAtPercentile(99.9) / 1e6, "ms");
        }
        Figures.report(name + "-max", times.getMaxValue() / 1e6, "ms");
    }
}
