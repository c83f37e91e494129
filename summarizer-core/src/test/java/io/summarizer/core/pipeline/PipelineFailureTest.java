package io.summarizer.core.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class PipelineFailureTest {
    private final PipelineFailure failure = new PipelineFailure(AgentRunner.THREADS);

    @Test
    void shouldSleepWhileTheRoomIsTooSmall() throws Exception {
        AtomicInteger attempts = new AtomicInteger();
        long start = System.nanoTime();
        long end = start + TimeUnit.MILLISECONDS.toNanos(20);
        // There is always room, but not enough.
        failure.untilRoom(
                () -> {
                    attempts.incrementAndGet();
                    return System.nanoTime() > end;
                },
                Runnable::run,
                () -> {});
        assertThat(attempts.get()).isLessThanOrEqualTo((int) ((System.nanoTime() - start) / 50_000) + 1);
    }

    @Test
    void shouldTryAgainOnlyWhenThereIsRoom() throws Exception {
        AtomicInteger attempts = new AtomicInteger();
        AtomicInteger waits = new AtomicInteger();
        AtomicReference<@Nullable Runnable> resume = new AtomicReference<>();
        Thread consumer = new Thread(() -> {
            // Each attempt but the last gets room once, after three waits more.
            for (int attempt = 1; attempt < 5; attempt++) {
                while (attempts.get() < attempt || waits.get() < 3 * attempt) {
                    Thread.onSpinWait();
                }
                Runnable waiting = null;
                while (waiting == null) {
                    waiting = resume.getAndSet(null);
                }
                waiting.run();
            }
        });
        consumer.start();
        failure.untilRoom(() -> attempts.incrementAndGet() == 5, resume::set, waits::incrementAndGet);
        consumer.join();
        assertThat(attempts.get()).isEqualTo(5);
        assertThat(waits.get()).isGreaterThanOrEqualTo(12);
    }
}
