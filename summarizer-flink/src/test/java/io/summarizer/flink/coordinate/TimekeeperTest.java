package io.summarizer.flink.coordinate;

import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.core.store.AggregateType;
import io.summarizer.core.store.ClosedWindows;
import io.summarizer.core.store.KeyType;
import io.summarizer.core.store.SummaryLayout;
import io.summarizer.core.store.SummaryLimit;
import io.summarizer.core.store.SummaryWindow;
import io.summarizer.core.time.CalendarUnit;
import io.summarizer.core.window.WindowInput;
import io.summarizer.flink.record.Decision.Boundary;
import io.summarizer.flink.record.Progress;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TimekeeperTest {
    private static final long SECOND = 1_000_000;
    private static final long MINUTE = 60 * SECOND;
    private static final long START = -7 * MINUTE; // any origin

    private final Timekeeper keeper = keeper("W");

    private static Timekeeper keeper(String... summaries) {
        return keeper(0, summaries);
    }

    private static Timekeeper keeper(long closeAfter, String... summaries) {
        SummaryWindow window =
                new SummaryWindow(0, 1, CalendarUnit.MINUTE, ZoneOffset.UTC, closeAfter, SummaryWindow.FOR_EVER);
        List<SummaryLayout> layouts = List.of(summaries).stream()
                .map(name -> new SummaryLayout(
                        name,
                        0,
                        List.of(new SummaryLayout.KeyColumn("w", 1, KeyType.TIMESTAMP)),
                        List.of(new SummaryLayout.ValueColumn("n", 1, AggregateType.COUNT, 0, 0)),
                        List.of(),
                        SummaryLimit.DEFAULT,
                        window))
                .toList();
        return new Timekeeper(layouts, List.of("a-0", "a-1"), MINUTE);
    }

    private void take(String input, long mark, long idleSeconds) {
        keeper.take(new Progress(input, new long[] {mark}, idleSeconds * 1_000));
    }

    /** Takes progress and looks at it, a second after the start. */
    private void look(String input, long mark, long idleSeconds) {
        take(input, mark, idleSeconds);
        var unused = advance(1);
    }

    private List<Boundary> advance(long second) {
        keeper.start(START);
        return keeper.advance(START + second * SECOND);
    }

    @Test
    void beforeTheFirstCloseThereIsNoBoundary() throws Exception {
        assertThat(keeper.boundaries()).containsExactly(Map.entry("W", ClosedWindows.NO_BOUNDARY));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        keeper.writeTo(new DataOutputStream(bytes));
        Timekeeper restored = keeper("W");
        restored.restore(new DataInputStream(new ByteArrayInputStream(bytes.toByteArray())), input -> true);
        assertThat(restored.boundaries()).isEqualTo(keeper.boundaries());
    }

    @Test
    void waitsForASlowInputAndForInputsThatHadNoRecordYet() {
        take("a-0", 10 * MINUTE, 0);
        assertThat(advance(1)).isEmpty();
        take("a-1", 3 * MINUTE, 0);
        assertThat(advance(2)).containsExactly(new Boundary(0, 3 * MINUTE));
        assertThat(keeper.watermark(0)).isEqualTo(3 * MINUTE);
        assertThat(advance(600)).isEmpty();
    }

    @Test
    void theTimeOfInputsWithoutRecordsBeginsWhenAllSubtasksRun() throws Exception {
        take("a-0", 10 * MINUTE, 0);
        take("a-1", 10 * MINUTE, 0);
        var unused = advance(1);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        keeper.writeTo(new DataOutputStream(bytes));
        Timekeeper next = keeper("W");
        next.restore(new DataInputStream(new ByteArrayInputStream(bytes.toByteArray())), input -> true);
        next.take(new Progress("a-0", new long[] {90 * MINUTE}, 0));
        for (long minute = 95; minute <= 100; minute++) { // owners still load their rows
            assertThat(next.advance(START + minute * MINUTE)).isEmpty();
        }
        assertThat(next.watermark(0)).isEqualTo(10 * MINUTE);
        next.start(START + 100 * MINUTE);
        next.start(START);
        assertThat(next.advance(START + 100 * MINUTE)).isEmpty();
        assertThat(next.advance(START + 101 * MINUTE)).isEmpty();
        assertThat(next.watermark(0)).isEqualTo(10 * MINUTE);
        assertThat(next.advance(START + 103 * MINUTE)).containsExactly(new Boundary(0, 12 * MINUTE));
    }

    @Test
    void aPartitionOfATopicThatIsNotReadAnyMoreHoldsUpNothing() throws Exception {
        take("a-0", 10 * MINUTE, 0);
        take("b-0", 3 * MINUTE, 0);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        keeper.writeTo(new DataOutputStream(bytes));
        Timekeeper next = keeper("W");
        next.restore(
                new DataInputStream(new ByteArrayInputStream(bytes.toByteArray())), input -> input.startsWith("a-"));
        next.take(new Progress("a-0", new long[] {11 * MINUTE}, 0));
        next.take(new Progress("a-1", new long[] {12 * MINUTE}, 0));
        assertThat(next.advance(START)).containsExactly(new Boundary(0, 11 * MINUTE));
    }

    @Test
    void progressMovesNothingUntilItIsLookedAt() {
        take("a-0", 10 * MINUTE, 0);
        take("a-1", 3 * MINUTE, 0);
        assertThat(keeper.watermark(0)).isEqualTo(WindowInput.NONE);
        var unused = advance(1);
        assertThat(keeper.watermark(0)).isEqualTo(3 * MINUTE);
    }

    @Test
    void theEarliestTimesCloseNoLaterWindow() {
        long least = Math.floorDiv(Long.MIN_VALUE, 1000) * 1000 + 1000; // the least that timestamp() makes of ms
        for (long first : new long[] {least, least + 30 * SECOND, Long.MIN_VALUE + 1}) {
            Timekeeper late = keeper(10 * SECOND, "W");
            late.take(new Progress("a-0", new long[] {first}, 0));
            late.take(new Progress("a-1", new long[] {first}, 0));
            late.advance(START)
                    .forEach(boundary -> assertThat(boundary.before()).isLessThan(0));
            late.take(new Progress("a-0", new long[] {MINUTE}, 0));
            late.take(new Progress("a-1", new long[] {MINUTE + 10 * SECOND}, 0));
            assertThat(late.advance(START)).containsExactly(new Boundary(0, 0));
        }
    }

    @Test
    void doesNotWaitForAnInputWithoutRecordsSinceTheStartForLongerThanIdle() {
        take("a-0", 10 * MINUTE, 0);
        assertThat(advance(59)).isEmpty();
        assertThat(advance(60)).containsExactly(new Boundary(0, 10 * MINUTE));
    }

    @Test
    void anIdleInputGoesOnAtThePaceOfTheClock() {
        take("a-0", 10 * MINUTE, 0);
        take("a-1", 3 * MINUTE, 0);
        var unused = advance(1);
        look("a-1", 3 * MINUTE, 59);
        look("a-1", 3 * MINUTE, 60);
        assertThat(keeper.watermark(0)).isEqualTo(3 * MINUTE);
        look("a-1", 3 * MINUTE, 90);
        assertThat(keeper.watermark(0)).isEqualTo(3 * MINUTE + 30 * SECOND);
        unused = advance(600); // its reader is held up, and says nothing
        assertThat(keeper.watermark(0)).isEqualTo(3 * MINUTE + 30 * SECOND);
        look("a-1", 3 * MINUTE + SECOND, 0); // an event before the mark
        look("a-1", 3 * MINUTE + SECOND, 59);
        assertThat(keeper.watermark(0)).isEqualTo(3 * MINUTE + 30 * SECOND);
        look("a-1", 3 * MINUTE + SECOND, 60);
        look("a-1", 3 * MINUTE + SECOND, 61);
        assertThat(keeper.watermark(0)).isEqualTo(3 * MINUTE + 31 * SECOND);
    }

    @Test
    void goesOnFromASavedStateForOtherDefinitions() throws Exception {
        take("a-0", 10 * MINUTE, 0);
        take("a-1", 3 * MINUTE, 0);
        var unused = advance(1);
        take("a-1", 5 * MINUTE, 0); // not looked at yet
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        keeper.writeTo(new DataOutputStream(bytes));
        Timekeeper next = keeper("Other", "W");
        next.restore(new DataInputStream(new ByteArrayInputStream(bytes.toByteArray())), input -> true);
        assertThat(next.watermark(0)).isEqualTo(WindowInput.NONE);
        assertThat(next.watermark(1)).isEqualTo(5 * MINUTE);
        next.take(new Progress("a-1", new long[] {WindowInput.NONE, 12 * MINUTE}, 0));
        next.start(START);
        assertThat(next.advance(START)).isEmpty();
        assertThat(next.advance(START + 59 * SECOND)).isEmpty();
        assertThat(next.advance(START + 60 * SECOND)).containsExactly(new Boundary(1, 10 * MINUTE));
        assertThat(next.advance(START + 120 * SECOND)).containsExactly(new Boundary(1, 11 * MINUTE));
    }
}
