package io.summarizer.bench.state;

import io.summarizer.bench.report.Figures;
import io.summarizer.bench.report.Numbers;
import io.summarizer.core.archive.WindowFolder;
import io.summarizer.core.archive.WindowList;
import io.summarizer.core.export.CsvExporter;
import io.summarizer.core.export.CsvQuery;
import io.summarizer.core.export.CsvQueryException;
import io.summarizer.core.store.ClosedWindows;
import io.summarizer.core.store.Cut;
import io.summarizer.core.store.SummaryView;
import io.summarizer.dsl.export.CsvQueryCompiler;
import io.summarizer.server.demo.TemporaryFolder;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/**
 * Measures pulls that combine rows into 1,000 groups. The pulls read rows in memory without a multiset, rows in memory
 * with a multiset, and the rows of a window's file.
 */
final class RollupSection {
    private static final int GROUPS = 1_000;
    private static final int WARM_UPS = 3;
    private static final int ROUNDS = 5;

    private RollupSection() {}

    static void run(int rows) throws IOException, InterruptedException, CsvQueryException {
        Cut windowed = filled(Updates.windowed(), rows);
        SummaryView view = windowed.summaries().get(0);
        report("rollup-memory", view, rows);
        try (TemporaryFolder temporary = TemporaryFolder.create("summarizer-windows")) {
            WindowFolder folder = WindowPullSection.open(temporary.path());
            var unused = folder.write(windowed, 0, Updates.HOUR);
            WindowList list = folder.acquire();
            report(
                    "rollup-files",
                    new SummaryView(view.layout(), List.of(), 0, new ClosedWindows(Updates.HOUR, list.windows())),
                    rows);
            folder.release(list);
        }
        report(
                "rollup-multiset",
                filled(Updates.reference(true), rows).summaries().get(0),
                rows);
    }

    private static Cut filled(Updates updates, int rows) {
        Owner owner = new Owner(updates);
        owner.fill(rows);
        return owner.cut();
    }

    private static void report(String name, SummaryView view, int rows) throws IOException, CsvQueryException {
        CsvQueryCompiler compiler = CsvQueryCompiler.of(List.of(view.layout()));
        CsvQuery query = CsvQuery.parse(Map.of("by", "creative_id"));
        double[] perSecond = new double[ROUNDS];
        for (int round = -WARM_UPS; round < ROUNDS; round++) {
            long start = System.nanoTime();
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            CsvExporter.of(view, List.of(), query, compiler).writeTo(out);
            long nanos = System.nanoTime() - start;
            long groups = out.toString(StandardCharsets.UTF_8).lines().count() - 1;
            if (groups != GROUPS) {
                throw new IllegalStateException("groups=" + groups);
            }
            if (round >= 0) {
                perSecond[round] = rows / (nanos / 1e9);
            }
        }
        Figures.report(name, Numbers.median(perSecond), "rows/s");
    }
}
