package io.summarizer.core.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
@Tag("races")
class ProducerDoorTest {
    private final ProducerDoor door = new ProducerDoor();

    @Test
    void shouldBeShutOnlyOnceThoseInsideAreOut() {
        assertThat(door.enter()).isTrue();
        assertThat(door.isClosed()).isFalse();
        door.close();
        assertThat(door.isClosed()).isTrue();
        assertThat(door.isShut()).as("one is inside").isFalse();
        assertThat(door.enter()).isFalse();
        assertThat(door.isShut()).isFalse();
        door.leave();
        assertThat(door.isShut()).isTrue();
        assertThat(door.enter()).isFalse();
        assertThat(door.isShut()).as("after one was turned away").isTrue();
    }

    @Test
    void shouldWaitForAllThreadsInside() throws InterruptedException {
        int producers = 20; // more than there are counters
        CountDownLatch inside = new CountDownLatch(producers);
        CountDownLatch go = new CountDownLatch(1);
        AtomicInteger left = new AtomicInteger();
        List<Thread> threads = new ArrayList<>();
        for (int p = 0; p < producers; p++) {
            Thread thread = new Thread(() -> {
                if (door.enter()) {
                    inside.countDown();
                    try {
                        go.await();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                    left.incrementAndGet();
                    door.leave();
                }
            });
            threads.add(thread);
            thread.start();
        }
        inside.await();
        door.close();
        assertThat(door.isShut()).isFalse();
        go.countDown();
        while (!door.isShut()) {
            Thread.onSpinWait();
        }
        assertThat(left.get()).isEqualTo(producers);
        for (Thread thread : threads) {
            thread.join();
        }
    }
}
