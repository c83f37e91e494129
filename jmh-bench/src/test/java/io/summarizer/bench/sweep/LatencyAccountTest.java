package io.summarizer.bench.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LatencyAccountTest {
    private static final long START = 1_000_000_000_000L;

    private static long at(long millis) {
        return START + TimeUnit.MILLISECONDS.toNanos(millis);
    }

    @Test
    void aProbeCountsFromWhenItWasDue() {
        LatencyAccount account = new LatencyAccount(START, 1000, 0);
        account.visible(1, at(2));
        account.visible(2, at(5));
        assertThat(account.micros(50)).isCloseTo(2000, withinPercentage(1));
        assertThat(account.maxMicros()).isCloseTo(4000, withinPercentage(1));
    }

    @Test
    void whatStandsBehindAPauseHasThePauseInIt() {
        // Nothing is visible for a second, then all at once: a probe that was due in its middle waited half a second,
        // although it was sent only after the pause and seen a moment later.
        LatencyAccount account = new LatencyAccount(START, 1000, 0);
        account.visible(1000, at(1000));
        assertThat(account.micros(50)).isCloseTo(500_000, withinPercentage(1));
        assertThat(account.micros(99)).isCloseTo(990_000, withinPercentage(1));
        assertThat(account.maxMicros()).isCloseTo(1_000_000, withinPercentage(1));
    }

    @Test
    void whileTheServerSettlesNothingCounts() {
        LatencyAccount account = new LatencyAccount(START, 1000, 2);
        account.visible(2, at(900));
        account.visible(3, at(3));
        assertThat(account.maxMicros()).isCloseTo(1000, withinPercentage(1));
        assertThat(account.seen()).isEqualTo(3);
    }

    @Test
    void aPullThatShowsNothingNewChangesNothing() {
        LatencyAccount account = new LatencyAccount(START, 1000, 0);
        account.visible(1, at(1));
        account.visible(1, at(500));
        account.visible(0, at(600));
        assertThat(account.maxMicros()).isCloseTo(1000, withinPercentage(1));
    }
}
