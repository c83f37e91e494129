package io.summarizer.bench.state;

import io.summarizer.bench.report.Figures;
import io.summarizer.core.archive.WindowFolder;
import io.summarizer.core.archive.WindowList;
import io.summarizer.core.disk.FileDisk;
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
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/** Measures a folder of 1,000 closed windows with few rows each: the heap that it takes, and pulls of one window. */
final class WindowPullSection {
    private static final int WINDOWS = 1_000;
    /** Number of windows that are in memory together. At most 256 are allowed. */
    private static final int IN_MEMORY = 100;

    private static final int ROWS = 100;
    private static final int PULLS = 1_000;

    private WindowPullSection() {}

    static void run() throws IOException, InterruptedException, CsvQueryException {
        try (TemporaryFolder temporary = TemporaryFolder.create("summarizer-windows")) {
            Path path = temporary.path();
            write(path);
            WindowFolder first = open(path); // loads the classes
            Figures.keep(first);
            long before = Figures.liveBytes();
            long start = System.nanoTime();
            WindowFolder folder = open(path);
            Figures.report("pull-folder-open", (System.nanoTime() - start) / 1e6, "ms");
            Figures.report("pull-heap", (double) (Figures.liveBytes() - before) / WINDOWS, "bytes/closed window");
            if (folder.current().windows().size() != WINDOWS) {
                throw new IllegalStateException(
                        "windows=" + folder.current().windows().size());
            }
            pull(folder);
            Figures.keep(folder);
        }
    }

    static WindowFolder open(Path path) throws IOException {
        return WindowFolder.open(new FileDisk(path), "Campaigns", 1, System.out::println);
    }

    private static void write(Path path) throws IOException, InterruptedException {
        WindowFolder folder = open(path);
        for (long first = 0; first < WINDOWS; first += IN_MEMORY) {
            Owner owner = new Owner(Updates.windowed());
            for (long window = first; window < first + IN_MEMORY; window++) {
                owner.updates().window(window * Updates.HOUR);
                owner.fill(ROWS);
            }
            Cut cut = owner.cut();
            for (long window = first; window < first + IN_MEMORY; window++) {
                var unused = folder.write(cut, window * Updates.HOUR, (window + 1) * Updates.HOUR);
            }
        }
    }

    private static void pull(WindowFolder folder) throws IOException, CsvQueryException {
        CsvQueryCompiler compiler =
                CsvQueryCompiler.of(List.of(Updates.windowed().layout()));
        Histogram times = new Histogram(3);
        double first = 0;
        for (int pull = 0; pull < PULLS; pull++) {
            long from = pull * 7L % WINDOWS * Updates.HOUR;
            long start = System.nanoTime();
            String csv = pull(folder, compiler, from);
            long nanos = System.nanoTime() - start;
            if (csv.lines().count() != ROWS + 1) {
                throw new IllegalStateException("rows=" + (csv.lines().count() - 1) + " instead of " + ROWS);
            }
            if (pull == 0) {
                first = nanos / 1e6;
            } else {
                times.recordValue(nanos);
            }
        }
        Figures.report("pull-first", first, "ms, query compiled");
        Figures.report("pull-p50", times.getValueAtPercentile(50) / 1e6, "ms");
        Figures.report("pull-p99", times.getValueAtPercentile(99) / 1e6, "ms");
        Figures.report("pull-max", times.getMaxValue() / 1e6, "ms");
    }

    /** Pulls the window that begins at {@code from}, as the service does. */
    private static String pull(WindowFolder folder, CsvQueryCompiler compiler, long from)
            throws IOException, CsvQueryException {
        WindowList list = folder.acquire();
        try {
            SummaryView view = new SummaryView(
                    Updates.windowed().layout(),
                    List.of(),
                    0,
                    new ClosedWindows(WINDOWS * Updates.HOUR, list.windows()));
            CsvQuery query = CsvQuery.parse(Map.of("from", time(from), "until", time(from + Updates.HOUR)));
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            CsvExporter.of(view, List.of(), query, compiler).writeTo(out);
            return out.toString(StandardCharsets.UTF_8);
        } finally {
            folder.release(list);
        }
    }

    private static String time(long micros) {
        return Instant.ofEpochSecond(micros / 1_000_000).toString();
    }
}
