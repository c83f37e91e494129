package io.summarizer.core.receive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ArrivalClockTest {
    @Test
    void followsTheClockAndRunsAheadWhenItMust() {
        AtomicLong now = new AtomicLong(1_000);
        ArrivalClock clock = new ArrivalClock(now::get, 0);
        assertThat(clock.claim(1)).isEqualTo(1_000);
        assertThat(clock.claim(10)).isEqualTo(1_001);
        assertThat(clock.claim(1)).isEqualTo(1_011);
        now.set(500);
        assertThat(clock.claim(2)).isEqualTo(1_012);
        now.set(2_000);
        assertThat(clock.claim(1)).isEqualTo(2_000);
    }

    @Test
    void startsAboveTheStampsOfAFormerRun() {
        ArrivalClock clock = new ArrivalClock(() -> 5, 100);
        assertThat(clock.claim(1)).isEqualTo(101);
    }

    @Test
    void isNeitherAheadOfItselfNorOfTheWallClockWhenItMatters() {
        assertThat(new ArrivalClock(() -> 5, 100).lowerMicros()).isEqualTo(5);
        long before = System.currentTimeMillis() * 1_000;
        assertThat(new ArrivalClock(() -> Long.MAX_VALUE, 0).lowerMicros())
                .isBetween(before, (System.currentTimeMillis() + 1) * 1_000);
    }

    @Test
    void claimsNothingForAnEmptyBatch() {
        ArrivalClock clock = new ArrivalClock(() -> 5, 100);
        assertThat(clock.claim(0)).isEqualTo(101);
        assertThat(clock.claim(1)).isEqualTo(101);
        assertThatThrownBy(() -> clock.claim(-1)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void isCloseToTheSystemsClock() {
        long before = System.currentTimeMillis() * 1_000;
        long stamp = new ArrivalClock(0, 0).claim(1);
        assertThat(stamp).isBetween(before, (System.currentTimeMillis() + 1) * 1_000);
    }

    @Test
    void givesEachStampToOneThreadOnly() throws Exception {
        ArrivalClock clock = new ArrivalClock(() -> 7, 0);
        int claims = 20_000;
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            List<Future<long[]>> runs = new ArrayList<>();
            for (int t = 0; t < 4; t++) {
                runs.add(threads.submit(() -> {
                    long[] firsts = new long[claims];
                    for (int i = 0; i < claims; i++) {
                        firsts[i] = clock.claim(3);
                    }
                    return firsts;
                }));
            }
            long[] all = new long[4 * claims];
            for (int t = 0; t < 4; t++) {
                long[] firsts = runs.get(t).get();
                for (int i = 1; i < claims; i++) {
                    assertThat(firsts[i]).isGreaterThan(firsts[i - 1]);
                }
                System.arraycopy(firsts, 0, all, t * claims, claims);
            }
            Arrays.sort(all);
            for (int i = 0; i < all.length; i++) {
                assertThat(all[i]).isEqualTo(7 + 3L * i);
            }
        } finally {
            threads.shutdownNow();
        }
    }
}
