package io.summarizer.flink.evaluate;

import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.core.window.WindowInput;
import io.summarizer.flink.record.Progress;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SourcePartitionTest {
    private static final long MILLIS = 1_700_000_000_123L;

    @Test
    void aStampIsTheTimeOfTheRecordWithThePartitionBelowTheMillisecond() {
        assertThat(new SourcePartition("t", 0, 1, List.of()).nextStamp(MILLIS)).isEqualTo(MILLIS * 1000);
        assertThat(new SourcePartition("t", 999, 1, List.of()).nextStamp(MILLIS))
                .isEqualTo(MILLIS * 1000 + 999);
        assertThat(new SourcePartition("t", 1002, 1, List.of()).nextStamp(MILLIS))
                .isEqualTo(MILLIS * 1000 + 2);
        long before = System.currentTimeMillis() * 1000;
        long withoutTime = new SourcePartition("t", 7, 1, List.of()).nextStamp(-1);
        assertThat(withoutTime).isBetween(before, System.currentTimeMillis() * 1000 + 7);
    }

    @Test
    void aTimestampOfTheFutureCountsAsTheClock() {
        for (long future : new long[] {7_258_118_400_000L, Long.MAX_VALUE / 1000, Long.MAX_VALUE}) { // the year 2200
            SourcePartition partition = new SourcePartition("t", 7, 1, List.of());
            long before = System.currentTimeMillis();
            long stamp = partition.nextStamp(future);
            assertThat(stamp).isBetween(before * 1000, System.currentTimeMillis() * 1000 + 7);
            assertThat(partition.nextStamp(MILLIS)).isEqualTo(stamp + 1);
            assertThat(new SourcePartition("t", 7, 1, List.of()).nextStamp(before))
                    .isEqualTo(before * 1000 + 7);
        }
    }

    @Test
    void stampsOfAPartitionGrowWhateverTheTimesOfItsRecords() throws IOException {
        Random random = new Random(1);
        SourcePartition partition = new SourcePartition("t", 5, 1, List.of());
        long last = 0;
        for (int i = 0; i < 10_000; i++) {
            long stamp = partition.nextStamp(MILLIS + random.nextInt(-50, 50));
            assertThat(stamp).isGreaterThan(last);
            last = stamp;
            if (i % 1000 == 0) {
                partition = copy(partition);
                assertThat(partition.lastStamp()).isEqualTo(last);
            }
        }
        SourcePartition other = new SourcePartition("t", 5, 1, List.of());
        other.goOn(last);
        other.goOn(last - 10);
        assertThat(other.nextStamp(MILLIS - 1000)).isEqualTo(last + 1);
    }

    private static SourcePartition copy(SourcePartition partition) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        partition.writeTo(new DataOutputStream(bytes));
        return SourcePartition.readFrom(
                new DataInputStream(new ByteArrayInputStream(bytes.toByteArray())), 1, List.of());
    }

    @Test
    void progressIsReportedByTheSubtaskThatReadsThePartitionAndWhenItIsNews() throws IOException {
        SourcePartition partition = new SourcePartition(null, 3, 2, List.of());
        partition.progress(0, 10);
        partition.tick(100, MILLIS + 1);
        assertThat(partition.report()).isNull(); // it had no record
        long stamp = partition.nextStamp(MILLIS);
        Progress first = Objects.requireNonNull(partition.report());
        assertThat(first.input()).isEqualTo("file-3");
        assertThat(first.marks()).containsExactly(10, WindowInput.NONE);
        assertThat(partition.lastStamp()).isEqualTo(stamp);
        partition.tick(100, MILLIS + 1);
        assertThat(partition.report()).isNull(); // its records are old
        partition.tick(100, MILLIS + 1);
        partition.tick(150, MILLIS + 1);
        assertThat(clearMillis(partition)).isEqualTo(250);
        assertThat(partition.report()).isNull(); // nothing is new
        partition.progress(0, 5);
        assertThat(partition.report()).isNull(); // older events are no progress
        assertThat(copy(partition).report()).isNull(); // another subtask may read it now
    }

    /** Records that are no progress of a summary do not keep the partition from being idle for the summary. */
    @Test
    void timeWithNewRecordsIsClearAndTimeWithOldOnesIsNot() {
        SourcePartition partition = new SourcePartition("t", 3, 1, List.of());
        partition.nextStamp(MILLIS);
        partition.tick(100, MILLIS);
        assertThat(clearMillis(partition)).isEqualTo(100);
        partition.nextStamp(MILLIS - 1);
        partition.nextStamp(Long.MAX_VALUE); // of a producer with a wrong clock
        partition.tick(100, MILLIS);
        assertThat(clearMillis(partition)).isEqualTo(100);
        partition.nextStamp(MILLIS + 1);
        partition.tick(100, MILLIS);
        assertThat(clearMillis(partition)).isEqualTo(200);
        partition.nextStamp(-1); // it has no timestamp
        partition.tick(100, MILLIS);
        assertThat(clearMillis(partition)).isEqualTo(200);
    }

    private static long clearMillis(SourcePartition partition) {
        return Objects.requireNonNull(partition.report()).clearMillis();
    }
}
