package io.summarizer.core.receive;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class SteadyMicrosTest {
    private static final long START = 1_790_000_000_000_000L;
    private static final long SECOND = 1_000_000;
    private static final long HOUR = 3_600 * SECOND;

    private long wall = START;
    private long nanos = 77;
    private long leap;
    private final SteadyMicros clock = new SteadyMicros(() -> wall, () -> nanos, 3 * HOUR, lead -> leap = lead);

    /** Advances both clocks, and reads the time every so many µs. */
    private void pass(long micros, long every) {
        for (long passed = 0; passed < micros; passed += every) {
            wall += every;
            nanos += 1_000 * every;
            long unused = clock.getAsLong();
        }
    }

    private long ahead() {
        return clock.getAsLong() - wall;
    }

    @Test
    void goesWithTheWallClock() {
        assertThat(ahead()).isZero();
        pass(10 * SECOND, 1_000);
        assertThat(ahead()).isZero();
        pass(HOUR, HOUR);
        assertThat(ahead()).isZero();
    }

    @Test
    void followsAClockThatIsSetForwardByAnEighthOfTheTime() {
        pass(SECOND, 1_000);
        wall += 2 * HOUR;
        pass(80 * SECOND, 10_000);
        assertThat(ahead()).isBetween(-2 * HOUR + 9 * SECOND, -2 * HOUR + 10 * SECOND);
        pass(17 * HOUR, SECOND);
        assertThat(ahead()).isZero();
    }

    @Test
    void goesOnWhenTheClockIsSetBack() {
        wall -= 2 * HOUR;
        long before = clock.getAsLong();
        pass(80 * SECOND, 10_000);
        assertThat(clock.getAsLong() - before).isBetween(70 * SECOND, 71 * SECOND);
        pass(17 * HOUR, SECOND);
        assertThat(ahead()).isZero();
    }

    @Test
    void doesNotGoTooFarWhenNobodyLooksForAWhile() {
        pass(SECOND, 1_000);
        wall += SECOND;
        pass(200_000, 100_000);
        pass(HOUR, HOUR);
        assertThat(ahead()).isZero();
    }

    @Test
    void takesNoNoticeOfAMoment() {
        pass(SECOND, 1_000);
        wall += 1_000_000 * HOUR;
        pass(2 * SECOND, 100_000);
        wall -= 1_000_000 * HOUR;
        assertThat(ahead()).isBetween(0L, SECOND / 2);
        pass(10 * SECOND, 100_000);
        assertThat(ahead()).isZero();
    }

    @Test
    void believesAClockThatIsFarAheadForAMinute() {
        wall += 4 * HOUR;
        pass(59 * SECOND, SECOND);
        assertThat(ahead()).isLessThan(-3 * HOUR);
        assertThat(leap).isZero();
        pass(3 * SECOND, SECOND);
        assertThat(ahead()).isZero();
        assertThat(leap).isGreaterThan(3 * HOUR);
    }

    @Test
    void goesOnFromATimeThatIsStillToCome() {
        clock.atLeast(START + 2 * HOUR);
        assertThat(ahead()).isEqualTo(2 * HOUR);
        pass(80 * SECOND, 10_000);
        assertThat(ahead()).isBetween(2 * HOUR - 10 * SECOND, 2 * HOUR - 9 * SECOND);
        clock.atLeast(START);
        assertThat(ahead()).isGreaterThan(2 * HOUR - 11 * SECOND);
    }

    @Test
    void isOneOfTheSystem() {
        long before = TimeUnit.MILLISECONDS.toMicros(System.currentTimeMillis());
        assertThat(new SteadyMicros(HOUR, lead -> {}).getAsLong()).isBetween(before, before + HOUR);
    }
}
