package io.summarizer.bench.store;

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
 * Measures the time per event to count events and sum amounts by key, in row stores and in a {@code HashMap}. Keys are
 * numbers or names. Events come 1, 8, 64 and 512 at a time. Before the measurement, the benchmark checks that stores
 * and map have the same totals. {@code bin/bench jmh KeyedStoreBenchmark -prof gc}
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class KeyedStoreBenchmark {
    /** Number of rows. */
    @Param({"100000"})
    int keys;

    /** The type of the key. */
    @Param({"int", "string"})
    String key = "int";

    /** Number of events that are added at a time. */
    @Param({"1", "8", "64", "512"})
    int batch;

    @SuppressWarnings("NullAway.Init") // JMH calls setUp first
    private KeyedEvents events;

    @SuppressWarnings("NullAway.Init") // likewise
    private KeyedTotals store;

    @SuppressWarnings("NullAway.Init") // likewise
    private KeyedTotals map;

    /** Makes the events and all rows, and checks that the contenders agree. */
    @Setup
    public void setUp() {
        boolean strings = key.equals("string");
        events = new KeyedEvents(keys, 1);
        store = strings ? StoreTotals.ofStrings() : StoreTotals.ofIntegers();
        map = strings ? MapTotals.ofStrings() : MapTotals.ofIntegers();
        addAll(store, events, batch);
        addAll(map, events, batch);
        if (!store.totals().equals(map.totals())) {
            throw new IllegalStateException("the contenders come to different totals");
        }
    }

    static void addAll(KeyedTotals totals, KeyedEvents events, int batch) {
        for (int from = 0; from < KeyedEvents.COUNT; from += batch) {
            totals.add(events, from, Math.min(KeyedEvents.COUNT, from + batch));
        }
    }

    /** Adds events to row stores: makes records with hashed keys, and applies a batch at a time. */
    @Benchmark
    @OperationsPerInvocation(KeyedEvents.COUNT)
    public KeyedTotals store() {
        addAll(store, events, batch);
        return store;
    }

    /** Adds events to a {@code HashMap<Integer, Row>} or {@code HashMap<String, Row>}. */
    @Benchmark
    @OperationsPerInvocation(KeyedEvents.COUNT)
    public KeyedTotals hashMap() {
        addAll(map, events, batch);
        return map;
    }
}
