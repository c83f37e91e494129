package io.summarizer.bench.state;

import io.summarizer.bench.report.Figures;
import io.summarizer.bench.report.Numbers;
import io.summarizer.bench.state.Owner.Rates;
import io.summarizer.core.archive.WindowFolder;
import io.summarizer.core.snapshot.CutLease;
import io.summarizer.core.snapshot.CutMemory;
import io.summarizer.core.store.Cut;
import io.summarizer.core.store.SummaryView;
import io.summarizer.core.store.UpdateBatch;
import io.summarizer.server.demo.TemporaryFolder;
import java.io.IOException;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * Measures how fast one thread writes the file of a closed window, forces it to the disk and reads it back. Meanwhile,
 * an owner updates another window as fast as it can. The rate of these updates is measured in turns with and without
 * the writing.
 */
final class WindowFileSection {
    private static final int OPEN_ROWS = 280_000;
    private static final int BATCHES = 2_048;
    private static final int ROUNDS = 7;
    private static final int WARM_UPS = 3;
    private static final int PASSES = 4;

    private WindowFileSection() {}

    static void run(int rows) throws IOException, InterruptedException, ExecutionException {
        try (TemporaryFolder folder = TemporaryFolder.create("summarizer-windows")) {
            run(rows, WindowPullSection.open(folder.path()));
        }
    }

    private static void run(int rows, WindowFolder folder)
            throws IOException, InterruptedException, ExecutionException {
        Owner owner = new Owner(Updates.windowed());
        owner.fill(rows);
        owner.updates().window(Updates.HOUR);
        owner.fill(OPEN_ROWS);
        SplittableRandom random = new SplittableRandom(1);
        UpdateBatch[] batches = Updates.batches(
                BATCHES, (batch, i, j) -> owner.updates().append(batch, random.nextInt(OPEN_ROWS), i, 0));
        owner.perSecond(batches, WARM_UPS);
        owner.closeBefore(Updates.HOUR);
        CutLease lease = new CutMemory(CutMemory.defaultBudget()).lease(CutLease.Kind.LAST);
        Cut cut =
                new Cut(1, 0, List.of(new SummaryView(owner.updates().layout(), owner.freeze(lease, Updates.HOUR), 0)));
        write(folder, cut, rows); // warms up the code, and writes the file that later passes replace

        double[] alone = new double[ROUNDS];
        double[] share = new double[ROUNDS];
        double[] cpuShare = new double[ROUNDS];
        double[] written = new double[ROUNDS];
        double[] undisturbed = new double[ROUNDS];
        for (int round = 0; round < ROUNDS; round++) {
            alone[round] = rows / (write(folder, cut, rows) / 1e9);
            Rates without = owner.rates(batches, PASSES, null);
            FutureTask<Long> file = new FutureTask<>(() -> write(folder, cut, rows));
            new Thread(file).start();
            Rates beside = owner.rates(batches, PASSES, file);
            undisturbed[round] = without.perSecond();
            share[round] = beside.perSecond() / without.perSecond();
            cpuShare[round] = beside.perCpuSecond() / without.perCpuSecond();
            written[round] = rows / (file.get() / 1e9);
        }
        lease.release();
        Figures.report("files-alone", Numbers.median(alone), "rows/s");
        Figures.report("files-beside-updates", Numbers.median(written), "rows/s");
        Figures.report("files-updates-without", Numbers.median(undisturbed), "updates/s");
        Figures.report("files-updates-share", 100 * Numbers.median(share), "% of those without");
        Figures.report("files-updates-share-of-cpu-time", 100 * Numbers.median(cpuShare), "% of those without");
        Figures.report("files-size", (double) folder.current().windows().get(0).bytes() / rows, "bytes/row");
    }

    /** Writes the file; returns the time in nanoseconds. */
    private static long write(WindowFolder folder, Cut cut, int rows) throws IOException, InterruptedException {
        long start = System.nanoTime();
        long written = folder.write(cut, 0, Updates.HOUR).rows();
        if (written != rows) {
            throw new IllegalStateException("rows=" + written + " instead of " + rows);
        }
        return System.nanoTime() - start;
    }
}
