package io.summarizer.core.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class BatchPoolTest {
    private static final int BACKLOG = 200;

    private long nanos;
    private int made;
    private final BatchPool<Object> pool = new BatchPool<>(
            2 * BACKLOG,
            () -> {
                made++;
                return new Object();
            },
            () -> nanos);

    @Test
    void shouldDropTheBatchesOfABacklogWithinSeconds() {
        release(acquire(BACKLOG));
        for (int second = 0; second < 12; second++) {
            use(1000, 3);
            nanos += TimeUnit.SECONDS.toNanos(1);
        }
        made = 0;
        List<Object> left = acquire(BACKLOG);
        assertThat(BACKLOG - made).as("batches left in the pool").isBetween(3, 8);
        assertThat(left).doesNotHaveDuplicates();
    }

    @Test
    void shouldKeepTheBatchesThatAreNeededNowAndThen() {
        release(acquire(BACKLOG));
        for (int second = 0; second < 12; second++) {
            use(1000, 1);
            use(1000, BACKLOG);
            nanos += TimeUnit.SECONDS.toNanos(1);
        }
        assertThat(made).isEqualTo(BACKLOG);
    }

    /** Pools are used without a pause, and the second passes between two acquisitions. */
    @Test
    void shouldMakeNoBatchInSteadyUse() {
        release(acquire(BACKLOG));
        Set<Object> used = new HashSet<>();
        for (int second = 0; second < 60; second++) {
            if (second == 30) {
                made = 0;
            }
            for (int i = 0; i < 100; i++) {
                nanos += TimeUnit.MILLISECONDS.toNanos(10);
                List<Object> batches = acquire(5);
                used.addAll(batches);
                release(batches);
            }
        }
        assertThat(made).isZero();
        assertThat(used).hasSizeLessThanOrEqualTo(BACKLOG);
    }

    /** Acquires {@code count} batches, many times. */
    private void use(int times, int count) {
        for (int i = 0; i < times; i++) {
            release(acquire(count));
        }
    }

    private List<Object> acquire(int count) {
        List<Object> batches = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            batches.add(pool.acquire());
        }
        return batches;
    }

    private void release(List<Object> batches) {
        batches.forEach(pool::release);
    }
}
