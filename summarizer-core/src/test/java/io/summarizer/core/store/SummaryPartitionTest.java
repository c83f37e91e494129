package io.summarizer.core.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.core.store.SummaryLayout.KeyColumn;
import io.summarizer.core.store.SummaryLayout.ValueColumn;
import io.summarizer.core.time.CalendarUnit;
import io.summarizer.core.time.Windows;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A partition finds the store of each update's window, and refuses updates that belong to no window. */
class SummaryPartitionTest {
    private static final long HOUR = 3_600_000_000L;
    private static final SummaryLayout LAYOUT = new SummaryLayout(
            "Traffic",
            0,
            List.of(new KeyColumn("hour", 1, KeyType.TIMESTAMP)),
            List.of(new ValueColumn("requests", 1, AggregateType.COUNT, 0, 0)),
            List.of(),
            SummaryLimit.DEFAULT,
            new SummaryWindow(0, 1, CalendarUnit.HOUR, ZoneOffset.UTC));

    private final UpdateBatch batch = new UpdateBatch(1);

    private static SummaryPartition partition() {
        return new Summaries(List.of(LAYOUT), List.of(TableRowCode.of(LAYOUT)), 1_000_000).partition(0, 0);
    }

    /** The store of an update whose window begins at {@code start}; null stands for an update without a time. */
    private @Nullable SummaryStore storeOf(SummaryPartition partition, @Nullable Long start) {
        batch.clear();
        KeyBuffer key = Rows.key(LAYOUT, start);
        batch.beginRow(0, key, key.hash(), 1);
        batch.endRow();
        return partition.storeOf(batch.bytes(), 0);
    }

    @Test
    void shouldFindTheSameStoreForAWindowWhateverOpensAndCloses() {
        long seed = 261126;
        Random random = new Random(seed);
        SummaryPartition partition = partition();
        Map<Long, SummaryStore> open = new TreeMap<>();
        long boundary = -100;
        partition.closeBefore(boundary * HOUR);
        for (int i = 0; i < 200_000; i++) {
            long hour = boundary - 2 + (random.nextBoolean() ? random.nextInt(150) : i % 3);
            SummaryStore found = storeOf(partition, hour * HOUR);
            if (hour < boundary) {
                assertThat(found).as("seed %d, update %d", seed, i).isNull();
            } else {
                assertThat(Objects.requireNonNull(found, () -> "seed " + seed).window())
                        .isEqualTo(hour * HOUR);
                SummaryStore known = open.putIfAbsent(hour, found);
                assertThat(known == null || known == found)
                        .as("seed %d, update %d", seed, i)
                        .isTrue();
            }
            if (random.nextInt(1000) == 0) {
                boundary += random.nextInt(5);
                partition.closeBefore(boundary * HOUR);
                if (random.nextBoolean()) {
                    List<SummaryStore> taken = partition.takeBefore(boundary * HOUR);
                    taken.forEach(partition::retire);
                    long last = boundary;
                    open.keySet().removeIf(opened -> opened < last);
                }
            }
        }
        assertThat(boundary).isPositive();
    }

    /** In an update without a time, the start of the window is 0, as for an event of the first hour of 1970. */
    @Test
    void shouldRefuseAnUpdateWithoutATimeAfterAnUpdateOfTheFirstWindow() {
        SummaryPartition partition = partition();
        for (int i = 0; i < 2; i++) {
            assertThat(storeOf(partition, 0L)).isNotNull();
            assertThat(storeOf(partition, null)).isNull();
            assertThat(partition.refusal(batch.bytes(), 0)).isEqualTo(SummaryPartition.Refusal.UNTIMED);
        }
    }

    /** An event of a window that would begin before the least time has the start {@link Windows#NO_START}. */
    @Test
    void shouldRefuseAnUpdateBeforeTheLeastTimeAfterAnUpdateOfTheFirstWindow() {
        SummaryPartition partition = partition();
        partition.closeBefore(0);
        assertThat(storeOf(partition, 0L)).isNotNull();
        assertThat(storeOf(partition, Windows.NO_START)).isNull();
        assertThat(partition.refusal(batch.bytes(), 0)).isEqualTo(SummaryPartition.Refusal.LATE);
    }

    @Test
    void shouldRefuseAnUpdateOfTheWindowThatHasJustClosed() {
        SummaryPartition partition = partition();
        assertThat(storeOf(partition, 7 * HOUR)).isNotNull();
        partition.closeBefore(8 * HOUR);
        assertThat(storeOf(partition, 7 * HOUR)).isNull();
        assertThat(partition.refusal(batch.bytes(), 0)).isEqualTo(SummaryPartition.Refusal.LATE);
        assertThat(storeOf(partition, SummaryWindow.EARLY)).isNull();
        assertThat(partition.refusal(batch.bytes(), 0)).isEqualTo(SummaryPartition.Refusal.EARLY);
    }

    @Test
    void shouldGiveANewStoreAfterAReset() {
        SummaryPartition partition = partition();
        SummaryStore before = storeOf(partition, 7 * HOUR);
        List<SummaryStore> taken = partition.takeOpen(0);
        assertThat(taken).containsExactly(before);
        taken.forEach(partition::retire);
        assertThat(storeOf(partition, 7 * HOUR)).isNotNull().isNotSameAs(before);
    }
}
