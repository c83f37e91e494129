package io.summarizer.bench.sketch;

import io.summarizer.core.sketch.MultisetArena;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Nanoseconds per add to a {@code multiset64}, with the cheapest possible hash function. {@code bin/bench jmh
 * MultisetArenaBenchmark -prof gc}; a million sets need {@code -jvmArgsAppend -Xmx2g}. Prints the bytes that a set
 * takes.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class MultisetArenaBenchmark {
    private static final int SETS = 1_000_000;
    private static final int GROUP = 32;

    /**
     * Sets of all sizes that start empty and get their values in random order; once all sets are complete, all start
     * again.
     */
    @State(Scope.Thread)
    public static class Growing {
        private final ReferenceSets reference = new ReferenceSets(SETS, 1);
        private final int[] handles = new int[SETS];
        private MultisetArena arena = new MultisetArena(11, 5);
        private int next;

        /** Starts over after the last value. */
        void restart() {
            Arrays.fill(handles, 0);
            arena = new MultisetArena(11, 5);
            next = 0;
        }
    }

    /** Sets of all sizes that have all their values. */
    @State(Scope.Thread)
    public static class Grown {
        private final ReferenceSets reference = new ReferenceSets(SETS, 1);
        private final int[] handles = new int[SETS];
        private final MultisetArena arena = new MultisetArena(11, 5);
        private final int[] group = new int[GROUP];
        private final long[] places = new long[GROUP];
        private MultisetArena.View view = arena.freeze();
        private long next;

        /** Adds all values. */
        @Setup(Level.Trial)
        public void fill() {
            for (int value = 0; value < reference.values(); value++) {
                int set = reference.set(value);
                handles[set] = arena.add(handles[set], ReferenceSets.hash(value));
            }
            view = arena.freeze();
        }

        /** Prints the size of the sets. */
        @TearDown(Level.Trial)
        public void report() {
            System.out.printf(
                    "%nbytes a set, handle included: %.2f (values=%d)%n",
                    4 + (double) arena.bytesUsed() / SETS, reference.values());
        }

        /** Returns a value in an order that no cache predicts. */
        int nextValue() {
            return (int) (((ReferenceSets.hash(next++) >>> 32) * reference.values()) >>> 32);
        }

        /** Returns a set in an order that no cache predicts. */
        int nextSet() {
            return (int) (((ReferenceSets.hash(next++) >>> 32) * SETS) >>> 32);
        }
    }

    /** One set with registers. */
    @State(Scope.Thread)
    public static class Full {
        private final MultisetArena arena = new MultisetArena(11, 5);
        private MultisetArena.View view = arena.freeze();
        private int handle;
        private long next;

        /** Fills the registers. */
        @Setup(Level.Trial)
        public void fill() {
            while (next < 100_000) {
                handle = arena.add(handle, ReferenceSets.hash(next++));
            }
            view = arena.freeze();
        }
    }

    /** Adds one value to a set that is growing to its size, transitions between states included. */
    @Benchmark
    public int addWhileGrowing(Growing state) {
        if (state.next == state.reference.values()) {
            state.restart();
        }
        int value = state.next++;
        int set = state.reference.set(value);
        int handle = state.arena.add(state.handles[set], ReferenceSets.hash(value));
        state.handles[set] = handle;
        return handle;
    }

    /** Adds a value that its set has already: every value is equally likely, so large sets are hit more often. */
    @Benchmark
    public int addAgain(Grown state) {
        int value = state.nextValue();
        int set = state.reference.set(value);
        int handle = state.arena.add(state.handles[set], ReferenceSets.hash(value));
        state.handles[set] = handle;
        return handle;
    }

    /** Adds like {@link #addAgain}, in groups whose sets are all prefetched before the first add, as in an owner. */
    @Benchmark
    @OperationsPerInvocation(GROUP)
    public int prefetchAndAddAgain(Grown state) {
        int prefetched = 0;
        for (int i = 0; i < GROUP; i++) {
            state.group[i] = state.nextValue();
        }
        for (int value : state.group) {
            prefetched += state.handles[state.reference.set(value)];
        }
        for (int i = 0; i < GROUP; i++) {
            state.places[i] = state.arena.placeOf(state.handles[state.reference.set(state.group[i])]);
        }
        for (long place : state.places) {
            if (place != MultisetArena.NO_PLACE) {
                prefetched += state.arena.prefetch(place);
            }
        }
        for (int value : state.group) {
            int set = state.reference.set(value);
            state.handles[set] = state.arena.add(state.handles[set], ReferenceSets.hash(value));
        }
        return prefetched;
    }

    /** Adds a new value to a set that has registers. */
    @Benchmark
    public int addToFull(Full state) {
        return state.arena.add(state.handle, ReferenceSets.hash(state.next++));
    }

    /** Cost of reading one of the sets. */
    @Benchmark
    public long cardinality(Grown state) {
        return state.view.cardinality(state.handles[state.nextSet()]);
    }

    /** Cost of reading registers. */
    @Benchmark
    public long cardinalityOfFull(Full state) {
        return state.view.cardinality(state.handle);
    }
}
