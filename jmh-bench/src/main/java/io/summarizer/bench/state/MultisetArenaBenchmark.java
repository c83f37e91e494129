package io.summarizer.bench.state;

import io.summarizer.core.sketch.MultisetArena;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Measures the time of an add to a {@code multiset64} that has registers, with the cheapest possible hash function.
 * {@code bin/bench jmh MultisetArenaBenchmark -prof gc}; {@code bin/bench state --sections multisets} measures sets of
 * all sizes.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class MultisetArenaBenchmark {
    private final MultisetArena arena = new MultisetArena(11, 5);
    private int handle;
    private long next;

    /** Fills the registers. */
    @Setup
    public void fill() {
        while (next < 100_000) {
            handle = arena.add(handle, Updates.scatter(next++));
        }
    }

    /** Adds a new value. */
    @Benchmark
    public int addToFull() {
        return arena.add(handle, Updates.scatter(next++));
    }
}
