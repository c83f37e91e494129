package io.summarizer.bench.queue;

import com.lmax.disruptor.BusySpinWaitStrategy;
import com.lmax.disruptor.InsufficientCapacityException;
import com.lmax.disruptor.RingBuffer;
import com.lmax.disruptor.Sequence;
import io.summarizer.core.queue.BatchQueue;
import io.summarizer.core.queue.QueueKind;
import io.summarizer.core.queue.WaitPolicy;
import java.util.concurrent.TimeUnit;
import org.jctools.queues.varhandle.MpmcVarHandleArrayQueue;
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
 * Events of 64 bytes, one by one, from one thread to another: written into the entries of a ring that were made before, or as
 * objects that a ring of the same kind refers to, taken from a pool or made anew. The consumer reads all of an event.
 * {@code bin/bench jmh EntryBenchmark -prof gc}
 */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class EntryBenchmark {
    /** 64 bytes of data. */
    private static final class Event {
        private long a;
        private long b;
        private long c;
        private long d;
        private long e;
        private long f;
        private long g;
        private long h;

        void set(long value) {
            a = value;
            b = value + 1;
            c = value + 2;
            d = value + 3;
            e = value + 4;
            f = value + 5;
            g = value + 6;
            h = value + 7;
        }

        long sum() {
            return a + b + c + d + e + f + g + h;
        }
    }

    /** A ring whose entries are the events: nothing is handed over but a number. */
    @State(Scope.Group)
    @SuppressWarnings("NullAway.Init") // JMH sets them, and calls @Setup before all else
    public static class Inline {
        /** Events it holds. */
        @Param({"256", "65536"})
        int capacity;

        private RingBuffer<Event> ring;
        private final Sequence consumed = new Sequence();
        private long next;

        @Setup
        public void create() {
            ring = RingBuffer.createMultiProducer(Event::new, capacity, new BusySpinWaitStrategy());
            ring.addGatingSequences(consumed);
        }
    }

    /** A ring of references, and where events that were read come back to. */
    @State(Scope.Group)
    @SuppressWarnings("NullAway.Init") // JMH sets them, and calls @Setup before all else
    public static class References {
        /** Events it holds. */
        @Param({"256", "65536"})
        int capacity;

        private BatchQueue<Event> queue;
        private MpmcVarHandleArrayQueue<Event> pool;
        private long next;

        @Setup
        public void create() {
            queue = QueueKind.DISRUPTOR.singleConsumer(capacity, WaitPolicy.BUSY_SPIN);
            pool = new MpmcVarHandleArrayQueue<>(2 * capacity);
        }

        @Nullable
        Event take(Control control) {
            Event event = queue.poll();
            while (event == null && !control.stopMeasurement) {
                pause();
                event = queue.poll();
            }
            return event;
        }

        void hand(Event event, Control control) {
            event.set(next++);
            while (!queue.offer(event) && !control.stopMeasurement) {
                pause();
            }
        }
    }

    @SuppressWarnings("ThreadPriorityCheck") // the other side may need our core
    private static void pause() {
        Thread.yield();
    }

    @Benchmark
    @Group("inline")
    public long inlineConsume(Inline state, Control control) {
        long sequence = state.consumed.get() + 1;
        while (!state.ring.isAvailable(sequence)) {
            if (control.stopMeasurement) {
                return 0;
            }
            pause();
        }
        long sum = state.ring.get(sequence).sum();
        state.consumed.set(sequence);
        return sum;
    }

    @Benchmark
    @Group("inline")
    public void inlineProduce(Inline state, Control control) {
        while (!control.stopMeasurement) {
            try {
                long sequence = state.ring.tryNext();
                state.ring.get(sequence).set(state.next++);
                state.ring.publish(sequence);
                return;
            } catch (InsufficientCapacityException full) {
                pause();
            }
        }
    }

    @Benchmark
    @Group("pooled")
    public long pooledConsume(References state, Control control) {
        Event event = state.take(control);
        if (event == null) {
            return 0;
        }
        long sum = event.sum();
        boolean unused = state.pool.relaxedOffer(event);
        return sum;
    }

    @Benchmark
    @Group("pooled")
    public void pooledProduce(References state, Control control) {
        Event event = state.pool.relaxedPoll();
        state.hand(event == null ? new Event() : event, control);
    }

    @Benchmark
    @Group("allocated")
    public long allocatedConsume(References state, Control control) {
        Event event = state.take(control);
        return event == null ? 0 : event.sum();
    }

    @Benchmark
    @Group("allocated")
    public void allocatedProduce(References state, Control control) {
        state.hand(new Event(), control);
    }
}
