package io.summarizer.bench.queue;

import io.summarizer.core.queue.BatchQueue;
import io.summarizer.core.queue.WaitPolicy;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Group;
import org.openjdk.jmh.annotations.Level;
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
 * Sends one batch to another thread and back, through two queues that are otherwise empty. For each way of waiting, the
 * result is the latency that two hand-overs add in an idle system. {@code bin/bench jmh PingPongBenchmark -p
 * queue=mpsc}
 */
@State(Scope.Group)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
@SuppressWarnings("NullAway.Init") // JMH sets the fields, and calls @Setup first
public class PingPongBenchmark {
    private static final long WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final Object BATCH = new Object();

    /** The queue. */
    @Param({"abq", "lbq", "mpmc", "mpsc", "disruptor", "disruptor-single"})
    String queue;

    /** The way in which both sides wait, for queues that allow a choice. */
    @Param({"BLOCKING", "SLEEPING", "YIELDING", "BUSY_SPIN"})
    WaitPolicy wait;

    private BatchQueue<Object> there;
    private BatchQueue<Object> back;

    /** Makes new queues for each iteration, because an iteration ends with a batch in flight. */
    @Setup(Level.Iteration)
    public void create() {
        Shape shape = Shape.of(queue);
        there = shape.create(64, wait);
        back = shape.create(64, wait);
    }

    /** A round trip. */
    @Benchmark
    @Group("roundTrip")
    public void ping(Control control) throws InterruptedException {
        if (there.offer(BATCH)) {
            take(back, control);
        }
    }

    /** The other side. */
    @Benchmark
    @Group("roundTrip")
    public void pong(Control control) throws InterruptedException {
        if (take(there, control) && !back.offer(BATCH) && !control.stopMeasurement) {
            throw new IllegalStateException("more batches than were sent");
        }
    }

    private static boolean take(BatchQueue<Object> queue, Control control) throws InterruptedException {
        while (queue.poll() == null) {
            if (control.stopMeasurement) {
                return false;
            }
            queue.await(WAIT_NANOS);
        }
        return true;
    }
}
