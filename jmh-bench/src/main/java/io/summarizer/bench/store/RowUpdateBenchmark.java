package io.summarizer.bench.store;

import io.summarizer.bench.state.Zipf;
import io.summarizer.core.bytes.Bytes;
import io.summarizer.core.pipeline.UpdateApplier;
import io.summarizer.core.store.AggregateType;
import io.summarizer.core.store.KeyBuffer;
import io.summarizer.core.store.KeyLayout;
import io.summarizer.core.store.KeyType;
import io.summarizer.core.store.RowCode;
import io.summarizer.core.store.RowLimit;
import io.summarizer.core.store.Summaries;
import io.summarizer.core.store.SummaryLayout;
import io.summarizer.core.store.SummaryLayout.KeyColumn;
import io.summarizer.core.store.SummaryLayout.ValueColumn;
import io.summarizer.core.store.SummaryStore;
import io.summarizer.core.store.UpdateBatch;
import io.summarizer.dsl.generate.RowSources;
import java.util.ArrayList;
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
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Row updates of one owner thread: four int64 keys, a sumint32 and two sumcurrency, keys uniform or as skewed as those of
 * the reference workload. {@code bin/bench jmh RowUpdateBenchmark -prof gc}
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class RowUpdateBenchmark {
    private static final int BATCH = 256;
    private static final int BATCHES = 4096;

    /** Number of rows. */
    @Param({"280000"})
    int rows;

    /** Exponent of the keys' Zipf distribution; 0 is uniform. */
    @Param({"0", "1.1"})
    double skew;

    /** Whether every update also adds to a multiset. */
    @Param({"false", "true"})
    boolean multiset;

    @SuppressWarnings("NullAway.Init") // JMH calls setUp first
    private SummaryStore store;

    @SuppressWarnings("NullAway.Init") // likewise
    private UpdateApplier owned;

    private final UpdateBatch[] batches = new UpdateBatch[BATCHES];
    private int next;

    /** Makes all rows, and about a million updates to walk through again and again. */
    @Setup
    public void setUp() {
        SummaryLayout layout = layout(multiset);
        RowCode.Tree code = RowSources.compile(layout);
        store = new SummaryStore(layout, code, RowLimit.of(layout, Long.MAX_VALUE));
        Summaries summaries = new Summaries(List.of(layout), List.of(code), Long.MAX_VALUE);
        owned = UpdateApplier.ofAll(summaries, new UpdateApplier.Listener() {
            @Override
            public void refused(byte[] bytes, int record) {
                throw new IllegalStateException("no room for a row");
            }

            @Override
            public void failed(byte[] bytes, int record, RuntimeException fault) {
                throw fault;
            }
        });
        Random random = new Random(1);
        KeyBuffer key = new KeyBuffer(new KeyLayout(layout.keys()));
        UpdateBatch batch = new UpdateBatch(256);
        for (int row = 0; row < rows; row++) {
            batch.clear();
            append(batch, key, row, 0, 1L);
            store.apply(batch.bytes(), 0);
            owned.apply(batch);
        }
        Zipf zipf = new Zipf(rows, skew);
        for (int i = 0; i < BATCHES; i++) {
            batches[i] = new UpdateBatch(BATCH * 120);
            for (int j = 0; j < BATCH; j++) {
                append(batches[i], key, zipf.sample(random), i, random.nextLong());
            }
        }
    }

    /** The reference workload, as far as its sums go: with or without a multiset beside them. */
    static SummaryLayout layout(boolean multiset) {
        List<KeyColumn> keys = new ArrayList<>();
        for (int i = 1; i <= 4; i++) {
            keys.add(new KeyColumn("k" + i, i, KeyType.INT64));
        }
        List<ValueColumn> values = new ArrayList<>();
        values.add(new ValueColumn("impressions", 1, AggregateType.SUMINT32, 0, 0));
        values.add(new ValueColumn("media_cost", 2, AggregateType.SUMCURRENCY, 0, 0));
        values.add(new ValueColumn("data_cost", 3, AggregateType.SUMCURRENCY, 0, 0));
        if (multiset) {
            values.add(new ValueColumn("users", 4, AggregateType.MULTISET64, 11, 5));
        }
        return new SummaryLayout("Campaigns", 0, keys, values, List.of());
    }

    private void append(UpdateBatch batch, KeyBuffer key, int row, long stamp, long user) {
        begin(batch, key, row, stamp);
        if (multiset) {
            batch.addLong(3, user);
        }
        batch.endRow();
    }

    /** Begins an update of a row, and adds what the sums get. */
    static void begin(UpdateBatch batch, KeyBuffer key, int row, long stamp) {
        key.reset();
        key.setLong(0, row % 200);
        key.setLong(1, row / 200 % 150);
        key.setLong(2, row % 1_000);
        key.setLong(3, row);
        batch.beginRow(0, key, key.hash(), stamp);
        batch.addLong(0, 1);
        batch.addLong(1, 4_219);
        batch.addLong(2, 312);
    }

    /** Applies a batch record by record. */
    @Benchmark
    @OperationsPerInvocation(BATCH)
    public long update() {
        UpdateBatch batch = batches[next++ & (BATCHES - 1)];
        byte[] bytes = batch.bytes();
        for (int at = 0, end = batch.limit(); at < end; at += Bytes.getInt(bytes, at)) {
            store.apply(bytes, at);
        }
        return store.updates();
    }

    /** Applies a batch as owners do: in groups, whose rows are touched before the first is updated. */
    @Benchmark
    @OperationsPerInvocation(BATCH)
    public void updateInGroups() {
        owned.apply(batches[next++ & (BATCHES - 1)]);
    }
}
