package io.summarizer.bench.store;

import io.summarizer.core.export.CsvExporter;
import io.summarizer.core.store.AggregateType;
import io.summarizer.core.store.KeyBuffer;
import io.summarizer.core.store.KeyLayout;
import io.summarizer.core.store.KeyType;
import io.summarizer.core.store.RowLimit;
import io.summarizer.core.store.SummaryLayout;
import io.summarizer.core.store.SummaryLayout.KeyColumn;
import io.summarizer.core.store.SummaryLayout.ValueColumn;
import io.summarizer.core.store.SummaryStore;
import io.summarizer.core.store.UpdateBatch;
import io.summarizer.dsl.generate.RowSources;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Rows a second that one thread writes as CSV, to nowhere: two int64 keys and a string, a sumint32, a sumcurrency, a
 * sumdouble and a timestamp. {@code bin/bench jmh CsvExportBenchmark -prof gc}
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class CsvExportBenchmark {
    private static final int ROWS = 100_000;

    @SuppressWarnings("NullAway.Init") // JMH calls setUp first
    private CsvExporter exporter;

    /** Makes the rows. */
    @Setup
    public void setUp() {
        SummaryLayout layout = new SummaryLayout(
                "Export",
                0,
                List.of(
                        new KeyColumn("a", 1, KeyType.INT64),
                        new KeyColumn("b", 2, KeyType.INT64),
                        new KeyColumn("host", 3, KeyType.STRING)),
                List.of(
                        new ValueColumn("count", 1, AggregateType.SUMINT32, 0, 0),
                        new ValueColumn("cost", 2, AggregateType.SUMCURRENCY, 0, 0),
                        new ValueColumn("seconds", 3, AggregateType.SUMDOUBLE, 0, 0),
                        new ValueColumn("latest", 4, AggregateType.MAXTIMESTAMP, 0, 0)),
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
            key.setString(2, host, 0, host.length);
            batch.clear();
            batch.beginRow(0, key, key.hash(), row);
            batch.addLong(0, random.nextInt(10_000));
            batch.addLong(1, random.nextInt(1_000_000_000));
            batch.addDouble(2, random.nextDouble() * 1_000);
            batch.addLong(3, 1_795_132_800_000_000L + random.nextInt());
            batch.endRow();
            store.apply(batch.bytes(), 0);
        }
        exporter = new CsvExporter(layout, List.of(store.freeze()), List.of());
    }

    /** Writes all rows; counted by the row. */
    @Benchmark
    @OperationsPerInvocation(ROWS)
    public long export() throws IOException {
        return exporter.writeTo((bytes, offset, length) -> {});
    }
}
