package io.summarizer.core.deliver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.summarizer.core.Seeds;
import io.summarizer.core.deliver.DeliveryMarks.Mark;
import io.summarizer.core.disk.SimulatedDisk;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class DeliveryMarksTest {
    private static final String NAME = "T-1";

    private final SimulatedDisk disk = new SimulatedDisk(new Random(1));

    private DeliveryMarks open() throws IOException {
        return DeliveryMarks.open(disk, NAME);
    }

    private static Mark mark(long time) {
        return new Mark(time, 1, 1_700_000_000_000L + time);
    }

    @Test
    void shouldKeepMarks() throws IOException {
        DeliveryMarks marks = open();
        assertThat(marks.isNew()).isTrue();
        marks.add(List.of(mark(-3), mark(2)));
        marks.force();
        marks.add(mark(7));
        DeliveryMarks again = open();
        assertThat(again.isNew()).isFalse();
        for (long time : List.of(-3L, 2L, 7L)) {
            assertThat(again.has(mark(time))).isTrue();
        }
        assertThat(again.has(mark(3))).isFalse();
        assertThat(again.has(new Mark(7, 2, mark(7).cut()))).isFalse();
        assertThat(again.last()).isEqualTo(mark(7));
    }

    @Test
    void shouldNotBeNewWhenThereWasNothingToMark() throws IOException {
        open().force();
        assertThat(open().isNew()).isFalse();
        assertThat(open().last()).isNull();
    }

    @Test
    void shouldIgnoreDamagedLines() throws IOException {
        DeliveryMarks marks = open();
        for (long time = 0; time < 3; time++) {
            marks.add(mark(time));
        }
        String whole = new String(disk.bytes(NAME), StandardCharsets.US_ASCII);
        for (int length = 0; length < whole.length(); length++) {
            disk.put(NAME, whole.substring(0, length).getBytes(StandardCharsets.US_ASCII));
            DeliveryMarks left = open();
            long lines =
                    whole.substring(0, length).chars().filter(c -> c == '\n').count();
            for (long time = 0; time < 3; time++) {
                assertThat(left.has(mark(time))).isEqualTo(time < lines);
            }
            left.add(mark(99));
            assertThat(open().has(mark(99))).isTrue();
            assertThat(open().has(mark(0))).isEqualTo(lines > 0);
        }
        disk.put(NAME, whole.replaceFirst("1", "2").getBytes(StandardCharsets.US_ASCII));
        assertThat(open().areDurable()).isFalse();
    }

    @Test
    void shouldHaveABoundedFile() throws IOException {
        DeliveryMarks marks = open();
        for (long time = 0; time < 20_000; time++) {
            marks.add(mark(time));
            marks.retain(Set.of(time));
        }
        assertThat(disk.used()).isLessThan(60_000);
        assertThat(open().has(mark(19_999))).isTrue();
    }

    @Test
    void shouldKeepOnlyTheLastMarksWhenTheyAreTrimmed() throws IOException {
        DeliveryMarks marks = open();
        for (long time = 0; time < 20_000; time++) {
            marks.trim(10);
            marks.add(mark(time));
        }
        assertThat(disk.used()).isLessThan(60_000);
        assertThat(marks.has(mark(19_989))).isTrue();
        assertThat(marks.has(mark(19_988))).isFalse();
        assertThat(open().last()).isEqualTo(mark(19_999));
    }

    @Test
    void shouldBeWrittenAnewAfterAFailure() throws IOException {
        DeliveryMarks marks = open();
        marks.add(mark(1));
        disk.failing(0, 1);
        assertThatThrownBy(() -> marks.add(mark(2))).isInstanceOf(IOException.class);
        assertThat(marks.has(mark(2))).isTrue();
        assertThat(marks.areDurable()).isFalse();
        disk.failing(0, 0);
        marks.force();
        assertThat(open().has(mark(1))).isTrue();
        assertThat(open().has(mark(2))).isTrue();
    }

    /**
     * After a kill, all marks are there that were added without an exception. A loss of power may also garble the
     * sector to which a line was being appended; then deliveries are repeated, but none is left out.
     */
    @Test
    void shouldSurviveKillsAndMakeNoMarksUp() throws IOException {
        long first = Seeds.first();
        for (long seed = first; seed < first + Seeds.count(300); seed++) {
            Random random = new Random(seed);
            SimulatedDisk disk = new SimulatedDisk(random);
            Set<Mark> durable = new HashSet<>();
            Set<Mark> tried = new HashSet<>();
            for (int life = 0; life < 6; life++) {
                disk.killAfter(random.nextInt(60));
                disk.failing(0.05, 0.05);
                try {
                    DeliveryMarks marks = DeliveryMarks.open(disk, NAME);
                    assertThat(durable).as(Seeds.replay(seed)).allMatch(marks::has);
                    for (int i = 0; i < 20; i++) {
                        Mark mark = mark(random.nextInt(1_000));
                        tried.add(mark);
                        try {
                            marks.add(mark);
                            durable.add(mark);
                        } catch (IOException e) {
                            // it may be durable or not
                        }
                    }
                } catch (SimulatedDisk.Killed | IOException e) {
                    // the next life
                }
                disk.failing(0, 0);
                if (random.nextInt(3) == 0) {
                    disk.loseEverythingUnsynced();
                    durable.clear();
                } else {
                    disk.restart();
                }
                DeliveryMarks marks = DeliveryMarks.open(disk, NAME);
                for (long time = 0; time < 1_000; time++) {
                    assertThat(!marks.has(mark(time)) || tried.contains(mark(time)))
                            .as("%s: mark %d", Seeds.replay(seed), time)
                            .isTrue();
                }
            }
        }
    }
}
