package io.summarizer.bench.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.summarizer.core.queue.BatchQueue;
import io.summarizer.core.queue.QueueKind;
import io.summarizer.core.queue.WaitPolicy;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;
import org.openjdk.jcstress.infra.results.ZI_Result;

/**
 * The queues under two threads. A batch is a plain field, so that a queue that publishes a reference without the writes
 * before it shows a 0; an empty queue that should not be empty shows a 0, too.
 */
public final class QueueStress {
    private static final long LONG = TimeUnit.SECONDS.toNanos(10);

    private QueueStress() {}

    private static final class Batch {
        private int value;

        static Batch of(int value) {
            Batch batch = new Batch();
            batch.value = value;
            return batch;
        }
    }

    private static int value(@Nullable Batch batch) {
        return batch == null ? 0 : batch.value;
    }

    private static BatchQueue<Batch> shared(QueueKind kind) {
        return kind.shared(2, WaitPolicy.BLOCKING);
    }

    private static BatchQueue<Batch> singleConsumer(QueueKind kind) {
        return kind.singleConsumer(2, WaitPolicy.BLOCKING);
    }

    /** Offers two batches while the consumer polls twice; the polls find them in order, with their content. */
    private static void offerTwo(BatchQueue<Batch> queue) {
        if (!queue.offer(Batch.of(1)) || !queue.offer(Batch.of(2))) {
            throw new IllegalStateException("refused, though there was room");
        }
    }

    private static void pollTwice(BatchQueue<Batch> queue, II_Result result) {
        result.r1 = value(queue.poll());
        result.r2 = value(queue.poll());
    }

    /** Offers and polls of {@code mpmc}. */
    @JCStressTest
    @State
    @Outcome(
            id = {"0, 0", "0, 1", "1, 0", "1, 2"},
            expect = ACCEPTABLE,
            desc = "What was there at each look.")
    @Outcome(expect = FORBIDDEN, desc = "Out of order, twice, lost, or read before it was written.")
    public static class OfferPollMpmc {
        private final BatchQueue<Batch> queue = shared(QueueKind.MPMC);

        @Actor
        public void producer() {
            offerTwo(queue);
        }

        @Actor
        public void consumer(II_Result result) {
            pollTwice(queue, result);
        }
    }

    /** Offers and polls of {@code mpsc}. */
    @JCStressTest
    @State
    @Outcome(
            id = {"0, 0", "0, 1", "1, 0", "1, 2"},
            expect = ACCEPTABLE,
            desc = "What was there at each look.")
    @Outcome(expect = FORBIDDEN, desc = "Out of order, twice, lost, or read before it was written.")
    public static class OfferPollMpsc {
        private final BatchQueue<Batch> queue = singleConsumer(QueueKind.MPSC);

        @Actor
        public void producer() {
            offerTwo(queue);
        }

        @Actor
        public void consumer(II_Result result) {
            pollTwice(queue, result);
        }
    }

    /** Offers and polls of a ring with claimants. */
    @JCStressTest
    @State
    @Outcome(
            id = {"0, 0", "0, 1", "1, 0", "1, 2"},
            expect = ACCEPTABLE,
            desc = "What was there at each look.")
    @Outcome(expect = FORBIDDEN, desc = "Out of order, twice, lost, or read before it was written.")
    public static class OfferPollSharedRing {
        private final BatchQueue<Batch> queue = shared(QueueKind.DISRUPTOR);

        @Actor
        public void producer() {
            offerTwo(queue);
        }

        @Actor
        public void consumer(II_Result result) {
            pollTwice(queue, result);
        }
    }

    /** Offers and polls of a ring with one consumer. */
    @JCStressTest
    @State
    @Outcome(
            id = {"0, 0", "0, 1", "1, 0", "1, 2"},
            expect = ACCEPTABLE,
            desc = "What was there at each look.")
    @Outcome(expect = FORBIDDEN, desc = "Out of order, twice, lost, or read before it was written.")
    public static class OfferPollSingleConsumerRing {
        private final BatchQueue<Batch> queue = singleConsumer(QueueKind.DISRUPTOR);

        @Actor
        public void producer() {
            offerTwo(queue);
        }

        @Actor
        public void consumer(II_Result result) {
            pollTwice(queue, result);
        }
    }

    /** Two consumers and one batch, in {@code mpmc}. */
    @JCStressTest
    @State
    @Outcome(
            id = {"1, 0", "0, 1"},
            expect = ACCEPTABLE,
            desc = "One of the two took it.")
    @Outcome(expect = FORBIDDEN, desc = "Both took it, or nobody.")
    public static class TwoTakeOneMpmc {
        private final BatchQueue<Batch> queue = shared(QueueKind.MPMC);

        public TwoTakeOneMpmc() {
            queue.offer(Batch.of(1));
        }

        @Actor
        public void first(II_Result result) {
            result.r1 = value(queue.poll());
        }

        @Actor
        public void second(II_Result result) {
            result.r2 = value(queue.poll());
        }
    }

    /** Two claimants and one batch, in a ring. */
    @JCStressTest
    @State
    @Outcome(
            id = {"1, 0", "0, 1"},
            expect = ACCEPTABLE,
            desc = "One of the two took it.")
    @Outcome(expect = FORBIDDEN, desc = "Both took it, or nobody.")
    public static class TwoTakeOneSharedRing {
        private final BatchQueue<Batch> queue = shared(QueueKind.DISRUPTOR);

        public TwoTakeOneSharedRing() {
            queue.offer(Batch.of(1));
        }

        @Actor
        public void first(II_Result result) {
            result.r1 = value(queue.poll());
        }

        @Actor
        public void second(II_Result result) {
            result.r2 = value(queue.poll());
        }
    }

    /**
     * Two claimants take all slots of a full ring and give them back, in any order: r3 is the number of offers that
     * then succeed. A slot that each claimant left to the other would be lost forever.
     */
    @JCStressTest
    @State
    @Outcome(
            id = {"1, 2, 2", "2, 1, 2"},
            expect = ACCEPTABLE,
            desc = "Each took one, and both slots are free.")
    @Outcome(expect = FORBIDDEN, desc = "A slot was not given back.")
    public static class TwoRelease {
        private final BatchQueue<Batch> queue = shared(QueueKind.DISRUPTOR);

        public TwoRelease() {
            offerTwo(queue);
        }

        @Actor
        public void first(III_Result result) {
            result.r1 = value(queue.poll());
        }

        @Actor
        public void second(III_Result result) {
            result.r2 = value(queue.poll());
        }

        @Arbiter
        public void end(III_Result result) {
            while (result.r3 < 3 && queue.offer(Batch.of(3))) {
                result.r3++;
            }
        }
    }

    /**
     * A claimant gives a slot of a full ring back while a producer requests one; r3 is the number of batches in the
     * ring in the end.
     */
    @JCStressTest
    @State
    @Outcome(id = "1, 1, 2", expect = ACCEPTABLE, desc = "It was taken, then there was room.")
    @Outcome(id = "0, 1, 1", expect = ACCEPTABLE, desc = "There was no room yet.")
    @Outcome(expect = FORBIDDEN, desc = "A slot was filled that was still to be read, or lost.")
    public static class ReleaseAndFill {
        private final BatchQueue<Batch> queue = shared(QueueKind.DISRUPTOR);

        public ReleaseAndFill() {
            offerTwo(queue);
        }

        @Actor
        public void producer(III_Result result) {
            result.r1 = queue.offer(Batch.of(3)) ? 1 : 0;
        }

        @Actor
        public void consumer(III_Result result) {
            result.r2 = value(queue.poll());
        }

        @Arbiter
        public void end(III_Result result) {
            int expected = 2;
            for (Batch batch = queue.poll(); batch != null; batch = queue.poll()) {
                result.r3 += batch.value == expected++ ? 1 : 100;
            }
        }
    }

    /**
     * Returns what a consumer gets that polls and parks until there is a batch; -1 when it slept until the time was
     * over.
     */
    private static int takeByParking(BatchQueue<Batch> queue) {
        long start = System.nanoTime();
        Batch batch = queue.poll();
        while (batch == null) {
            try {
                queue.await(LONG);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e); // nobody interrupts
            }
            batch = queue.poll();
        }
        return System.nanoTime() - start >= LONG ? -1 : batch.value;
    }

    /** Offers a batch to {@code mpsc} while the consumer goes to sleep. */
    @JCStressTest
    @State
    @Outcome(id = "1", expect = ACCEPTABLE, desc = "It was seen, or the consumer woken.")
    @Outcome(expect = FORBIDDEN, desc = "The wake-up was lost.")
    public static class ParkAndWakeMpsc {
        private final BatchQueue<Batch> queue = singleConsumer(QueueKind.MPSC);

        @Actor
        public void producer() {
            queue.offer(Batch.of(1));
        }

        @Actor
        public void consumer(I_Result result) {
            result.r1 = takeByParking(queue);
        }
    }

    /** Offers a batch to a ring while a claimant goes to sleep. */
    @JCStressTest
    @State
    @Outcome(id = "1", expect = ACCEPTABLE, desc = "It was seen, or the consumer woken.")
    @Outcome(expect = FORBIDDEN, desc = "The wake-up was lost.")
    public static class ParkAndWakeRing {
        private final BatchQueue<Batch> queue = shared(QueueKind.DISRUPTOR);

        @Actor
        public void producer() {
            queue.offer(Batch.of(1));
        }

        @Actor
        public void consumer(I_Result result) {
            result.r1 = takeByParking(queue);
        }
    }

    /** Closes the queue, then takes batches until it is drained; returns their number. */
    private static int closeAndTakeAll(BatchQueue<Batch> queue) {
        queue.close();
        int taken = 0;
        while (!queue.isDrained()) {
            if (queue.poll() != null) {
                taken++;
            }
        }
        return taken;
    }

    /** Offers a batch to {@code mpmc} while it is closed. */
    @JCStressTest
    @State
    @Outcome(id = "true, 1", expect = ACCEPTABLE, desc = "It came in time.")
    @Outcome(id = "false, 0", expect = ACCEPTABLE, desc = "It came too late, and was told so.")
    @Outcome(expect = FORBIDDEN, desc = "It was accepted and is lost, or refused and there.")
    public static class CloseMpmc {
        private final BatchQueue<Batch> queue = shared(QueueKind.MPMC);

        @Actor
        public void producer(ZI_Result result) {
            result.r1 = queue.offer(Batch.of(1));
        }

        @Actor
        public void closer(ZI_Result result) {
            result.r2 = closeAndTakeAll(queue);
        }
    }

    /** Offers a batch to {@code lbq} while it is closed. */
    @JCStressTest
    @State
    @Outcome(id = "true, 1", expect = ACCEPTABLE, desc = "It came in time.")
    @Outcome(id = "false, 0", expect = ACCEPTABLE, desc = "It came too late, and was told so.")
    @Outcome(expect = FORBIDDEN, desc = "It was accepted and is lost, or refused and there.")
    public static class CloseLinked {
        private final BatchQueue<Batch> queue = shared(QueueKind.LBQ);

        @Actor
        public void producer(ZI_Result result) {
            result.r1 = queue.offer(Batch.of(1));
        }

        @Actor
        public void closer(ZI_Result result) {
            result.r2 = closeAndTakeAll(queue);
        }
    }
}
