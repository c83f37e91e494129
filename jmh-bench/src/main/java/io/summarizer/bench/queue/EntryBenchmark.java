package io.summarizer.bench.queue;

import com.lmax.disruptor.BusySpinWaitStrategy;
import com.lmax.disruptor.EventFactory;
import com.lmax.disruptor.InsufficientCapacityException;
import com.lmax.disruptor.RingBuffer;
import com.lmax.disruptor.Sequence;
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
 * Passes events of 64 bytes, one by one, from one thread to another through a ring. There are three cases: the ring's
 * preallocated entries are the events themselves, refer to events from a pool, or refer to new events. The cases differ
 * in nothing else: they claim, publish and wait in the same way. The ring is the benchmark's own, not the ring of a
 * queue. The consumer reads the whole event. {@code bin/bench jmh EntryBenchmark -prof gc}
 */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class EntryBenchmark {
    /** No sequence. */
    private static final long NONE = -1;

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

    /** An entry that refers to its event. */
    private static final class Reference {
        private @Nullable Event event;
    }

    /** A ring, and its consumer's progress. */
    private static final class Ring<E> {
        private final RingBuffer<E> entries;
        private final Sequence consumed = new Sequence();

        Ring(EventFactory<E> factory, int capacity) {
            entries = RingBuffer.createMultiProducer(factory, capacity, new BusySpinWaitStrategy());
            entries.addGatingSequences(consumed);
        }

        E entry(long sequence) {
            return entries.get(sequence);
        }

        /** Claims the next entry. Returns {@link #NONE} if the time is over before an entry is free. */
        long claim(Control control) {
            while (!control.stopMeasurement) {
                try {
                    return entries.tryNext();
                } catch (InsufficientCapacityException full) {
                    pause();
                }
            }
            return NONE;
        }

        void publish(long sequence) {
            entries.publish(sequence);
        }

        /**
         * Waits for the next published entry. Returns {@link #NONE} if the time is over before an entry is published.
         */
        long await(Control control) {
            long sequence = consumed.get() + 1;
            while (!entries.isAvailable(sequence)) {
                if (control.stopMeasurement) {
                    return NONE;
                }
                pause();
            }
            return sequence;
        }

        void release(long sequence) {
            consumed.set(sequence);
        }
    }

    /** A ring whose entries are the events. The threads hand over only the sequence numbers of entries. */
    @State(Scope.Group)
    @SuppressWarnings("NullAway.Init") // JMH sets the fields, and calls @Setup first
    public static class Inline {
        /** Number of events that the ring holds. */
        @Param({"256", "65536"})
        int capacity;

        private Ring<Event> ring;
        private long next;

        @Setup
        public void create() {
            ring = new Ring<>(Event::new, capacity);
        }
    }

    /** A ring whose entries refer to events of a pool. The consumer returns the events to the pool. */
    @State(Scope.Group)
    @SuppressWarnings("NullAway.Init") // JMH sets the fields, and calls @Setup first
    public static class References {
        /** Number of events that the ring holds. */
        @Param({"256", "65536"})
        int capacity;

        private Ring<Reference> ring;
        private MpmcVarHandleArrayQueue<Event> pool;
        private long next;

        @Setup
        public void create() {
            ring = new Ring<>(Reference::new, capacity);
            pool = new MpmcVarHandleArrayQueue<>(2 * capacity);
        }

        /** Takes the next event out of its entry, and frees the entry. Returns null when the time is over. */
        @Nullable
        Event take(Control control) {
            long sequence = ring.await(control);
            if (sequence == NONE) {
                return null;
            }
            Reference entry = ring.entry(sequence);
            Event event = entry.event;
            entry.event = null; // as a queue does, which must not retain elements
            ring.release(sequence);
            return event;
        }

        void hand(Event event, Control control) {
            event.set(next++);
            long sequence = ring.claim(control);
            if (sequence != NONE) {
                ring.entry(sequence).event = event;
                ring.publish(sequence);
            }
        }
    }

    @SuppressWarnings("ThreadPriorityCheck") // the other thread may need this core
    private static void pause() {
        Thread.yield();
    }

    @Benchmark
    @Group("inline")
    public long inlineConsume(Inline state, Control control) {
        long sequence = state.ring.await(control);
        if (sequence == NONE) {
            return 0;
        }
        long sum = state.ring.entry(sequence).sum();
        state.ring.release(sequence);
        return sum;
    }

    @Benchmark
    @Group("inline")
    public void inlineProduce(Inline state, Control control) {
        long sequence = state.ring.claim(control);
        if (sequence != NONE) {
            state.ring.entry(sequence).set(state.next++);
            state.ring.publish(sequence);
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
