package io.summarizer.bench.store;

import io.summarizer.bench.state.Owner;
import io.summarizer.bench.state.Updates;
import io.summarizer.bench.state.Zipf;
import io.summarizer.core.bytes.Bytes;
import io.summarizer.core.pipeline.UpdateApplier;
import io.summarizer.core.store.KeyLayout;
import io.summarizer.core.store.RowCode;
import io.summarizer.core.store.Summaries;
import io.summarizer.core.store.SummaryLayout;
import io.summarizer.core.store.UpdateBatch;
import io.summarizer.core.store.UpdateRun;
import io.summarizer.dsl.generate.RowSources;
import java.util.Arrays;
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
 * Measures how one owner thread applies runs of updates with the same key. Compares the product with two alternatives,
 * which combine each run into one record before the owner gets it. A row has four int64 keys, a sumint32 and two
 * sumcurrency. Unlike {@link io.summarizer.core.store.Cells}, the alternatives do not count the single updates.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class RunsBenchmark {
    private static final int BATCH = 256;
    private static final int BATCHES = 64;
    private static final int SUMS = 3;

    /** Number of rows. At most 16,384 of them are updated, so that all updated rows fit in a cache. */
    @Param("10000")
    int rows;

    /** Number of consecutive updates of a key. */
    @Param({"1", "4", "16"})
    int run;

    @SuppressWarnings("NullAway.Init") // JMH calls setUp first
    private UpdateApplier owned;

    @SuppressWarnings("NullAway.Init") // likewise
    private UpdateBatch sums;

    /** Bytes from a record's start to its operands. */
    private int ops;

    private final UpdateBatch[] batches = new UpdateBatch[BATCHES];
    private final UpdateBatch[] combined = new UpdateBatch[BATCHES];
    private int next;

    /** Makes all rows, and the updates to cycle through. */
    @Setup
    public void setUp() {
        Updates updates = Updates.reference(false);
        SummaryLayout layout = updates.layout();
        KeyLayout keys = new KeyLayout(layout.keys());
        RowCode.Tree code = RowSources.compile(layout);
        owned = UpdateApplier.ofAll(new Summaries(List.of(layout), List.of(code), Long.MAX_VALUE), Owner.STRICT);
        ops = UpdateBatch.KEY_OFFSET + keys.fixedBytes();
        Random random = new Random(1);
        UpdateBatch batch = new UpdateBatch(BATCH);
        for (int row = 0; row < rows; row++) {
            batch.clear();
            updates.append(batch, row, 0, 0);
            owned.apply(batch);
        }
        Zipf uniform = new Zipf(rows, 0);
        sums = new UpdateBatch(BATCH * 120);
        for (int i = 0; i < BATCHES; i++) {
            batches[i] = new UpdateBatch(BATCH * 120);
            for (int j = 0; j < BATCH; j += run) {
                int row = uniform.sample(random);
                for (int k = 0; k < run; k++) {
                    updates.append(batches[i], row, i, 0);
                }
            }
            combined[i] = new UpdateBatch(BATCH * 120 / run);
            combine(batches[i], combined[i]);
            if (combined[i].records() > BATCH / run) {
                throw new IllegalStateException(combined[i].records() + " records, at most " + BATCH / run + " runs");
            }
        }
    }

    /**
     * Combines each run of {@code from} into one record with the sums of its operands, and appends the record to {@code
     * to}.
     */
    private void combine(UpdateBatch from, UpdateBatch to) {
        to.clear();
        int length = ops + SUMS * UpdateRun.OP_BYTES;
        byte[] in = from.bytes();
        byte[] out = to.reserve(from.limit());
        int written = to.limit();
        int last = -1;
        for (int at = 0, end = from.limit(); at < end; at += length) {
            if (last >= 0 && isSameRow(in, at, out, last)) {
                for (int sum = 0; sum < SUMS; sum++) {
                    int operand = ops + sum * UpdateRun.OP_BYTES + Short.BYTES;
                    Bytes.putLong(
                            out, last + operand, Bytes.getLong(out, last + operand) + Bytes.getLong(in, at + operand));
                }
            } else {
                to.beginRow();
                System.arraycopy(in, at, out, written, length);
                last = written;
                written += length;
                to.limit(written);
                to.endRow();
            }
        }
    }

    private boolean isSameRow(byte[] in, int at, byte[] out, int last) {
        return Bytes.getLong(in, at + UpdateBatch.HASH_OFFSET) == Bytes.getLong(out, last + UpdateBatch.HASH_OFFSET)
                && Arrays.equals(
                        in, at + UpdateBatch.KEY_OFFSET, at + ops, out, last + UpdateBatch.KEY_OFFSET, last + ops);
    }

    /** Applies the updates as owners do. */
    @Benchmark
    @OperationsPerInvocation(BATCH)
    public void inOwner() {
        owned.apply(batches[next++ & (BATCHES - 1)]);
    }

    /** Combines runs first. */
    @Benchmark
    @OperationsPerInvocation(BATCH)
    public void combine() {
        combine(batches[next++ & (BATCHES - 1)], sums);
        owned.apply(sums);
    }

    /**
     * Applies runs that were combined during the setup. The measured time does not include combining, so the result is
     * the largest possible gain.
     */
    @Benchmark
    @OperationsPerInvocation(BATCH)
    public void applyCombined() {
        owned.apply(combined[next++ & (BATCHES - 1)]);
    }
}
