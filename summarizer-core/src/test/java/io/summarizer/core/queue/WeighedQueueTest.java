package io.summarizer.core.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** The contract, with batches too light for the bound to matter; and tests of the bound. */
class WeighedQueueTest extends BatchQueueContract {
    @Override
    <T> BatchQueue<T> create(int capacity) {
        return BatchQueue.weighed(QueueKind.LBQ.shared(capacity, WaitPolicy.BLOCKING), 1L << 40, batch -> 1);
    }

    @Override
    int maxConsumers() {
        return Integer.MAX_VALUE;
    }

    /** A queue of numbers that weigh their value. */
    private static BatchQueue<Integer> weighing(QueueKind kind, long bytesMax) {
        return BatchQueue.weighed(kind.singleConsumer(64, WaitPolicy.BLOCKING), bytesMax, Integer::longValue);
    }

    @Test
    void shouldBeFullOfBytes() {
        for (QueueKind kind : QueueKind.forSingleConsumers()) {
            BatchQueue<Integer> queue = weighing(kind, 100);
            assertThat(queue.offer(60)).isTrue();
            assertThat(queue.isHalfEmpty()).isFalse();
            assertThat(queue.offer(41)).isFalse();
            assertThat(queue.offer(40)).isTrue();
            assertThat(queue.offer(1)).isFalse();
            assertThat(queue.offer(0)).as("what weighs nothing, as controls").isTrue();
            assertThat(queue.bytes()).isEqualTo(100);
            assertThat(queue.poll()).isEqualTo(60);
            assertThat(queue.isHalfEmpty()).isTrue();
            assertThat(queue.offer(60)).isTrue();
            List<Integer> taken = new ArrayList<>();
            assertThat(queue.drain(taken, 16))
                    .as("one at a time while it is full")
                    .isOne();
            assertThat(queue.drain(taken, 0)).isZero();
            while (queue.drain(taken, 16) > 0) {
                assertThat(taken).hasSizeLessThan(4);
            }
            assertThat(taken).containsExactly(40, 0, 60);
            assertThat(queue.bytes()).isZero();
        }
    }

    @Test
    void shouldTakeABatchAboveTheBoundAlone() throws Exception {
        BatchQueue<Integer> queue = weighing(QueueKind.LBQ, 100);
        assertThat(queue.offer(1)).isTrue();
        assertThat(queue.offer(500)).isFalse();
        assertThat(queue.poll()).isEqualTo(1);
        queue.put(500);
        assertThat(queue.offer(1)).isFalse();
        assertThat(queue.poll()).isEqualTo(500);
        assertThat(queue.offer(1)).isTrue();
        queue.close();
        assertThat(queue.offer(2)).isFalse();
        assertThat(queue.bytes()).as("what was refused gives its bytes back").isOne();
        assertThatThrownBy(() -> queue.put(2)).isInstanceOf(QueueClosedException.class);
    }

    @Test
    void shouldResumeProducersOnlyWhenTheLargestRefusedBatchHasRoom() {
        BatchQueue<Integer> queue = weighing(QueueKind.LBQ, 100);
        List<Integer> resumed = new ArrayList<>();
        RoomWaiters waiters = new RoomWaiters(queue);
        assertThat(queue.offer(30)).isTrue();
        assertThat(queue.offer(10)).isTrue();
        assertThat(queue.offer(80)).isFalse();
        waiters.add(() -> resumed.add(80));
        assertThat(resumed).as("it would be refused again").isEmpty();
        assertThat(queue.poll()).isEqualTo(30);
        waiters.taken();
        assertThat(resumed).containsExactly(80);
        assertThat(queue.offer(80)).isTrue();
        assertThat(queue.poll()).isEqualTo(10);
        assertThat(queue.offer(500)).isFalse();
        waiters.add(() -> resumed.add(500));
        assertThat(queue.poll()).isEqualTo(80);
        waiters.taken();
        assertThat(resumed).as("an empty queue takes any batch").containsExactly(80, 500);
    }

    /** Producers together never exceed the bound, and nobody waits forever. */
    @Test
    void shouldKeepTheBoundUnderManyProducers() throws Exception {
        BatchQueue<Integer> queue = weighing(QueueKind.MPSC, 100);
        AtomicLong most = new AtomicLong();
        List<Thread> producers = new ArrayList<>();
        for (int p = 0; p < 3; p++) {
            Thread producer = new Thread(() -> {
                for (int i = 1; i <= 5_000; i++) {
                    try {
                        queue.put(1 + i % 40);
                    } catch (InterruptedException e) {
                        return;
                    }
                    most.accumulateAndGet(queue.bytes(), Math::max);
                }
            });
            producer.start();
            producers.add(producer);
        }
        List<Integer> taken = new ArrayList<>();
        while (taken.size() < 15_000) {
            if (queue.drain(taken, 16) == 0) {
                queue.await(1_000_000);
            }
        }
        for (Thread producer : producers) {
            producer.join();
        }
        assertThat(most).hasValueLessThanOrEqualTo(100);
        assertThat(queue.bytes()).isZero();
    }
}
