package io.summarizer.bench.store;

import io.summarizer.core.bytes.ByteAccount;
import io.summarizer.core.bytes.Bytes;
import io.summarizer.core.snapshot.ChunkedBytes;
import io.summarizer.core.snapshot.CutLease;
import io.summarizer.core.snapshot.CutMemory;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Cost of cuts for the owner of a table: a freeze, the first write after one, and uniform writes while a cut is taken
 * each second and held until the next. {@code bin/bench jmh CutBenchmark}
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class CutBenchmark {
    private static final int SMALL_CHUNK = 64;
    private static final int WRITTEN_CHUNKS = 10_000;

    /** A table of so many chunks; small ones, because a freeze does not read them. */
    @State(Scope.Thread)
    public static class Frozen {
        /** Chunks of the table. */
        @Param({"10000", "100000"})
        int chunks;

        private final CutMemory memory = new CutMemory(1 << 30);
        private final ChunkedBytes table = new ChunkedBytes(SMALL_CHUNK, ByteAccount.unbounded());
        private final SplittableRandom random = new SplittableRandom(1);

        /** Fills the table. */
        @Setup
        public void setUp() {
            for (int i = 0; i < chunks; i++) {
                table.append();
            }
        }
    }

    /** A table of 160 MB. */
    @State(Scope.Thread)
    public static class Written {
        /** Whether a cut is taken each second. */
        @Param({"false", "true"})
        boolean cuts;

        private final CutMemory memory = new CutMemory(1 << 30);
        private final ChunkedBytes table = new ChunkedBytes();
        private final SplittableRandom random = new SplittableRandom(1);
        private CutLease held = memory.lease(CutLease.Kind.READ);
        private long nextCut = System.nanoTime();
        private int writes;

        /** Fills the table. */
        @Setup
        public void setUp() {
            for (int i = 0; i < WRITTEN_CHUNKS; i++) {
                table.append();
            }
        }

        private ChunkedBytes.Frozen cut() {
            held.release();
            held = memory.lease(CutLease.Kind.READ);
            nextCut = System.nanoTime() + TimeUnit.SECONDS.toNanos(1);
            return table.freeze(held);
        }
    }

    /** A freeze under a lease that then ends. */
    @Benchmark
    public ChunkedBytes.Frozen freeze(Frozen state) {
        CutLease lease = state.memory.lease(CutLease.Kind.READ);
        ChunkedBytes.Frozen view = state.table.freeze(lease);
        lease.release();
        return view;
    }

    /** A freeze and the first write after it, which copies the root, a leaf and a chunk. */
    @Benchmark
    public byte[] freezeAndWrite(Frozen state) {
        CutLease lease = state.memory.lease(CutLease.Kind.READ);
        var unused = state.table.freeze(lease);
        byte[] chunk = state.table.writable(state.random.nextInt(state.chunks));
        chunk[0]++;
        lease.release();
        return chunk;
    }

    /** A write to any of 10,000 chunks of 16 KiB. */
    @Benchmark
    public long write(Written state) {
        if (state.cuts && (++state.writes & 1023) == 0 && System.nanoTime() - state.nextCut > 0) {
            var unused = state.cut();
        }
        int at = state.random.nextInt(ChunkedBytes.CHUNK_BYTES / 8) * 8;
        byte[] chunk = state.table.writable(state.random.nextInt(WRITTEN_CHUNKS));
        long value = Bytes.getLong(chunk, at) + 1;
        Bytes.putLong(chunk, at, value);
        return value;
    }
}
