package io.summarizer.bench.queue;

import io.summarizer.core.queue.BatchQueue;
import io.summarizer.core.queue.WaitPolicy;
import java.util.concurrent.TimeUnit;
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
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.Control;

/**
 * Passes references through a queue without other work. The result is the highest rate at which the queue can hand
 * over. An operation of the benchmark adds or takes one batch. With {@code -bm sample}, the result is the time of an
 * operation. Consumers wait in the same way as in the product.
 *
 * <p>{@code -tg} sets the numbers of consumers and of producers: {@code bin/bench jmh QueueBenchmark -tg 2,4 -p
 * queue=mpmc,disruptor}
 */
@State(Scope.Group)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
@SuppressWarnings("NullAway.Init") // JMH sets the fields, and calls @Setup first
public class QueueBenchmark {
    private static final long WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final Object BATCH = new Object();

    /** The queue. */
    @Param({"abq", "lbq", "mpmc", "mpsc", "disruptor", "disruptor-single"})
    String queue;

    /** Number of batches that the queue holds. */
    @Param({"64", "256", "4096", "65536"})
    int capacity;

    /** The way in which consumers wait, for queues that allow a choice. */
    @Param("BLOCKING")
    WaitPolicy wait;

    private BatchQueue<Object> batches;

    @Setup
    public void create(BenchmarkParams params) {
        Shape shape = Shape.of(queue);
        if (!shape.isShared() && params.getThreadGroups()[0] > 1) {
            throw new IllegalArgumentException(queue + " has one consumer: -tg 1,PRODUCERS");
        }
        batches = shape.create(capacity, wait);
    }

    /** Takes a batch. The first number of {@code -tg} is for this method, because JMH orders methods by name. */
    @Benchmark
    @Group("handOver")
    public @Nullable Object consume(Control control) throws InterruptedException {
        Object batch = batches.poll();
        while (batch == null && !control.stopMeasurement) {
            batches.await(WAIT_NANOS);
            batch = batches.poll();
        }
        return batch;
    }

    /** Adds a batch. Does not use {@code put}, which would wait forever once the consumers have stopped. */
    @Benchmark
    @Group("handOver")
    @SuppressWarnings("ThreadPriorityCheck") // the first step of the product's put
    public void produce(Control control) {
        while (!batches.offer(BATCH) && !control.stopMeasurement) {
            Thread.yield();
        }
    }
}
