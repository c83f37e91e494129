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
import java.nio.charset.StandardCharsets;
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
 * Measures how fast one thread groups a million rows in memory into 1,000 groups. A row has three keys, a count, a sum
 * and a maximum. The score is in rows per second.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class RollupBenchmark {
    private static final int ROWS = 1_000_000;
    private static final int GROUPS = 1_000;

    /** The key to group by: {@code id} is an int64, {@code host} a string. */
    @Param({"id", "host"})
    String by = "";

    /** The number of users in the multiset of a row; without users, there is no multiset. */
    @Param({"0", "3"})
    int users;

    @SuppressWarnings("NullAway.Init") // JMH calls setUp first
    private CsvExporter exporter;

    /** Makes the rows. */
    @Setup
    public void setUp() throws CsvQueryException {
        List<ValueColumn> values = new ArrayList<>(List.of(
                new ValueColumn("requests", 1, AggregateType.COUNT, 0, 0),
                new ValueColumn("bytes", 2, AggregateType.SUMINT64, 0, 0),
                new ValueColumn("slowest", 3, AggregateType.MAXINT64, 0, 0)));
        if (users > 0) {
            values.add(new ValueColumn("users", 4, AggregateType.MULTISET64, 11, 5));
        }
        SummaryLayout layout = new SummaryLayout(
                "Requests",
                0,
                List.of(
                        new KeyColumn("row", 1, KeyType.INT64),
                        new KeyColumn("id", 2, KeyType.INT64),
                        new KeyColumn("host", 3, KeyType.STRING)),
                values,
                List.of());
        SummaryStore store = new SummaryStore(layout, RowSources.compile(layout), RowLimit.of(layout, Long.MAX_VALUE));
        KeyBuffer key = new KeyBuffer(new KeyLayout(layout.keys()));
        UpdateBatch batch = new UpdateBatch(256);
        Random random = new Random(1);
        for (int row = 0; row < ROWS; row++) {
            int group = random.nextInt(GROUPS);
            byte[] host = ("web" + group + ".example.com").getBytes(StandardCharsets.UTF_8);
            key.reset();
            key.setLong(0, row);
            key.setLong(1, group);
            key.setString(2, host, 0, host.length);
            batch.clear();
            batch.beginRow(0, key, key.hash(), row);
            batch.addLong(0, 1);
            batch.addLong(1, random.nextInt(1_000_000));
            batch.addLong(2, random.nextInt(1_000_000));
            for (int user = 0; user < users; user++) {
                batch.addLong(3, random.nextLong());
            }
            batch.endRow();
            store.apply(batch.bytes(), 0);
        }
        SummaryView view = new SummaryView(layout, List.of(store.freeze()), ROWS);
        exporter =
                CsvExporter.of(view, List.of(), CsvQuery.parse(Map.of("by", by)), CsvQueryCompiler.of(List.of(layout)));
    }

    /** Groups the rows, and writes the groups to nowhere. */
    @Benchmark
    @OperationsPerInvocation(ROWS)
    public long groups() throws IOException, CsvQueryException {
        return exporter.writeTo((bytes, offset, length) -> {});
    }
}
