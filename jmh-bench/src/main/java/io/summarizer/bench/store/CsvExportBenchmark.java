package io.summarizer.bench.store;

import io.summarizer.core.export.CsvExporter;
import io.summarizer.core.export.CsvQuery;
import io.summarizer.core.export.CsvQueryException;
import io.summarizer.core.store.AggregateType;
import io.summarizer.core.store.KeyBuffer;
import io.summarizer.core.store.KeyLayout;
import io.summarizer.core.store.KeyType;
import io.summarizer.core.store.RowLimit;
import io.summarizer.core.store.SummaryLayout;
import io.summarizer.core.store.SummaryLayout.KeyColumn;
import io.summarizer.core.store.SummaryLayout.ValueColumn;
import io.summarizer.core.store.SummaryStore;
import io.summarizer.core.store.SummaryView;
import io.summarizer.core.store.UpdateBatch;
import io.summarizer.dsl.export.CsvQueryCompiler;
import io.summarizer.dsl.generate.RowSources;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Rows per second that one thread writes as CSV, to nowhere: four int64 keys, two sumint32, a sumcurrency, a sumdouble
 * and a timestamp; {@code texts} adds a string key. {@code query}: all of them, two columns, those of a selective
 * condition, the first hundred by a value. {@code bin/bench jmh CsvExportBenchmark -prof gc}
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class CsvExportBenchmark {
    private static final int ROWS = 100_000;

    /** The query. */
    @Param({"all", "columns", "where", "top"})
    @SuppressWarnings("NullAway.Init") // JMH sets it
    String query;

    /** Whether the key has a string. */
    @Param({"false", "true"})
    boolean texts;

    @SuppressWarnings("NullAway.Init") // JMH calls setUp first
    private CsvExporter exporter;

    /** Makes the rows. */
    @Setup
    public void setUp() throws CsvQueryException {
        List<KeyColumn> keys = new ArrayList<>();
        for (String name : List.of("a", "b", "c", "d")) {
            keys.add(new KeyColumn(name, keys.size() + 1, KeyType.INT64));
        }
        if (texts) {
            keys.add(new KeyColumn("host", 5, KeyType.STRING));
        }
        SummaryLayout layout = new SummaryLayout(
                "Export",
                0,
                keys,
                List.of(
                        new ValueColumn("count", 1, AggregateType.SUMINT32, 0, 0),
                        new ValueColumn("clicks", 2, AggregateType.SUMINT32, 0, 0),
                        new ValueColumn("cost", 3, AggregateType.SUMCURRENCY, 0, 0),
                        new ValueColumn("seconds", 4, AggregateType.SUMDOUBLE, 0, 0),
                        new ValueColumn("latest", 5, AggregateType.MAXTIMESTAMP, 0, 0)),
                List.of());
        SummaryStore store = new SummaryStore(layout, RowSources.compile(layout), RowLimit.of(layout, Long.MAX_VALUE));
        Random random = new Random(1);
        KeyBuffer key = new KeyBuffer(new KeyLayout(layout.keys()));
        UpdateBatch batch = new UpdateBatch(256);
        byte[] host = {'w', 'e', 'b', '0', '3'};
        for (int row = 0; row < ROWS; row++) {
            key.reset();
            key.setLong(0, row);
            key.setLong(1, random.nextInt(1_000_000));
            key.setLong(2, random.nextInt(50_000));
            key.setLong(3, random.nextInt(100));
            if (texts) {
                key.setString(4, host, 0, host.length);
            }
            batch.clear();
            batch.beginRow(0, key, key.hash(), row);
            batch.addLong(0, random.nextInt(10_000));
            batch.addLong(1, random.nextInt(100));
            batch.addLong(2, random.nextInt(1_000_000_000));
            batch.addDouble(3, random.nextInt(1_000_000) / 1_000.0);
            batch.addLong(4, 1_795_132_800_000_000L + random.nextInt());
            batch.endRow();
            store.apply(batch.bytes(), 0);
        }
        exporter = CsvExporter.of(
                new SummaryView(layout, List.of(store.freeze()), 0),
                List.of(),
                CsvQuery.parse(parameters()),
                CsvQueryCompiler.of(List.of()));
    }

    private Map<String, String> parameters() {
        return switch (query) {
            case "all" -> Map.of();
            case "columns" -> Map.of("columns", "b,cost");
            case "where" -> Map.of("where", "clicks == 7 and cost > 100");
            case "top" -> Map.of("order_by", "cost desc", "limit", "100");
            default -> throw new IllegalArgumentException(query);
        };
    }

    /** Writes the result of the query; the figure is per row of the table. */
    @Benchmark
    @OperationsPerInvocation(ROWS)
    public long export() throws IOException, CsvQueryException {
        return exporter.writeTo((bytes, offset, length) -> {});
    }
}
