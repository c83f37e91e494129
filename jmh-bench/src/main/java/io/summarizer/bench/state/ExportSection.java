package io.summarizer.bench.state;

import io.summarizer.bench.report.Figures;
import io.summarizer.bench.report.Numbers;
import io.summarizer.core.export.CsvExporter;
import io.summarizer.core.export.CsvQuery;
import io.summarizer.core.export.CsvQueryException;
import io.summarizer.core.snapshot.CutLease;
import io.summarizer.core.snapshot.CutMemory;
import io.summarizer.core.store.StoreView;
import io.summarizer.core.store.SummaryView;
import io.summarizer.core.store.UpdateBatch;
import io.summarizer.dsl.export.CsvQueryCompiler;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * Measures full exports of 10 million rows, alone and while an owner updates these rows as fast as it can. The output
 * is discarded.
 */
final class ExportSection {
    private static final int BATCHES = 2_048;
    private static final int ROUNDS = 5;
    private static final int ALONE = 5;

    private ExportSection() {}

    static void run(int rows) throws IOException, InterruptedException, ExecutionException {
        Owner owner = new Owner(Updates.reference(true));
        owner.fill(rows);
        UpdateBatch[] batches = owner.updates().uniform(BATCHES, rows);
        CutMemory memory = new CutMemory(CutMemory.defaultBudget());

        double[] alone = new double[ALONE];
        for (int i = 0; i < ALONE; i++) {
            alone[i] = rows / (export(owner, memory) / 1e9);
        }
        Figures.report("export-alone", Numbers.median(alone), "rows/s");

        for (int i = 0; i < 3; i++) {
            owner.timed(batches);
        }
        double[] share = new double[ROUNDS];
        double[] undisturbed = new double[ROUNDS];
        double[] exported = new double[ROUNDS];
        for (int round = 0; round < ROUNDS; round++) {
            undisturbed[round] = owner.rates(batches, 1, null).perSecond();
            CutLease lease = memory.lease(CutLease.Kind.READ);
            List<StoreView> views = owner.freeze(lease);
            FutureTask<Long> export = new FutureTask<>(() -> write(owner, views, lease));
            new Thread(export).start();
            share[round] = owner.rates(batches, 1, export).perSecond() / undisturbed[round];
            exported[round] = rows / (export.get() / 1e9);
        }
        Figures.report("export-updates-without", Numbers.median(undisturbed), "updates/s");
        Figures.report("export-updates-share", 100 * Numbers.median(share), "% of those without");
        Figures.report("export-beside-updates", Numbers.median(exported), "rows/s");
        Figures.report("export-chunk-copies", (double) memory.copies(), "chunks");
        Figures.report("export-cuts-revoked", (double) memory.revoked(), "cuts");
    }

    private static long export(Owner owner, CutMemory memory) throws IOException {
        CutLease lease = memory.lease(CutLease.Kind.READ);
        return write(owner, owner.freeze(lease), lease);
    }

    private static long write(Owner owner, List<StoreView> views, CutLease lease) throws IOException {
        try {
            SummaryView view = new SummaryView(owner.updates().layout(), views, 0);
            CsvExporter exporter =
                    CsvExporter.of(view, List.of(), CsvQuery.ALL, CsvQueryCompiler.of(List.of(view.layout())));
            long start = System.nanoTime();
            exporter.writeTo((bytes, offset, length) -> {});
            return System.nanoTime() - start;
        } catch (CsvQueryException e) {
            throw new IllegalStateException(e);
        } finally {
            lease.release();
        }
    }
}
