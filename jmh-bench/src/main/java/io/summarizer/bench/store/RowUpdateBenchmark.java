package io.summarizer.bench.store;

import io.summarizer.bench.state.Owner;
import io.summarizer.bench.state.Updates;
import io.summarizer.bench.state.Zipf;
import io.summarizer.core.pipeline.UpdateApplier;
import io.summarizer.core.store.RowCode;
import io.summarizer.core.store.Summaries;
import io.summarizer.core.store.SummaryLayout;
import io.summarizer.core.store.UpdateBatch;
import io.summarizer.dsl.generate.RowSources;
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
 * Measures the row updates of one owner thread. A row has four int64 keys, perhaps a key of 40 bytes of text, a
 * sumint32 and two sumcurrency. Keys are uniform, or as skewed as those of the reference workload. {@code bin/bench
 * jmh RowUpdateBenchmark -prof gc}
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

    /** Whether keys have a text. */
    @Param({"false", "true"})
    boolean texts;

    @SuppressWarnings("NullAway.Init") // JMH calls setUp first
    private UpdateApplier owned;

    private final UpdateBatch[] batches = new UpdateBatch[BATCHES];
    private int next;

    /** Makes all rows, and about a million updates to cycle through. */
    @Setup
    public void setUp() {
        Updates updates = texts ? Updates.withTexts(multiset) : Updates.reference(multiset);
        SummaryLayout layout = updates.layout();
        RowCode.Tree code = RowSources.compile(layout);
        Summaries summaries = new Summaries(List.of(layout), List.of(code), Long.MAX_VALUE);
        owned = UpdateApplier.ofAll(summaries, Owner.STRICT);
        Random random = new Random(1);
        UpdateBatch batch = new UpdateBatch(256);
        for (int row = 0; row < rows; row++) {
            batch.clear();
            updates.append(batch, row, 0, 1L);
            owned.apply(batch);
        }
        Zipf zipf = new Zipf(rows, skew);
        for (int i = 0; i < BATCHES; i++) {
            batches[i] = new UpdateBatch(BATCH * 180);
            for (int j = 0; j < BATCH; j++) {
                updates.append(batches[i], zipf.sample(random), i, random.nextLong());
            }
        }
    }

    /** Applies a batch as owners do, in groups: prefetches the rows of a group before the first update. */
    @Benchmark
    @OperationsPerInvocation(BATCH)
    public void updateInGroups() {
        owned.apply(batches[next++ & (BATCHES - 1)]);
    }
}
