package io.summarizer.bench.mailbox;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Compares ways for one thread or two threads to update one state: under one lock, under a lock for each stripe of
 * keys, through an actor, and through an actor that aggregates its reads. Events are handed over in letters of 1, 8, 64
 * and 512 events. The result is the counter {@code events}; JMH's own figure counts letters instead of events. An
 * actor's mailbox is bounded, so threads hand in letters only as fast as the actor reads them. When a trial ends, every
 * event that was handed over must have been counted. {@code bin/bench jmh MailboxBenchmark}
 */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class MailboxBenchmark {
    private static final int LETTERS = 1 << 10;

    /** State that all threads share. */
    @State(Scope.Benchmark)
    public static class Office {
        /** Protection of the state. */
        @Param
        Way way = Way.LOCK;

        /** Number of events that are handed in at a time. */
        @Param({"1", "8", "64", "512"})
        int batch;

        private final Queue<Sender> senders = new ConcurrentLinkedQueue<>();

        @SuppressWarnings("NullAway.Init") // JMH calls setUp first
        private Desk desk;

        @SuppressWarnings("NullAway.Init") // likewise
        private Letter[] letters;

        /** Opens the desk. */
        @Setup
        public void setUp() {
            letters = Letter.random(LETTERS, batch, 1);
            desk = way.open();
        }

        /** Checks that every event that was handed in was counted. */
        @TearDown
        public void tearDown() throws InterruptedException {
            long handedIn =
                    senders.stream().mapToLong(sender -> sender.handedIn.get()).sum();
            long counted = desk.close().events();
            if (counted != handedIn) {
                throw new IllegalStateException("handedIn=" + handedIn + " counted=" + counted);
            }
        }
    }

    /** A thread that hands in events. */
    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.OPERATIONS)
    public static class Sender {
        /** Number of events handed in during an iteration. */
        public long events;

        // Atomic, because the first thread that ends reads the numbers of all threads, while other threads still run.
        private final AtomicLong handedIn = new AtomicLong();
        private int next;

        /** Adds this thread to the senders of the office. */
        @Setup
        public void register(Office office) {
            office.senders.add(this);
        }

        /** Starts an iteration. */
        @Setup(Level.Iteration)
        public void reset() {
            events = 0;
        }

        void handIn(Office office) throws InterruptedException {
            Letter letter = office.letters[next++ & (LETTERS - 1)];
            office.desk.handIn(letter);
            events += letter.size();
            handedIn.lazySet(handedIn.getPlain() + letter.size());
        }
    }

    /** One thread. */
    @Benchmark
    @Threads(1)
    public void by1(Office office, Sender sender) throws InterruptedException {
        sender.handIn(office);
    }

    /** Two threads. */
    @Benchmark
    @Threads(2)
    public void by2(Office office, Sender sender) throws InterruptedException {
        sender.handIn(office);
    }
}
