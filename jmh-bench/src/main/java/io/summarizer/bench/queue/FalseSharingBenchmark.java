package io.summarizer.bench.queue;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import org.jctools.queues.varhandle.MpmcVarHandleArrayQueue;
import org.jctools.queues.varhandle.MpscVarHandleArrayQueue;
import org.jctools.queues.varhandle.unpadded.MpmcVarHandleUnpaddedArrayQueue;
import org.jctools.queues.varhandle.unpadded.MpscVarHandleUnpaddedArrayQueue;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Group;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Control;

/**
 * Measures two threads that write to adjacent memory, or to memory that is far apart. Each thread writes to its own
 * counter, or to its own end of a queue with or without padding. {@code bin/bench jmh FalseSharingBenchmark}
 */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class FalseSharingBenchmark {
    private static final VarHandle COUNT = MethodHandles.arrayElementVarHandle(long[].class);
    private static final Object BATCH = new Object();

    /** A counter for each of two threads. */
    @State(Scope.Group)
    public static class Counters {
        /**
         * Distance of the counters in longs. At 1, the counters share a cache line. At 8, they are in two lines that
         * the processor fetches together. At 16, they are far enough apart.
         */
        @Param({"1", "8", "16"})
        int distance;

        private final long[] counts = new long[64];

        void increment(int at) {
            COUNT.setRelease(counts, at, (long) COUNT.get(counts, at) + 1);
        }
    }

    /** The two ends of a queue of JCTools. */
    @State(Scope.Group)
    @SuppressWarnings("NullAway.Init") // JMH sets the fields, and calls @Setup first
    public static class Ends {
        /** The queue. */
        @Param({"mpsc", "mpsc-unpadded", "mpmc", "mpmc-unpadded"})
        String queue;

        private Queue<Object> batches;

        @Setup
        public void create() {
            batches = switch (queue) {
                case "mpsc" -> new MpscVarHandleArrayQueue<>(4096);
                case "mpsc-unpadded" -> new MpscVarHandleUnpaddedArrayQueue<>(4096);
                case "mpmc" -> new MpmcVarHandleArrayQueue<>(4096);
                case "mpmc-unpadded" -> new MpmcVarHandleUnpaddedArrayQueue<>(4096);
                default -> throw new IllegalArgumentException(queue);
            };
        }
    }

    @Benchmark
    @Group("counters")
    public void first(Counters counters) {
        counters.increment(16);
    }

    @Benchmark
    @Group("counters")
    public void second(Counters counters) {
        counters.increment(16 + counters.distance);
    }

    @Benchmark
    @Group("ends")
    public @Nullable Object consume(Ends ends, Control control) {
        Object batch = ends.batches.poll();
        while (batch == null && !control.stopMeasurement) {
            Thread.onSpinWait();
            batch = ends.batches.poll();
        }
        return batch;
    }

    @Benchmark
    @Group("ends")
    public void produce(Ends ends, Control control) {
        while (!ends.batches.offer(BATCH) && !control.stopMeasurement) {
            Thread.onSpinWait();
        }
    }
}
