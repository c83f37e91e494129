package io.summarizer.core.window;

import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.core.store.SummaryWindow;
import io.summarizer.core.time.CalendarUnit;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class WatermarksTest {
    private static final long SECOND = 1_000_000;
    private static final long IDLE = 60 * SECOND;
    private static final long NONE = WindowInput.NONE;

    private final Watermarks watermarks = new Watermarks(2, IDLE);

    /** Looks at two inputs whose batches are all processed, then moves the marks. */
    private long move(long now, long first, long second) {
        watermarks.look(0, now, now, now);
        watermarks.look(1, now, now, now);
        return watermarks.move("s", List.of(first, second), now);
    }

    @Test
    void isTheLeastOfTheInputsThatHadEvents() {
        assertThat(move(0, NONE, NONE)).isEqualTo(NONE);
        assertThat(watermarks.of("s")).isEqualTo(NONE);
        assertThat(move(1, 100, NONE)).isEqualTo(100);
        assertThat(move(2, 200, 50)).isEqualTo(50);
        assertThat(move(3, 200, 300)).isEqualTo(200);
        assertThat(watermarks.of("s")).isEqualTo(200);
        assertThat(watermarks.of("other")).isEqualTo(NONE);
    }

    @Test
    void anIdleInputGoesOnFromWhereItStoodAtThePaceOfTheClock() {
        assertThat(move(0, 1_000 * SECOND, NONE)).isEqualTo(1_000 * SECOND);
        assertThat(move(30 * SECOND, 1_000 * SECOND, NONE)).isEqualTo(1_000 * SECOND);
        assertThat(move(60 * SECOND, 1_000 * SECOND, NONE)).isEqualTo(1_000 * SECOND);
        // From a look at 60 s on, all batches before 60 s are known to be processed.
        assertThat(move(61 * SECOND, 1_000 * SECOND, NONE)).isEqualTo(1_000 * SECOND);
        assertThat(move(64 * SECOND, 1_000 * SECOND, NONE)).isEqualTo(1_003 * SECOND);
        assertThat(move(164 * SECOND, 1_000 * SECOND, NONE)).isEqualTo(1_103 * SECOND);
        // An event ends it. Its time may be before the mark, which never goes back.
        assertThat(move(165 * SECOND, 1_050 * SECOND, NONE)).isEqualTo(1_103 * SECOND);
        assertThat(move(170 * SECOND, 1_050 * SECOND, NONE)).isEqualTo(1_103 * SECOND);
        assertThat(move(171 * SECOND, 1_200 * SECOND, NONE)).isEqualTo(1_200 * SECOND);
    }

    @Test
    void anInputWithBatchesThatWaitIsNotIdle() {
        assertThat(move(0, 1_000, 5_000)).isEqualTo(1_000);
        watermarks.look(0, 10, 5, SECOND); // notes that ten were handed over
        for (long now = 2; now < 300; now++) {
            watermarks.look(0, 20, 9, now * SECOND); // one of the ten still waits
            watermarks.look(1, 0, 0, now * SECOND);
            assertThat(watermarks.move("s", List.of(1_000L, 5_000L), now * SECOND))
                    .as("%s", now)
                    .isEqualTo(1_000);
        }
        watermarks.look(0, 20, 20, 300 * SECOND);
        watermarks.look(0, 20, 20, 301 * SECOND);
        watermarks.look(0, 20, 20, 302 * SECOND);
        assertThat(watermarks.move("s", List.of(1_000L, 5_000L), 302 * SECOND)).isEqualTo(1_000);
        assertThat(watermarks.move("s", List.of(1_000L, 5_000L), 303 * SECOND)).isEqualTo(1_000 + SECOND);
    }

    @Test
    void goesOnFromACheckpoint() throws IOException {
        assertThat(move(0, 100, 50)).isEqualTo(50);
        Map<String, List<Long>> saved = watermarks.marks(Map.of());
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        WatermarkPart.of(saved).writeTo(bytes);
        assertThat(WatermarkPart.read(new ByteArrayInputStream(bytes.toByteArray())))
                .isEqualTo(saved);
        Watermarks next = new Watermarks(2, IDLE);
        next.restore(saved);
        assertThat(next.of("s")).isEqualTo(50);
        long start = 1_000_000 * SECOND; // another clock
        next.look(0, 0, 0, start);
        next.look(1, 0, 0, start);
        assertThat(next.move("s", List.of(NONE, NONE), start)).isEqualTo(50);
        assertThat(next.move("s", List.of(NONE, 70L), start + 1)).isEqualTo(70);
        Watermarks more = new Watermarks(3, IDLE);
        more.restore(saved);
        assertThat(more.marks(Map.of())).isEqualTo(Map.of("s", List.of(50L, 50L, 50L)));
    }

    @Test
    void aRestoredInputBecomesIdle() {
        watermarks.restore(Map.of("s", List.of(500L, NONE)));
        for (long now = 0; now <= 61; now++) {
            assertThat(move(now * SECOND, NONE, NONE)).isEqualTo(500);
        }
        assertThat(move(71 * SECOND, NONE, NONE)).isEqualTo(500 + 10 * SECOND);
    }

    @Test
    void anEventMovesAnInputToItsTimeOrToItsArrival() {
        SummaryWindow minute = new SummaryWindow(0, 1, CalendarUnit.MINUTE, ZoneOffset.UTC);
        WindowInput input = new WindowInput(minute, 10 * SECOND, new LateFlag());
        assertThat(input.progress()).isEqualTo(NONE);
        assertThat(input.start(61 * SECOND, 100 * SECOND)).isEqualTo(60 * SECOND);
        assertThat(input.progress()).isEqualTo(61 * SECOND);
        assertThat(input.start(5 * SECOND, 100 * SECOND)).isZero();
        assertThat(input.progress()).isEqualTo(61 * SECOND);
        assertThat(input.start(110 * SECOND, 100 * SECOND)).isEqualTo(60 * SECOND);
        assertThat(input.progress()).isEqualTo(100 * SECOND);
        assertThat(input.start(110 * SECOND + 1, 100 * SECOND)).isEqualTo(SummaryWindow.EARLY);
        assertThat(input.start(Long.MAX_VALUE, 200 * SECOND)).isEqualTo(SummaryWindow.EARLY);
        assertThat(input.progress()).isEqualTo(200 * SECOND);
        assertThat(input.start(Long.MIN_VALUE, 300 * SECOND)).isLessThan(Long.MIN_VALUE + 120 * SECOND);
    }
}
