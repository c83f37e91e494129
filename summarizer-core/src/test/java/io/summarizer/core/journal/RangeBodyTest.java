package io.summarizer.core.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.summarizer.core.Seeds;
import io.summarizer.core.disk.SimulatedDisk;
import io.summarizer.core.journal.JournalReader.Entry;
import io.summarizer.core.message.KafkaRange;
import io.summarizer.core.message.KafkaRange.Partition;
import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.message.RecordRule;
import io.summarizer.core.message.RecordRule.Source;
import io.summarizer.core.receive.TopicRule;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RangeBodyTest {
    private static final Partition PARTITION = new Partition(Long.MIN_VALUE, -1, "Ereignisse.ä", 11);
    private static final RecordRule RULE = new RecordRule(Source.HEADER, "topic", 262_144);

    private static KafkaRange random(Random random) {
        int count = random.nextInt(2_000);
        long first = random.nextLong(1L << 40);
        Source source = Source.values()[random.nextInt(3)];
        RecordRule rule = new RecordRule(source, source == Source.HEADER ? "topic" : "", 1 + random.nextInt(1 << 24));
        if (count == 0) {
            return KafkaRange.beginning(PARTITION, rule, first);
        }
        int[] offsets = new int[count + random.nextInt(3)];
        int holes = random.nextInt(3);
        for (int i = 1; i < count; i++) {
            offsets[i] = offsets[i - 1] + 1 + (holes == 0 ? 0 : random.nextInt(1 << (8 * holes)));
        }
        return KafkaRange.of(PARTITION, rule, first, offsets, count);
    }

    @Test
    void readsTheRangeThatItWrote() throws IOException {
        long seed = Seeds.first();
        Random random = new Random(seed);
        for (int i = 0; i < Seeds.count(200); i++) {
            KafkaRange range = random(random);
            byte[] body = RangeBody.encode(range);
            assertThat((long) body.length).isLessThanOrEqualTo(RangeBody.bytesMax(range));
            byte[] moved = new byte[body.length + 7];
            System.arraycopy(body, 0, moved, 5, body.length);
            KafkaRange read = RangeBody.decode(moved, 5, body.length, range.count());
            assertThat(read).as(Seeds.replay(seed)).isEqualTo(range);
            assertThat(read.isConsecutive()).isEqualTo(range.end() - range.first() == range.count());
        }
    }

    @Test
    void refusesOtherBytes() {
        byte[] body = RangeBody.encode(KafkaRange.of(PARTITION, RULE, 5, new int[] {0, 3, 4}, 3));
        for (int length = 0; length < body.length; length++) {
            int cut = length;
            assertThatThrownBy(() -> RangeBody.decode(body, 0, cut, 3)).isInstanceOf(JournalException.class);
        }
        assertThatThrownBy(() -> RangeBody.decode(Arrays.copyOf(body, body.length + 1), 0, body.length + 1, 3))
                .isInstanceOf(JournalException.class);
        assertThatThrownBy(() -> RangeBody.decode(body, 0, body.length, 2)).isInstanceOf(JournalException.class);
        assertThatThrownBy(() -> RangeBody.decode(body, 0, body.length, KafkaRange.RECORDS_MAX + 1))
                .isInstanceOf(JournalException.class);
    }

    @Test
    void aSourceOfALaterVersionIsNotSkipped() {
        byte[] body = RangeBody.encode(KafkaRange.beginning(PARTITION, RULE, 5));
        body[body.length - 4 - "topic".length() - 4 - 1] = 4;
        assertThatThrownBy(() -> RangeBody.decode(body, 0, body.length, 0)).isInstanceOf(NewerJournalException.class);
    }

    /** Records of more than a block are read whole, even by a reader that skips from header to header. */
    @Test
    void theJournalHasRangesAndLongControls() throws IOException {
        SimulatedDisk disk = new SimulatedDisk(new Random(1));
        JournalOptions options = new JournalOptions(64 << 10, 512 << 10, Compression.ZSTD);
        int[] offsets = new int[10_000];
        Arrays.setAll(offsets, i -> 2 * i);
        KafkaRange range = KafkaRange.of(PARTITION, RULE, 5, offsets, offsets.length);
        List<WindowClose.Span> spans = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            spans.add(new WindowClose.Span(i, i + 1));
        }
        Control close = new Control(Control.Kind.CLOSE, "A", List.of(1L), new WindowClose(0, 1_000, spans));
        try (Journal journal = SimulatedJournals.open(disk, options, new Random(2)::nextInt)) {
            journal.append(Messages.batch("a"), TopicRule.MSGID);
            MessageBatch batch = Messages.batch("x".repeat(offsets.length).split(""));
            batch.range(range);
            assertThat(journal.append(batch, TopicRule.MSGID)).isEqualTo(1);
            long unused = journal.appendControl(close);
            MessageBatch beginning = new MessageBatch(16);
            beginning.range(KafkaRange.beginning(PARTITION, RULE, 77));
            journal.append(beginning, TopicRule.MSGID);
            journal.sync();
        }
        try (Journal journal = SimulatedJournals.open(disk, options, new Random(3)::nextInt)) {
            assertThat(journal.endSequence()).isEqualTo(1 + offsets.length);
            List<KafkaRange> ranges = new ArrayList<>();
            journal.ranges(0, ranges::add);
            assertThat(ranges).containsExactly(range, KafkaRange.beginning(PARTITION, RULE, 77));
            ranges.clear();
            journal.ranges(journal.endSequence(), ranges::add);
            assertThat(ranges).containsExactly(KafkaRange.beginning(PARTITION, RULE, 77));
            assertThat(journal.controls(0)).containsExactly(new Journal.NumberedControl(0, close));
            try (JournalReader reader = journal.read(1)) {
                assertThat(reader.next()).isEqualTo(Entry.RANGE);
                assertThat(reader.range()).isEqualTo(range);
                assertThat(reader.count()).isEqualTo(offsets.length);
                assertThat(reader.firstSequence()).isEqualTo(1);
                assertThat(reader.firstStamp()).isEqualTo(1_000);
                assertThat(reader.next()).isEqualTo(Entry.CONTROL);
                assertThat(reader.next()).isEqualTo(Entry.RANGE);
                assertThat(reader.count()).isZero();
                assertThat(reader.next()).isEqualTo(Entry.END);
            }
        }
    }
}
