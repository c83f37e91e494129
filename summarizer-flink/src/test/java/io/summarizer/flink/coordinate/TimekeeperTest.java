package io.summarizer.flink.coordinate;

import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.core.Seeds;
import io.summarizer.core.pipeline.SumPlan;
import io.summarizer.core.store.SummaryLayout;
import io.summarizer.core.store.SummaryLimit;
import io.summarizer.core.store.SummaryWindow;
import io.summarizer.core.time.CalendarUnit;
import io.summarizer.core.window.WindowInput;
import io.summarizer.flink.record.Boundary;
import io.summarizer.flink.record.Progress;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TimekeeperTest {
    private static final long SECOND = 1_000_000;
    private static final long MINUTE = 60 * SECOND;
    private static final long TIME = 1_700_000_040_000_000L; // a whole minute
    private static final long IDLE = 30 * SECOND;
    private static final long NONE = WindowInput.NONE;

    private static final SummaryLayout PLAIN =
            new SumPlan(1, List.of("Plain")).summaries().get(0);
    private static final SummaryLayout MINUTES = SumPlan.windowed(
            "Minutes",
            new SummaryWindow(0, 1, CalendarUnit.MINUTE, ZoneOffset.UTC, 10 * SECOND, SummaryWindow.FOR_EVER),
            SummaryLimit.DEFAULT);
    private static final SummaryLayout HOURS = SumPlan.windowed(
            "Hours",
            new SummaryWindow(0, 1, CalendarUnit.HOUR, ZoneOffset.UTC, 0, SummaryWindow.FOR_EVER),
            SummaryLimit.DEFAULT);
    private static final List<SummaryLayout> LAYOUTS = List.of(PLAIN, MINUTES, MINUTES.overflow());

    private static Timekeeper timekeeper(String... expected) {
        return new Timekeeper(LAYOUTS, List.of(expected), IDLE, 0);
    }

    /** The progress of an input in which only the windows of minutes have events. */
    private static Progress progress(String input, long mark, long idleMicros) {
        return new Progress(input, new long[] {NONE, mark, NONE}, idleMicros / 1000);
    }

    private static Timekeeper restored(Timekeeper from, List<SummaryLayout> layouts, List<String> expected)
            throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        from.writeTo(new DataOutputStream(bytes));
        Timekeeper to = new Timekeeper(layouts, expected, IDLE, 0);
        to.restore(new DataInputStream(new ByteArrayInputStream(bytes.toByteArray())));
        return to;
    }

    @Test
    void theSlowestInputClosesWindows() {
        Timekeeper timekeeper = timekeeper("a", "b");
        timekeeper.take(progress("a", TIME + 5 * MINUTE, 0));
        timekeeper.take(progress("b", TIME + MINUTE + 10 * SECOND - 1, 0));
        assertThat(timekeeper.advance(0)).containsExactly(new Boundary(1, TIME));
        timekeeper.take(progress("b", TIME + MINUTE + 10 * SECOND, 0));
        assertThat(timekeeper.watermark(1)).isEqualTo(TIME + MINUTE + 10 * SECOND);
        assertThat(timekeeper.advance(0)).containsExactly(new Boundary(1, TIME + MINUTE));
        assertThat(timekeeper.advance(0)).isEmpty();
        assertThat(timekeeper.boundaries())
                .containsEntry("Minutes", TIME + MINUTE)
                .containsEntry("Plain", NONE)
                .containsEntry("Minutes.overflow", NONE);
    }

    @Test
    void anExpectedInputHoldsWindowsBackUntilItHasARecordOrIsIdle() {
        Timekeeper timekeeper = timekeeper("a", "b");
        timekeeper.take(progress("a", TIME + MINUTE + 10 * SECOND, 0));
        assertThat(timekeeper.advance(IDLE - 1)).isEmpty();
        assertThat(timekeeper.advance(IDLE)).containsExactly(new Boundary(1, TIME + MINUTE));
        Timekeeper both = timekeeper("a", "b");
        both.take(progress("a", TIME + 9 * MINUTE, 0));
        both.take(progress("b", TIME + MINUTE + 10 * SECOND, 0));
        assertThat(both.advance(1)).containsExactly(new Boundary(1, TIME + MINUTE));
    }

    @Test
    void anIdleInputGoesOnFromWhereItStoodAtThePaceOfTheClock() {
        Timekeeper timekeeper = timekeeper("a", "b");
        timekeeper.take(progress("a", TIME + 9 * MINUTE, 0));
        for (long idle = 0; idle <= 3 * IDLE; idle += SECOND / 10) {
            timekeeper.take(progress("b", TIME, idle));
            assertThat(timekeeper.watermark(1)).isEqualTo(TIME + Math.max(0, idle - IDLE));
        }
        // Its next events take it up, and older ones do not take it back.
        timekeeper.take(progress("b", TIME + 10 * SECOND, 0));
        assertThat(timekeeper.watermark(1)).isEqualTo(TIME + 2 * IDLE);
        timekeeper.take(progress("b", TIME + 2 * MINUTE, 0));
        assertThat(timekeeper.watermark(1)).isEqualTo(TIME + 2 * MINUTE);
    }

    @Test
    void anInputOfAnEarlierRunHoldsWindowsBackUntilItIsIdle() throws IOException {
        Timekeeper before = timekeeper("a", "b");
        before.take(progress("a", TIME + 3 * MINUTE, 0));
        before.take(progress("b", TIME + MINUTE + 10 * SECOND, 0));
        assertThat(before.advance(0)).containsExactly(new Boundary(1, TIME + MINUTE));
        Timekeeper after = restored(before, LAYOUTS, List.of("a", "c"));
        assertThat(after.boundaries()).isEqualTo(before.boundaries());
        after.take(progress("a", TIME + 9 * MINUTE, 0));
        after.take(progress("c", TIME + 9 * MINUTE, 0));
        assertThat(after.advance(IDLE - 1)).isEmpty();
        assertThat(after.watermark(1)).isEqualTo(TIME + MINUTE + 10 * SECOND);
        assertThat(after.advance(IDLE + MINUTE)).containsExactly(new Boundary(1, TIME + 2 * MINUTE));
    }

    @Test
    void stateOfOtherDefinitionsIsMatchedByName() throws IOException {
        Timekeeper before = timekeeper("a");
        before.take(progress("a", TIME + MINUTE + 10 * SECOND, 0));
        assertThat(before.advance(0)).hasSize(1);
        Timekeeper after = restored(before, List.of(HOURS, MINUTES), List.of("a"));
        assertThat(after.boundaries()).containsOnly(Map.entry("Hours", NONE), Map.entry("Minutes", TIME + MINUTE));
        assertThat(after.watermark(0)).isEqualTo(NONE);
        assertThat(after.watermark(1)).isEqualTo(TIME + MINUTE + 10 * SECOND);
        after.take(new Progress("a", new long[] {TIME + 2 * 60 * MINUTE, TIME}, 0));
        assertThat(after.advance(0)).singleElement().satisfies(boundary -> {
            assertThat(boundary.summary()).isZero();
            assertThat(boundary.before()).isEqualTo(Math.floorDiv(TIME + 2 * 60 * MINUTE, 60 * MINUTE) * 60 * MINUTE);
        });
    }

    @Test
    void boundariesNeverGoBack() throws IOException {
        long seed = Seeds.first();
        for (long last = seed + Seeds.count(100); seed < last; seed++) {
            System.out.println("summarizer.seed=" + seed);
            Random random = new Random(seed);
            List<String> inputs = List.of("a", "b", "c");
            Timekeeper timekeeper = new Timekeeper(LAYOUTS, inputs, IDLE, 0);
            long boundary = NONE;
            long now = 0;
            for (int step = 0; step < 200; step++) {
                now += random.nextLong(SECOND);
                if (random.nextInt(20) == 0) {
                    timekeeper = restored(timekeeper, LAYOUTS, inputs);
                    now = 0;
                } else {
                    long mark = TIME + step * 5L * SECOND - random.nextLong(MINUTE);
                    timekeeper.take(progress(
                            inputs.get(random.nextInt(3)),
                            mark,
                            random.nextInt(4) == 0 ? random.nextLong(2 * IDLE) : 0));
                }
                for (Boundary moved : timekeeper.advance(now)) {
                    assertThat(moved.before()).isGreaterThan(boundary);
                    assertThat(moved.before()).isLessThanOrEqualTo(timekeeper.watermark(1) - 10 * SECOND);
                    boundary = moved.before();
                }
                assertThat(timekeeper.boundaries()).containsEntry("Minutes", boundary);
            }
            assertThat(boundary).isGreaterThan(TIME);
        }
    }
}
