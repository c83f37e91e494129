package io.summarizer.bench.store;

import io.summarizer.core.archive.WindowFolder;
import io.summarizer.core.disk.FileDisk;
import io.summarizer.core.export.CsvExporter;
import io.summarizer.core.export.CsvQuery;
import io.summarizer.core.export.CsvQueryException;
import io.summarizer.core.store.AggregateType;
import io.summarizer.core.store.ClosedWindows;
import io.summarizer.core.store.Cut;
import io.summarizer.core.store.KeyBuffer;
import io.summarizer.core.store.KeyLayout;
import io.summarizer.core.store.KeyType;
import io.summarizer.core.store.Partitions;
import io.summarizer.core.store.Summaries;
import io.summarizer.core.store.SummaryLayout;
import io.summarizer.core.store.SummaryLayout.KeyColumn;
import io.summarizer.core.store.SummaryLayout.ValueColumn;
import io.summarizer.core.store.SummaryLimit;
import io.summarizer.core.store.SummaryView;
import io.summarizer.core.store.SummaryWindow;
import io.summarizer.core.store.UpdateBatch;
import io.summarizer.core.time.CalendarUnit;
import io.summarizer.dsl.export.CsvQueryCompiler;
import io.summarizer.dsl.generate.RowSources;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Measures a million rows in ten closed windows: how fast one thread groups them into 1,000 groups from their files or
 * writes them as CSV, and how fast {@code threads} threads write and read back the files. A row has four keys, a count,
 * a sum and a maximum. The score is in rows per second.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class WindowFileBenchmark {
    private static final int ROWS = 1_000_000;
    private static final int GROUPS = 1_000;
    private static final int WINDOWS = 10;
    private static final long MINUTE = 60_000_000;

    /** Number of threads that write a file. */
    @Param({"1"})
    int threads;

    @SuppressWarnings("NullAway.Init") // JMH calls setUp first
    private Path path;

    @SuppressWarnings("NullAway.Init")
    private Cut cut;

    @SuppressWarnings("NullAway.Init")
    private WindowFolder folder;

    @SuppressWarnings("NullAway.Init")
    private CsvExporter groups;

    @SuppressWarnings("NullAway.Init")
    private CsvExporter all;

    /** Makes the rows and the files. */
    @Setup
    public void setUp() throws IOException, InterruptedException, CsvQueryException {
        SummaryLayout layout = new SummaryLayout(
                "Requests",
                0,
                List.of(
                        new KeyColumn("minute", 4, KeyType.TIMESTAMP),
                        new KeyColumn("row", 1, KeyType.INT64),
                        new KeyColumn("id", 2, KeyType.INT64),
                        new KeyColumn("host", 3, KeyType.STRING)),
                List.of(
                        new ValueColumn("requests", 1, AggregateType.COUNT, 0, 0),
                        new ValueColumn("bytes", 2, AggregateType.SUMINT64, 0, 0),
                        new ValueColumn("slowest", 3, AggregateType.MAXINT64, 0, 0)),
                List.of(),
                SummaryLimit.DEFAULT,
                new SummaryWindow(0, 1, CalendarUnit.MINUTE, ZoneOffset.UTC));
        Summaries rows = new Summaries(List.of(layout), List.of(RowSources.compile(layout)), Long.MAX_VALUE);
        KeyBuffer key = new KeyBuffer(new KeyLayout(layout.keys()));
        UpdateBatch batch = new UpdateBatch(256);
        Random random = new Random(1);
        for (int row = 0; row < ROWS; row++) {
            int group = random.nextInt(GROUPS);
            byte[] host = ("web" + group + ".example.com").getBytes(StandardCharsets.UTF_8);
            key.reset();
            key.setLong(0, row % WINDOWS * MINUTE);
            key.setLong(1, row);
            key.setLong(2, group);
            key.setString(3, host, 0, host.length);
            batch.clear();
            batch.beginRow(0, key, key.hash(), row);
            batch.addLong(0, 1);
            batch.addLong(1, random.nextInt(1_000_000));
            batch.addLong(2, random.nextInt(1_000_000));
            batch.endRow();
            Objects.requireNonNull(rows.partition(0, Partitions.of(key.hash())).storeOf(batch.bytes(), 0))
                    .apply(batch.bytes(), 0);
        }
        cut = rows.freeze(1, 1);
        path = Files.createTempDirectory("windows");
        folder = WindowFolder.open(new FileDisk(path), "Requests", threads, note -> {});
        writeFiles();
        SummaryView view = new SummaryView(
                layout,
                List.of(),
                ROWS,
                new ClosedWindows(ClosedWindows.NO_BOUNDARY, folder.acquire().windows()));
        CsvQueryCompiler compiler = CsvQueryCompiler.of(List.of(layout));
        groups = CsvExporter.of(view, List.of(), CsvQuery.parse(Map.of("by", "id")), compiler);
        all = CsvExporter.of(view, List.of(), CsvQuery.ALL, compiler);
    }

    /** Deletes the files. */
    @TearDown(Level.Trial)
    public void tearDown() throws IOException {
        try (Stream<Path> files = Files.walk(path)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    private void writeFiles() throws IOException, InterruptedException {
        for (long window = 0; window < WINDOWS; window++) {
            var unused = folder.write(cut, window * MINUTE, (window + 1) * MINUTE);
        }
    }

    /** Groups the rows of all files, and writes the groups to nowhere. */
    @Benchmark
    @OperationsPerInvocation(ROWS)
    public long groups() throws IOException, CsvQueryException {
        return groups.writeTo((bytes, offset, length) -> {});
    }

    /** Writes the rows of all files as CSV to nowhere. */
    @Benchmark
    @OperationsPerInvocation(ROWS)
    public long csv() throws IOException, CsvQueryException {
        return all.writeTo((bytes, offset, length) -> {});
    }

    /** Writes all files, forces them to the disk and reads them back. */
    @Benchmark
    @OperationsPerInvocation(ROWS)
    public void write() throws IOException, InterruptedException {
        writeFiles();
    }
}
