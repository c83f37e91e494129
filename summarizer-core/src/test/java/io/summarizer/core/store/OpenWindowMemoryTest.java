package io.summarizer.core.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.core.store.SummaryLayout.KeyColumn;
import io.summarizer.core.store.SummaryLayout.ValueColumn;
import io.summarizer.core.time.CalendarUnit;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The memory of an open window with few rows, whatever partitions the rows fall into. */
class OpenWindowMemoryTest {
    private static final long MINUTE = 60_000_000;
    private static final int WINDOWS = 200;
    private static final int ROWS = 10;

    private static final SummaryLayout LAYOUT = new SummaryLayout(
            "Traffic",
            0,
            List.of(new KeyColumn("minute", 1, KeyType.TIMESTAMP), new KeyColumn("host", 2, KeyType.STRING)),
            List.of(
                    new ValueColumn("requests", 1, AggregateType.COUNT, 0, 0),
                    new ValueColumn("bytes", 2, AggregateType.SUMINT64, 0, 0),
                    new ValueColumn("last", 3, AggregateType.LASTSTRING, 0, 0),
                    new ValueColumn("users", 4, AggregateType.MULTISET64, 14, 5)),
            List.of(),
            SummaryLimit.DEFAULT,
            new SummaryWindow(0, 1, CalendarUnit.MINUTE, ZoneOffset.UTC));

    @Test
    void aWindowOfTenRowsTakesAtMost64KibibytesWithItsObjects() throws InterruptedException {
        long before = usedHeap();
        Summaries summaries = fill();
        long each = (usedHeap() - before) / WINDOWS;
        long counted = 0;
        for (int partition = 0; partition < Partitions.COUNT; partition++) {
            counted += summaries.partition(0, partition).bytesUsed() / WINDOWS;
        }
        assertThat(Objects.requireNonNull(summaries.openWindows(0)).count()).isEqualTo(WINDOWS);
        assertThat(each).as("bytes of the heap; counted are %s", counted).isLessThan(64 * 1024);
        assertThat(counted).isBetween(each / 4, each);
    }

    private static Summaries fill() {
        Summaries summaries = new Summaries(List.of(LAYOUT), List.of(TableRowCode.of(LAYOUT)), 1_000_000);
        UpdateBatch batch = new UpdateBatch(1);
        for (int window = 0; window < WINDOWS; window++) {
            for (int row = 0; row < ROWS; row++) {
                batch.clear();
                KeyBuffer key = Rows.key(LAYOUT, window * MINUTE, "www" + row + ".example.org");
                batch.beginRow(0, key, key.hash(), 1);
                batch.addLong(0, 1);
                batch.addLong(1, row);
                Rows.addText(batch, 2, "/path/of/row/" + row);
                batch.addLong(3, row * 0x9E3779B97F4A7C15L);
                batch.endRow();
                SummaryPartition partition = summaries.partition(0, Partitions.ALL.of(key.hash()));
                SummaryStore store = Objects.requireNonNull(partition.storeOf(batch.bytes(), 0));
                assertThat(store.apply(batch.bytes(), 0)).isTrue();
            }
        }
        return summaries;
    }

    private static long usedHeap() throws InterruptedException {
        long least = Long.MAX_VALUE;
        List<Long> seen = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            System.gc();
            Thread.sleep(20);
            seen.add(Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory());
            least = Math.min(least, seen.get(i));
        }
        return least;
    }
}
