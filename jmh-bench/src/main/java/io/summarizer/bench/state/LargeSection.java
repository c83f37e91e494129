package io.summarizer.bench.state;

import io.summarizer.bench.report.Figures;
import io.summarizer.core.snapshot.CutLease;
import io.summarizer.core.snapshot.CutMemory;
import io.summarizer.core.state.StateFile;
import io.summarizer.core.state.StateWriter;
import io.summarizer.core.store.StoreView;
import io.summarizer.core.store.Summaries;
import io.summarizer.core.store.UpdateBatch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import org.HdrHistogram.Histogram;

/**
 * Measures a summary of 20 million keys: its memory, the speed of uniform updates, and the time for which a cut stops
 * the owner.
 */
final class LargeSection {
    private static final int BATCHES = 2_048;
    private static final int WARM_UPS = 4;
    private static final int ROUNDS = 11;
    private static final int THREADS = Runtime.getRuntime().availableProcessors();
    private static final int CUTS = 5_000;
    /** Number of cuts that are being read at the same time. */
    private static final int HELD = 3;

    private LargeSection() {}

    static void run(int rows) throws IOException, InterruptedException {
        Path file = Files.createTempFile("summarizer-state", ".state");
        try {
            fillAndSave(rows, file);
            load(rows, file);
        } finally {
            Files.delete(file);
        }
    }

    private static void fillAndSave(int rows, Path file) throws IOException, InterruptedException {
        Owner owner = new Owner(Updates.wide());
        long start = System.nanoTime();
        owner.fill(rows);
        double seconds = (System.nanoTime() - start) / 1e9;
        if (owner.rows() != rows) {
            throw new IllegalStateException("rows=" + owner.rows() + " instead of " + rows);
        }
        Figures.report("20m-rows", rows, "rows");
        Figures.report("20m-fill", 2.0 * rows / seconds, "updates/s, made included");
        Figures.report("20m-memory", (double) Figures.liveBytes() / rows, "bytes/key, whole heap");
        Figures.report("20m-memory-counted", (double) owner.bytesUsed() / rows, "bytes/key, by the store's count");

        UpdateBatch[] batches = owner.updates().uniform(BATCHES, rows);
        owner.report("20m-uniform", batches, WARM_UPS, ROUNDS);
        cuts(owner, batches);

        start = System.nanoTime();
        long bytes = StateWriter.write(owner.cut(), file, THREADS);
        Figures.report("20m-save", rows / ((System.nanoTime() - start) / 1e9), "rows/s");
        Figures.report("20m-file", (double) bytes / rows, "bytes/key");
    }

    private static void load(int rows, Path file) throws IOException, InterruptedException {
        Summaries loaded = Owner.empty(Updates.wide());
        long start = System.nanoTime();
        try (StateFile state = StateFile.open(file)) {
            state.addTo(loaded, THREADS);
        }
        Figures.report("20m-load", (System.nanoTime() - start) / 1e9, "s");
        long present = loaded.freeze(1, 0).summaries().get(0).rows(List.of());
        if (present != rows) {
            throw new IllegalStateException("rows=" + present + " loaded instead of " + rows);
        }
    }

    /**
     * Takes cuts one after the other. Between two cuts, applies some batches of updates, which make the store copy
     * chunks.
     */
    private static void cuts(Owner owner, UpdateBatch[] batches) {
        CutMemory memory = new CutMemory(CutMemory.defaultBudget());
        Queue<CutLease> held = new ArrayDeque<>();
        Histogram stalls = new Histogram(3);
        long allocated = 0;
        for (int i = 0; i < CUTS; i++) {
            for (int j = 0; j < 4; j++) {
                owner.apply(batches[(4 * i + j) % batches.length]);
            }
            CutLease lease = memory.lease(CutLease.Kind.READ);
            long before = Figures.allocatedBytes();
            long start = System.nanoTime();
            List<StoreView> views = owner.freeze(lease);
            stalls.recordValue(System.nanoTime() - start);
            allocated += Figures.allocatedBytes() - before;
            held.add(lease);
            if (held.size() > HELD) {
                held.remove().release();
            }
            if (views.isEmpty()) {
                throw new IllegalStateException("no views");
            }
        }
        Figures.report("20m-cut-allocated", (double) allocated / CUTS, "bytes/cut");
        Figures.report("20m-cut-stall-p50", stalls.getValueAtPercentile(50) / 1e3, "us");
        Figures.report("20m-cut-stall-p99.9", stalls.getValueAtPercentile(99.9) / 1e3, "us");
        Figures.report("20m-cut-stall-max", stalls.getMaxValue() / 1e3, "us");
    }
}
