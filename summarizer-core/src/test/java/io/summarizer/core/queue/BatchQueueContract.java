package io.summarizer.core.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The contract of every {@link BatchQueue}. {@link BatchQueueTest} runs it for each kind, stage and way of waiting. */
@Timeout(60)
@Tag("races")
abstract class BatchQueueContract {
    private static final long LONG = TimeUnit.SECONDS.toNanos(30);
    private static final long MILLISECOND = TimeUnit.MILLISECONDS.toNanos(1);

    private final List<Thread> threads = new ArrayList<>();
    private final AtomicReference<@Nullable Throwable> fault = new AtomicReference<>();

    abstract <T> BatchQueue<T> create(int capacity);

    /** Consumers that the queue allows at the same time. */
    abstract int maxConsumers();

    @AfterEach
    void noThreadIsLeftAndNoneHasFailed() throws InterruptedException {
        for (Thread thread : threads) {
            thread.join(TimeUnit.SECONDS.toMillis(30));
            assertThat(thread.isAlive()).as("%s is still at work", thread).isFalse();
        }
        assertThat(fault.get()).isNull();
    }

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
            assertThat(queue.size()).isEqualTo(4);
            assertThat(queue.poll()).isZero();
            assertThat(queue.offer(4)).isTrue();
            for (int i = 1; i <= 4; i++) {
                assertThat(queue.poll()).isEqualTo(i);
            }
        }
    }

    @Test
    void shouldHaveRoomForAtLeastWhatItWasAskedFor() {
        for (int asked = 1; asked <= 9; asked++) {
            BatchQueue<Integer> queue = create(asked);
            assertThat(queue.capacity()).isGreaterThanOrEqualTo(asked);
            for (int i = 0; i < queue.capacity(); i++) {
                assertThat(queue.offer(i)).isTrue();
            }
            assertThat(queue.offer(99)).isFalse();
        }
    }

    @Test
    void shouldDrainWhatIsThereAndNoMoreThanAskedFor() {
        BatchQueue<Integer> queue = create(8);
        List<Integer> taken = new ArrayList<>();
        for (int lap = 0; lap < 5; lap++) {
            assertThat(queue.drain(taken, 3)).isZero();
            for (int i = 0; i < 7; i++) {
                assertThat(queue.offer(i)).isTrue();
            }
            assertThat(queue.drain(taken, 0)).isZero();
            assertThat(queue.drain(taken, 3)).isEqualTo(3);
            assertThat(queue.poll()).isEqualTo(3);
            assertThat(queue.size()).isEqualTo(3);
            assertThat(queue.drain(taken, 100)).isEqualTo(3);
            assertThat(taken).containsExactly(0, 1, 2, 4, 5, 6);
            assertThat(queue.size()).isZero();
            taken.clear();
        }
    }

    @Test
    void shouldHaveRoomForAsMuchAsWasDrained() {
        BatchQueue<Integer> queue = create(4);
        for (int i = 0; i < 4; i++) {
            assertThat(queue.offer(i)).isTrue();
        }
        assertThat(queue.drain(new ArrayList<>(), 3)).isEqualTo(3);
        for (int i = 4; i < 7; i++) {
            assertThat(queue.offer(i)).isTrue();
        }
        assertThat(queue.offer(99)).isFalse();
    }

    @Test
    void shouldKeepNothingAliveThatWasTaken() throws InterruptedException {
        BatchQueue<Object> queue = create(4);
        List<WeakReference<Object>> taken = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            taken.add(passed(queue, false));
            taken.add(passed(queue, true));
        }
        for (int i = 0; i < taken.size(); i++) {
            while (taken.get(i).get() != null) { // until the test times out
                System.gc();
            }
        }
        assertThat(queue.size()).isZero();
    }

    private static WeakReference<Object> passed(BatchQueue<Object> queue, boolean drained) {
        Object batch = new Object();
        assertThat(queue.offer(batch)).isTrue();
        List<Object> taken = new ArrayList<>();
        if (drained) {
            assertThat(queue.drain(taken, 4)).isEqualTo(1);
        } else {
            taken.add(queue.poll());
        }
        assertThat(taken.get(0)).isSameAs(batch);
        return new WeakReference<>(batch);
    }

    @Test
    void shouldHoldUpAPutUntilThereIsRoom() throws InterruptedException {
        BatchQueue<Integer> queue = create(2);
        queue.put(0);
        queue.put(1);
        Thread producer = started(() -> queue.put(2));
        awaitWaiting(producer);
        assertThat(queue.size()).isEqualTo(2);
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
        Thread producer = started(() -> {
            try {
                queue.put(2);
            } catch (InterruptedException e) {
                interrupted.countDown();
            }
        });
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
                queue.await(LONG);
            }
            taken.add(batch);
        });
        awaitInWait(consumer);
        queue.put(7);
        consumer.join();
        assertThat(taken).containsExactly(7);
    }

    @Test
    void shouldEndAWaitWhenWokenUp() throws InterruptedException {
        BatchQueue<Integer> queue = create(2);
        Thread consumer = started(() -> queue.await(LONG));
        while (consumer.isAlive()) {
            queue.wakeUp(); // the consumer may not be waiting yet
            consumer.join(1);
        }
        assertThat(queue.poll()).isNull();
    }

    @Test
    void shouldEndAWaitWhenInterrupted() throws InterruptedException {
        BatchQueue<Integer> queue = create(2);
        CountDownLatch interrupted = new CountDownLatch(1);
        Thread consumer = started(() -> {
            try {
                queue.await(LONG);
            } catch (InterruptedException e) {
                interrupted.countDown();
            }
        });
        awaitInWait(consumer);
        consumer.interrupt();
        assertThat(interrupted.await(10, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void shouldEndAWaitWhenItsTimeIsOver() throws InterruptedException {
        BatchQueue<Integer> queue = create(2);
        queue.await(MILLISECOND);
        queue.await(0);
        assertThat(queue.poll()).isNull();
    }

    @Test
    void shouldNotWaitWhileThereIsSomething() throws InterruptedException {
        BatchQueue<Integer> queue = create(2);
        queue.put(1);
        queue.await(Long.MAX_VALUE);
        assertThat(queue.poll()).isEqualTo(1);
    }

    @Test
    void shouldRefuseWhatComesOnceClosedAndHandOutWhatItHolds() {
        BatchQueue<Integer> queue = create(4);
        for (int i = 0; i < 3; i++) {
            assertThat(queue.offer(i)).isTrue();
        }
        assertThat(queue.isClosed()).isFalse();
        assertThat(queue.isDrained()).isFalse();
        queue.close();
        queue.close();
        assertThat(queue.isClosed()).isTrue();
        assertThat(queue.offer(3)).isFalse();
        assertThatThrownBy(() -> queue.put(3)).isInstanceOf(QueueClosedException.class);
        assertThat(queue.isDrained()).isFalse();
        assertThat(queue.poll()).isZero();
        List<Integer> rest = new ArrayList<>();
        assertThat(queue.drain(rest, 4)).isEqualTo(2);
        assertThat(rest).containsExactly(1, 2);
        assertThat(queue.isDrained()).isTrue();
        assertThat(queue.offer(3)).isFalse();
        assertThat(queue.poll()).isNull();
        assertThat(queue.isDrained()).isTrue();
    }

    @Test
    void shouldNotBeDrainedWhileEmptyAndOpen() {
        BatchQueue<Integer> queue = create(4);
        assertThat(queue.isDrained()).isFalse();
        queue.close();
        assertThat(queue.isDrained()).isTrue();
    }

    @Test
    void shouldEndAPutThatWaitsWhenClosed() throws InterruptedException {
        BatchQueue<Integer> queue = create(2);
        queue.put(0);
        queue.put(1);
        CountDownLatch refused = new CountDownLatch(1);
        Thread producer = started(() -> {
            try {
                queue.put(2);
            } catch (QueueClosedException e) {
                refused.countDown();
            }
        });
        awaitWaiting(producer);
        queue.close();
        assertThat(refused.await(10, TimeUnit.SECONDS)).isTrue();
        assertThat(queue.size()).isEqualTo(2);
    }

    @Test
    void shouldEndAllWaitsWhenClosed() throws InterruptedException {
        BatchQueue<Integer> queue = create(2);
        List<Thread> consumers = new ArrayList<>();
        for (int c = 0; c < Math.min(3, maxConsumers()); c++) {
            consumers.add(started(() -> {
                while (!queue.isDrained()) {
                    assertThat(queue.poll()).isNull();
                    queue.await(LONG);
                }
            }));
        }
        consumers.forEach(BatchQueueContract::awaitInWait);
        queue.close();
        for (Thread consumer : consumers) {
            consumer.join();
        }
    }

    /** With a stuck consumer, producers leave no more than the capacity, however long it takes. */
    @Test
    void shouldHoldNoMoreThanItsCapacityHoweverManyPush() throws InterruptedException {
        BatchQueue<Integer> queue = create(8);
        List<Thread> producers = new ArrayList<>();
        int[] accepted = new int[3];
        for (int p = 0; p < accepted.length; p++) {
            int producer = p;
            producers.add(started(() -> {
                for (int i = 0; i < 10_000; i++) {
                    if (queue.offer(i)) {
                        accepted[producer]++;
                    }
                    assertThat(queue.size()).isBetween(0, 8);
                }
            }));
        }
        for (Thread producer : producers) {
            producer.join();
        }
        assertThat(accepted[0] + accepted[1] + accepted[2]).isEqualTo(8);
        assertThat(queue.size()).isEqualTo(8);
    }

    /** A slow consumer receives all accepted batches, in order. */
    @Test
    void shouldStayBoundedBehindASlowConsumer() throws InterruptedException {
        BatchQueue<Integer> queue = create(4);
        Thread producer = started(() -> {
            for (int i = 0; i < 200; i++) {
                queue.put(i);
            }
            queue.close();
        });
        int next = 0;
        while (!queue.isDrained()) {
            Integer batch = queue.poll();
            if (batch == null) {
                queue.await(LONG);
                continue;
            }
            assertThat(batch).isEqualTo(next++);
            assertThat(queue.size()).isLessThanOrEqualTo(4);
            LockSupport.parkNanos(20_000);
        }
        producer.join();
        assertThat(next).isEqualTo(200);
    }

    @Test
    void shouldLoseAndDuplicateNothingAndKeepEachProducersOrder() throws InterruptedException {
        long seed = System.nanoTime();
        for (int capacity : new int[] {2, 16, 256}) {
            new Mix(seed, capacity, 3, Math.min(2, maxConsumers()), 5_000, false).run();
        }
    }

    @Test
    void shouldLoseAndDuplicateNothingWhenClosedInTheMiddle() throws InterruptedException {
        Random random = new Random();
        long seed = random.nextLong();
        for (int round = 0; round < 10; round++) {
            new Mix(seed + round, 1 << random.nextInt(8), 3, Math.min(3, maxConsumers()), 1_000, true).run();
        }
    }

    @Test
    @Tag("long")
    void shouldLoseAndDuplicateNothingWhenClosedInTheMiddleForLong() throws InterruptedException {
        Random random = new Random();
        long seed = random.nextLong();
        for (int round = 0; round < 300; round++) {
            new Mix(seed + round, 1 << random.nextInt(8), 4, Math.min(4, maxConsumers()), 2_000, true).run();
        }
    }

    /**
     * Producers that offer and put, consumers that poll, drain and wait; all of them interrupted now and then, and
     * optionally the queue closed at some point. Every accepted element must come out exactly once, those of each
     * producer in order for each consumer.
     */
    private final class Mix {
        private final long seed;
        private final int producers;
        private final int consumers;
        private final int each;
        private final boolean closedInTheMiddle;
        private final BatchQueue<Integer> queue;
        private final BitSet[] accepted;
        private final List<List<Integer>> taken = new ArrayList<>();
        private final AtomicInteger interrupts = new AtomicInteger();

        Mix(long seed, int capacity, int producers, int consumers, int each, boolean closedInTheMiddle) {
            this.seed = seed;
            this.producers = producers;
            this.consumers = consumers;
            this.each = each;
            this.closedInTheMiddle = closedInTheMiddle;
            queue = create(capacity);
            accepted = new BitSet[producers];
        }

        void run() throws InterruptedException {
            List<Thread> producing = new ArrayList<>();
            for (int p = 0; p < producers; p++) {
                int producer = p;
                accepted[p] = new BitSet();
                producing.add(started(() -> produce(producer)));
            }
            List<Thread> consuming = new ArrayList<>();
            for (int c = 0; c < consumers; c++) {
                List<Integer> own = new ArrayList<>();
                taken.add(own);
                int consumer = c;
                consuming.add(started(() -> consume(consumer, own)));
            }
            Random random = new Random(seed);
            for (int i = 0; i < 10; i++) {
                LockSupport.parkNanos(random.nextInt(300_000));
                producing.get(random.nextInt(producers)).interrupt();
                consuming.get(random.nextInt(consumers)).interrupt();
            }
            if (!closedInTheMiddle) {
                for (Thread producer : producing) {
                    producer.join();
                }
            }
            queue.close();
            for (Thread thread : producing) {
                thread.join();
            }
            for (Thread thread : consuming) {
                thread.join();
            }
            check();
        }

        private void produce(int producer) {
            Random random = new Random(seed ^ (producer + 1));
            for (int i = 0; i < each; i++) {
                int batch = producer * each + i;
                while (!accepted[producer].get(i)) {
                    try {
                        if (random.nextBoolean()) {
                            queue.put(batch);
                            accepted[producer].set(i);
                        } else if (queue.offer(batch)) {
                            accepted[producer].set(i);
                        } else if (queue.isClosed()) {
                            return;
                        }
                    } catch (InterruptedException again) {
                        interrupts.incrementAndGet(); // not added, so it is tried again
                    } catch (QueueClosedException e) {
                        return;
                    }
                }
            }
        }

        private void consume(int consumer, List<Integer> own) {
            Random random = new Random(seed ^ -(consumer + 1));
            while (!queue.isDrained()) {
                if (random.nextBoolean()) {
                    if (queue.drain(own, 1 + random.nextInt(8)) > 0) {
                        continue;
                    }
                } else {
                    Integer batch = queue.poll();
                    if (batch != null) {
                        own.add(batch);
                        continue;
                    }
                }
                try {
                    queue.await(random.nextBoolean() ? LONG : MILLISECOND);
                } catch (InterruptedException goOn) {
                    interrupts.incrementAndGet(); // the batches there are taken all the same
                }
            }
        }

        private void check() {
            BitSet seen = new BitSet();
            for (List<Integer> own : taken) {
                int[] last = new int[producers];
                for (int batch : own) {
                    assertThat(seen.get(batch))
                            .as("batch %d twice, seed %d", batch, seed)
                            .isFalse();
                    seen.set(batch);
                    int producer = batch / each;
                    assertThat(batch % each + 1).as("order, seed %d", seed).isGreaterThan(last[producer]);
                    last[producer] = batch % each + 1;
                }
            }
            for (int producer = 0; producer < producers; producer++) {
                BitSet own = seen.get(producer * each, (producer + 1) * each);
                assertThat(own)
                        .as("accepted and taken, seed %d, %s interrupts", seed, interrupts)
                        .isEqualTo(accepted[producer]);
                if (!closedInTheMiddle) {
                    assertThat(own.cardinality()).isEqualTo(each);
                }
            }
            assertThat(queue.poll()).as("after the end, seed %d", seed).isNull();
            assertThat(queue.size()).isZero();
        }
    }

    private interface Body {
        void run() throws InterruptedException;
    }

    /** Starts a thread that the end of the test checks. */
    private Thread started(Body body) {
        Thread thread = new Thread(() -> {
            try {
                body.run();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (Throwable e) {
                fault.compareAndSet(null, e);
            }
        });
        thread.setDaemon(true);
        threads.add(thread);
        thread.start();
        return thread;
    }

    /** Returns when a thread sleeps. */
    private static void awaitWaiting(Thread thread) {
        while (thread.getState() != Thread.State.WAITING && thread.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }
    }

    /** Returns when a thread waits at a queue, in any way. */
    private static void awaitInWait(Thread thread) {
        Set<String> waits = Set.of(ParkingWait.class.getName(), SpinningWait.class.getName());
        while (Stream.of(thread.getStackTrace()).noneMatch(frame -> waits.contains(frame.getClassName()))) {
            Thread.onSpinWait();
        }
    }
}
