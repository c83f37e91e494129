package io.summarizer.bench.queue;

import io.summarizer.core.queue.BatchQueue;
import io.summarizer.core.queue.QueueKind;
import io.summarizer.core.queue.WaitPolicy;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * All operations of a queue together are linearizable, with three threads, by model checking and under stress: an offer
 * is refused only when the queue is full, a poll finds nothing only when the queue is empty, and consumers that drain a
 * closed queue find all that it accepted.
 *
 * <p>Each queue has made one lap before, and its next lap begins in the middle of the operations.
 */
@Tag("races")
public class QueueLincheckTest {
    /** Few, so that queues are full; but see {@link SharedRing}. */
    private static final int CAPACITY = 2;

    /** Room for all offers. */
    private static final int ROOMY = 16;

    private static BatchQueue<Integer> wornIn(BatchQueue<Integer> queue) {
        for (int i = 0; i < 2 * queue.capacity() - 1; i++) {
            if (!queue.offer(i) || queue.poll() == null) {
                throw new IllegalStateException("no room in an empty queue");
            }
        }
        return queue;
    }

    /** Operations of a queue with any number of consumers. */
    @Param(name = "batch", gen = IntGen.class, conf = "1:5")
    public abstract static class Shared {
        private final BatchQueue<Integer> queue;

        Shared(QueueKind kind, int capacity) {
            queue = wornIn(kind.shared(capacity, WaitPolicy.BLOCKING));
        }

        @Operation
        public boolean offer(@Param(name = "batch") int batch) {
            return queue.offer(batch);
        }

        @Operation
        public @Nullable Integer poll() {
            return queue.poll();
        }
    }

    /** {@code mpmc}. */
    public static class Mpmc extends Shared {
        public Mpmc() {
            super(QueueKind.MPMC, CAPACITY);
        }
    }

    /**
     * {@code disruptor} with claimants. It has room for all offers: while a claimant is between claim and release, the
     * ring refuses offers that a sequential queue would take, as its Javadoc says.
     */
    public static class SharedRing extends Shared {
        public SharedRing() {
            super(QueueKind.DISRUPTOR, ROOMY);
        }
    }

    /** Operations of a queue with one consumer at a time. */
    @Param(name = "batch", gen = IntGen.class, conf = "1:5")
    public abstract static class SingleConsumer {
        private final BatchQueue<Integer> queue;

        SingleConsumer(QueueKind kind) {
            queue = wornIn(kind.singleConsumer(CAPACITY, WaitPolicy.BLOCKING));
        }

        @Operation
        public boolean offer(@Param(name = "batch") int batch) {
            return queue.offer(batch);
        }

        @Operation(nonParallelGroup = "consumer")
        public @Nullable Integer poll() {
            return queue.poll();
        }
    }

    /** {@code mpsc}. */
    public static class Mpsc extends SingleConsumer {
        public Mpsc() {
            super(QueueKind.MPSC);
        }
    }

    /** {@code disruptor} with one consumer. */
    public static class SingleConsumerRing extends SingleConsumer {
        public SingleConsumerRing() {
            super(QueueKind.DISRUPTOR);
        }
    }

    /** Offers while the queue is closed and drained. */
    @Param(name = "batch", gen = IntGen.class, conf = "1:5")
    public abstract static class Closing {
        private final BatchQueue<Integer> queue;

        Closing(QueueKind kind) {
            queue = wornIn(kind.shared(ROOMY, WaitPolicy.BLOCKING));
        }

        @Operation
        public boolean offer(@Param(name = "batch") int batch) {
            return queue.offer(batch);
        }

        @Operation(nonParallelGroup = "consumer")
        public String closeAndTakeAll() {
            queue.close();
            List<Integer> taken = new ArrayList<>();
            while (!queue.isDrained()) {
                if (queue.drain(taken, 2) == 0) {
                    Thread.onSpinWait();
                }
            }
            return taken.toString();
        }
    }

    /** Closing {@code mpmc}. */
    public static class ClosingMpmc extends Closing {
        public ClosingMpmc() {
            super(QueueKind.MPMC);
        }
    }

    /** Closing a ring. */
    public static class ClosingRing extends Closing {
        public ClosingRing() {
            super(QueueKind.DISRUPTOR);
        }
    }

    /** The sequential specification of the operations. */
    public abstract static class Sequential {
        private final Deque<Integer> queue = new ArrayDeque<>();
        private final int capacity;
        private boolean closed;

        Sequential(int capacity) {
            this.capacity = capacity;
        }

        public boolean offer(int batch) {
            return !closed && queue.size() < capacity && queue.add(batch);
        }

        public @Nullable Integer poll() {
            return queue.poll();
        }

        public String closeAndTakeAll() {
            closed = true;
            List<Integer> taken = new ArrayList<>(queue);
            queue.clear();
            return taken.toString();
        }
    }

    /** Full soon. */
    public static class Tight extends Sequential {
        public Tight() {
            super(CAPACITY);
        }
    }

    /** Never full. */
    public static class Roomy extends Sequential {
        public Roomy() {
            super(ROOMY);
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {Mpmc.class, Mpsc.class, SharedRing.class, SingleConsumerRing.class})
    void isLinearizableHoweverThreadsInterleave(Class<?> queue) {
        modelChecking(2, 50, queue).check(queue);
    }

    @ParameterizedTest
    @Tag("long")
    @ValueSource(
            classes = {
                Mpmc.class,
                Mpsc.class,
                SharedRing.class,
                SingleConsumerRing.class,
                ClosingMpmc.class,
                ClosingRing.class
            })
    void isLinearizableHoweverThreadsInterleaveForLong(Class<?> queue) {
        // Closing waits for threads inside the queue, so that each interleaving takes many steps.
        int iterations = Closing.class.isAssignableFrom(queue) ? 2 : 5;
        modelChecking(iterations, 300, queue).check(queue);
    }

    @ParameterizedTest
    @Tag("long")
    @ValueSource(
            classes = {
                Mpmc.class,
                Mpsc.class,
                SharedRing.class,
                SingleConsumerRing.class,
                ClosingMpmc.class,
                ClosingRing.class
            })
    void isLinearizableUnderStress(Class<?> queue) {
        new StressOptions()
                .iterations(10)
                .invocationsPerIteration(1_000)
                .threads(3)
                .actorsPerThread(3)
                .actorsAfter(2)
                .sequentialSpecification(specification(queue))
                .check(queue);
    }

    private static ModelCheckingOptions modelChecking(int iterations, int invocations, Class<?> queue) {
        return new ModelCheckingOptions()
                .iterations(iterations)
                .invocationsPerIteration(invocations)
                .threads(3)
                .actorsPerThread(2)
                .actorsBefore(1)
                .actorsAfter(2)
                .sequentialSpecification(specification(queue));
    }

    private static Class<?> specification(Class<?> queue) {
        return Closing.class.isAssignableFrom(queue) || queue == SharedRing.class ? Roomy.class : Tight.class;
    }
}
