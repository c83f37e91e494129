package io.summarizer.core.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What every {@link BatchQueue} promises. Implementations add a tiny subclass each. */
@Timeout(60)
abstract class BatchQueueContract {
    private static final long MILLISECOND = TimeUnit.MILLISECONDS.toNanos(1);

    abstract BatchQueue<Integer> create(int capacity);

    /** Consumers that the queue allows at the same time. */
    abstract int maxConsumers();

    @Test
    void shouldHandOutBatchesInTheOrderTheyCame() {
        BatchQueue<Integer> queue = create(8);
        for (int i = 0; i < 5; i++) {
            assertThat(queue.offer(i)).isTrue();
        }
        assertThat(queue.size()).isEqualTo(5);
        for (int i = 0; i < 5; i++) {
            assertThat(queue.poll()).isEqualTo(i);
        }
        assertThat(queue.poll()).isNull();
        assertThat(queue.size()).isZero();
    }

    @Test
    void shouldRefuseWhatIsBeyondItsCapacityAndTakeItOnceThereIsRoom() {
        BatchQueue<Integer> queue = create(4);
        assertThat(queue.capacity()).isEqualTo(4);
        for (int lap = 0; lap < 3; lap++) {
            for (int i = 0; i < 4; i++) {
                assertThat(queue.offer(i)).isTrue();
            }
            assertThat(queue.offer(99)).isFalse();
            assertThat(queue.poll()).isZero();
            assertThat(queue.offer(4)).isTrue();
            for (int i = 1; i <= 4; i++) {
                assertThat(queue.poll()).isEqualTo(i);
            }
        }
    }

    @Test
    void shouldHoldUpAPutUntilThereIsRoom() throws InterruptedException {
        BatchQueue<Integer> queue = create(2);
        queue.put(0);
        queue.put(1);
        Thread producer = started(() -> queue.put(2));
        awaitWaiting(producer);
        assertThat(queue.poll()).isZero();
        producer.join();
        assertThat(queue.poll()).isEqualTo(1);
        assertThat(queue.poll()).isEqualTo(2);
    }

    @Test
    void shouldLetAPutBeInterrupted() throws InterruptedException {
        BatchQueue<Integer> queue = create(2);
        queue.put(0);
        queue.put(1);
        CountDownLatch interrupted = new CountDownLatch(1);
        Thread producer = new Thread(() -> {
            try {
                queue.put(2);
            } catch (InterruptedException e) {
                interrupted.countDown();
            }
        });
        producer.start();
        awaitWaiting(producer);
        producer.interrupt();
        assertThat(interrupted.await(10, TimeUnit.SECONDS)).isTrue();
        assertThat(queue.size()).isEqualTo(2);
    }

    @Test
    void shouldEndAWaitWhenABatchComes() throws InterruptedException {
        BatchQueue<Integer> queue = create(2);
        List<Integer> taken = new ArrayList<>();
        Thread consumer = started(() -> {
            Integer batch;
            while ((batch = queue.poll()) == null) {
                queue.await(TimeUnit.SECONDS.toNanos(30));
            }
            taken.add(batch);
        });
        Thread.sleep(20);
        queue.put(7);
        consumer.join();
        assertThat(taken).containsExactly(7);
    }

    @Test
    void shouldEndAWaitWhenWokenUp() throws InterruptedException {
        BatchQueue<Integer> queue = create(2);
        Thread consumer = started(() -> queue.await(TimeUnit.SECONDS.toNanos(30)));
        while (consumer.isAlive()) {
            queue.wakeUp(); // the consumer may not be waiting yet
            consumer.join(1);
        }
        assertThat(queue.poll()).isNull();
    }

    @Test
    void shouldLoseAndDuplicateNothingAndKeepEachProducersOrder() throws InterruptedException {
        int producers = 3;
        int each = 20_000;
        BatchQueue<Integer> queue = create(16);
        List<Thread> producing = new ArrayList<>();
        for (int p = 0; p < producers; p++) {
            int base = p * each;
            producing.add(started(() -> {
                for (int i = 0; i < each; i++) {
                    if (i % 2 == 0 || !queue.offer(base + i)) {
                        queue.put(base + i);
                    }
                }
            }));
        }
        int consumers = Math.min(2, maxConsumers());
        List<List<Integer>> taken = new ArrayList<>();
        List<Thread> consuming = new ArrayList<>();
        for (int c = 0; c < consumers; c++) {
            List<Integer> own = new ArrayList<>();
            taken.add(own);
            consuming.add(started(() -> {
                while (true) {
                    Integer batch = queue.poll();
                    if (batch == null) {
                        queue.await(MILLISECOND);
                    } else if (batch < 0) {
                        return;
                    } else {
                        own.add(batch);
                    }
                }
            }));
        }
        for (Thread producer : producing) {
            producer.join();
        }
        for (int c = 0; c < consumers; c++) {
            queue.put(-1);
        }
        BitSet seen = new BitSet();
        for (int c = 0; c < consumers; c++) {
            consuming.get(c).join();
            int[] last = {-1, -1, -1};
            for (int batch : taken.get(c)) {
                assertThat(seen.get(batch)).as("batch %d taken before", batch).isFalse();
                seen.set(batch);
                assertThat(batch).isGreaterThan(last[batch / each]);
                last[batch / each] = batch;
            }
        }
        assertThat(seen.cardinality()).isEqualTo(producers * each);
    }

    private interface Body {
        void run() throws InterruptedException;
    }

    private static Thread started(Body body) {
        Thread thread = new Thread(() -> {
            try {
                body.run();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        thread.start();
        return thread;
    }

    private static void awaitWaiting(Thread thread) throws InterruptedException {
        while (thread.getState() != Thread.State.WAITING && thread.getState() != Thread.State.TIMED_WAITING) {
            Thread.sleep(1);
        }
    }
}
