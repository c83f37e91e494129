package io.summarizer.core.window;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.summarizer.core.message.KafkaRange.Partition;
import io.summarizer.core.store.SummaryWindow;
import io.summarizer.core.time.CalendarUnit;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class WatermarksTest {
    private static final long SECOND = 1_000_000;
    private static final long IDLE = 60 * SECOND;
    private static final long NONE = WindowInput.NONE;
    private static final String FIRST = InputName.ofPipeline(0);
    private static final String SECOND_INPUT = "orders-3";

    private final Watermarks watermarks = new Watermarks(IDLE);

    private static Map<String, Long> progress(long first, long second) {
        return Map.of(FIRST, first, SECOND_INPUT, second);
    }

    /** Moves the marks of two inputs at which nothing waits. */
    private long move(long now, long first, long second) {
        return watermarks.move("s", progress(first, second), input -> now);
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
        assertThat(move(61 * SECOND, 1_000 * SECOND, NONE)).isEqualTo(1_000 * SECOND);
        assertThat(move(64 * SECOND, 1_000 * SECOND, NONE)).isEqualTo(1_003 * SECOND);
        assertThat(move(164 * SECOND, 1_000 * SECOND, NONE)).isEqualTo(1_103 * SECOND);
        // An event ends it. Its time may be before the mark, which never goes back.
        assertThat(move(165 * SECOND, 1_050 * SECOND, NONE)).isEqualTo(1_103 * SECOND);
        assertThat(move(170 * SECOND, 1_050 * SECOND, NONE)).isEqualTo(1_103 * SECOND);
        assertThat(move(171 * SECOND, 1_200 * SECOND, NONE)).isEqualTo(1_200 * SECOND);
    }

    @Test
    void anIdleInputDoesNotHoldUpTheOthers() {
        assertThat(move(0, 1_000 * SECOND, 500 * SECOND)).isEqualTo(500 * SECOND);
        assertThat(move(59 * SECOND, 1_059 * SECOND, 500 * SECOND)).isEqualTo(500 * SECOND);
        assertThat(move(60 * SECOND, 1_060 * SECOND, 500 * SECOND)).isEqualTo(500 * SECOND);
        assertThat(move(70 * SECOND, 1_070 * SECOND, 500 * SECOND)).isEqualTo(510 * SECOND);
        assertThat(move(71 * SECOND, 1_071 * SECOND, 600 * SECOND)).isEqualTo(600 * SECOND);
    }

    @Test
    void anInputWithBatchesThatWaitIsNotIdle() {
        Backlog first = watermarks.newBacklog();
        first.look(0, 0, 0);
        assertThat(move(first)).isEqualTo(1_000);
        first.look(10, 5, SECOND); // notes that ten were handed over
        for (long second = 2; second < 300; second++) {
            first.look(20, 9, second * SECOND); // one of the ten still waits
            assertThat(move(first)).as("%s", second).isEqualTo(1_000);
        }
        assertThat(first.clearMicros()).isZero();
        for (long second = 300; second <= 361; second++) {
            first.look(20, 20, second * SECOND); // nothing waits; what waited before was held up
            assertThat(move(first)).as("%s", second).isEqualTo(1_000);
        }
        assertThat(first.clearMicros()).isEqualTo(60 * SECOND);
        first.look(20, 20, 362 * SECOND);
        assertThat(move(first)).isEqualTo(1_000 + SECOND);
    }

    private long move(Backlog first) {
        return watermarks.move(
                "s", progress(1_000, 500_000 * SECOND), input -> input.equals(FIRST) ? first.clearMicros() : 0);
    }

    /** While nobody can look at the input, messages may wait. */
    @Test
    void timeWithoutALookAtTheInputIsNotClear() {
        Backlog backlog = watermarks.newBacklog();
        backlog.look(1, 1, 0);
        backlog.look(1, 1, SECOND);
        for (int i = 0; i < 3; i++) {
            backlog.hold();
        }
        backlog.look(1, 1, 3_600 * SECOND);
        backlog.look(1, 1, 3_601 * SECOND);
        backlog.look(1, 1, 3_602 * SECOND);
        assertThat(backlog.clearMicros()).isEqualTo(SECOND);
    }

    /** Each batch waits for two looks, and others come meanwhile. */
    @Test
    void aShortWaitInASteadyStreamCountsAsClear() {
        Backlog backlog = watermarks.newBacklog();
        for (long second = 0; second <= 90; second++) {
            backlog.look(second, second - 2, second * SECOND);
        }
        assertThat(backlog.clearMicros()).isBetween(80 * SECOND, 90 * SECOND);
    }

    @Test
    void anIdleInputStandsWhileBatchesWait() {
        assertThat(move(0, 1_000, NONE)).isEqualTo(1_000);
        assertThat(move(60 * SECOND, 1_000, NONE)).isEqualTo(1_000);
        assertThat(move(61 * SECOND, 1_000, NONE)).isEqualTo(1_000 + SECOND);
        assertThat(move(61 * SECOND, 1_000, NONE)).isEqualTo(1_000 + SECOND);
        assertThat(move(62 * SECOND, 1_000, NONE)).isEqualTo(1_000 + 2 * SECOND);
    }

    private static byte[] bytes(Map<String, Map<String, Long>> marks) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        WatermarkPart.of(marks).writeTo(bytes);
        return bytes.toByteArray();
    }

    private static Map<String, Map<String, Long>> read(byte[] part, boolean fromKafka) throws IOException {
        return WatermarkPart.read(new ByteArrayInputStream(part), fromKafka);
    }

    @Test
    void goesOnFromACheckpointWithEachInput() throws IOException {
        assertThat(move(0, 100, 50)).isEqualTo(50);
        Map<String, Map<String, Long>> saved =
                watermarks.marks(Map.of("s", Map.of(FIRST, 120L, "new-0", 90L), "t", Map.of(FIRST, 7L)));
        assertThat(saved)
                .isEqualTo(Map.of("s", Map.of(FIRST, 120L, SECOND_INPUT, 50L, "new-0", 90L), "t", Map.of(FIRST, 7L)));
        assertThat(read(bytes(saved), true)).isEqualTo(saved);
        Watermarks next = new Watermarks(IDLE);
        next.restore(read(bytes(saved), false), input -> false, 0);
        assertThat(next.of("s")).isEqualTo(50);
        assertThat(next.move("s", Map.of(), input -> 0)).isEqualTo(50);
        assertThat(next.move("s", Map.of(SECOND_INPUT, 70L), input -> 0)).isEqualTo(70);
        assertThat(next.move("s", Map.of(SECOND_INPUT, 200L), input -> 0)).isEqualTo(90);
        next.retain(input -> !input.equals("new-0"));
        assertThat(next.of("s")).isEqualTo(120);
    }

    @Test
    void aPartOfVersionOneHasTheMarksOfPipelines() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeInt(1);
            out.writeInt(1);
            out.writeUTF("s");
            out.writeInt(2);
            out.writeLong(500);
            out.writeLong(NONE);
        }
        Map<String, Map<String, Long>> marks = read(bytes.toByteArray(), false);
        assertThat(marks).isEqualTo(Map.of("s", Map.of(FIRST, 500L, InputName.ofPipeline(1), NONE)));
        watermarks.restore(marks, input -> false, 0);
        assertThat(watermarks.of("s")).isEqualTo(500);
        assertThat(read(bytes.toByteArray(), true)).isEmpty();
        byte[] later = bytes.toByteArray();
        later[3] = 3;
        assertThatThrownBy(() -> read(later, false))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("version=3")
                .hasMessageContaining("versions 1 and 2");
    }

    @Test
    void aRestoredInputBecomesIdle() {
        watermarks.restore(Map.of("s", Map.of(FIRST, 500L, SECOND_INPUT, NONE)), input -> false, 0);
        for (long now = 0; now <= 60; now++) {
            assertThat(move(now * SECOND, NONE, NONE)).isEqualTo(500);
        }
        assertThat(move(70 * SECOND, NONE, NONE)).isEqualTo(500 + 10 * SECOND);
    }

    /** Without events, a saved mark cannot move while no process runs. This time must not delay windows for ever. */
    @Test
    void anIdleInputOfAnEarlierProcessGoesOnByTheTimeWithoutAProcess() {
        long down = 1_000 * SECOND;
        long behind = 200 * SECOND;
        watermarks.restore(Map.of("s", Map.of(FIRST, behind, SECOND_INPUT, 0L)), input -> false, down);
        for (long now = 0; now < 1_060; now++) {
            assertThat(move(now * SECOND, behind + down + now * SECOND, NONE))
                    .as("its senders may still come back")
                    .isEqualTo(Math.max(0, now - 60) * SECOND);
        }
        assertThat(move(1_060 * SECOND, behind + down + 1_060 * SECOND, NONE)).isEqualTo(down + 1_000 * SECOND);
        assertThat(move(1_061 * SECOND, behind + down + 1_061 * SECOND, NONE)).isEqualTo(down + 1_001 * SECOND);
    }

    /** Another input may have a backlog. */
    @Test
    void anIdleInputOfAnEarlierProcessDoesNotOvertakeTheOthers() {
        long down = 100 * SECOND;
        watermarks.restore(Map.of("s", Map.of(FIRST, 0L, SECOND_INPUT, 0L)), input -> false, down);
        for (long now = 0; now <= 159; now++) {
            long unused = move(now * SECOND, SECOND, NONE);
        }
        assertThat(move(160 * SECOND, 180 * SECOND, NONE))
                .as("60 s before the other")
                .isEqualTo(120 * SECOND);
        assertThat(move(161 * SECOND, 400 * SECOND, NONE)).as("all of it").isEqualTo((101 + 100) * SECOND);
    }

    @Test
    void anInputThatOnlyMayHaveHadEventsDoesNotCountOnceItIsIdle() {
        watermarks.restore(Map.of("s", Map.of(FIRST, 500L, SECOND_INPUT, 400L)), SECOND_INPUT::equals, 0);
        for (long now = 0; now < 60; now++) {
            assertThat(move(now * SECOND, 1_000 + now * SECOND, NONE)).isEqualTo(400);
        }
        assertThat(move(60 * SECOND, 1_000 + 60 * SECOND, NONE)).isEqualTo(1_000 + 60 * SECOND);
        assertThat(move(61 * SECOND, 1_000 + 61 * SECOND, 700)).isEqualTo(700);
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
        assertThat(input.progress()).isEqualTo(100 * SECOND);
        assertThat(input.start(Long.MIN_VALUE, 300 * SECOND)).isLessThan(Long.MIN_VALUE + 120 * SECOND);
    }

    @Test
    void eventsOfABatchFromKafkaMoveTheirPartitionOnly() {
        SummaryWindow minute = new SummaryWindow(0, 1, CalendarUnit.MINUTE, ZoneOffset.UTC);
        WindowInput input = new WindowInput(minute, 10 * SECOND, new LateFlag());
        Partition slow = new Partition(1, 2, "orders", 0);
        Partition busy = new Partition(1, 2, "orders", 1);
        long unused = input.start(10, 1_000);
        move(input, busy, 500);
        move(input, slow, 20);
        move(input, busy, 400);
        input.begin();
        input.end(new Partition(1, 2, "orders", 2)); // no event of the summary
        assertThat(input.progress()).isEqualTo(10);
        assertThat(partitions(input)).isEqualTo(Map.of("orders-0", 20L, "orders-1", 500L));
        WindowInput next = new WindowInput(minute, 10 * SECOND, new LateFlag());
        next.goOn(input);
        move(input, busy, 600);
        assertThat(next.progress()).isEqualTo(10);
        assertThat(partitions(next)).isEqualTo(Map.of("orders-0", 20L, "orders-1", 500L));
    }

    private static void move(WindowInput input, Partition partition, long time) {
        input.begin();
        long unused = input.start(time, 1_000);
        input.end(partition);
    }

    private static Map<String, Long> partitions(WindowInput input) {
        Map<String, Long> all = new HashMap<>();
        input.partitions((partition, seen) -> all.put(InputName.of(partition), seen));
        return all;
    }
}
