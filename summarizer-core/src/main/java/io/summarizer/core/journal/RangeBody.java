package io.summarizer.core.journal;

import io.summarizer.core.bytes.Bytes;
import io.summarizer.core.message.KafkaRange;
import io.summarizer.core.message.RecordRule;
import io.summarizer.core.message.RecordRule.Source;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The body of a range of Kafka records: id of the topic (16 bytes), partition (int), first offset and offset after the
 * last record (long each), length (int) and UTF-8 of the topic's name. Then follows the rule by which records became
 * messages: source of the topic (byte), length (int) and UTF-8 of the header's name, maximum size of a message in bytes
 * (int). When offsets are not consecutive, a number follows for each record except for the first: how many offsets lie
 * between the record and the previous record. These numbers are encoded as in {@link MessageBody}. Stateless.
 */
final class RangeBody {
    private static final int FIXED_BYTES = 16 + 4 + 8 + 8 + 4 + 1 + 4 + 4;
    private static final int NUMBER_BYTES_MAX = 5;

    private RangeBody() {}

    /** Upper bound on the bytes of a body. */
    static long bytesMax(KafkaRange range) {
        long names =
                3L * (range.partition().topic().length() + range.rule().header().length());
        return FIXED_BYTES + names + (range.isConsecutive() ? 0 : (long) range.count() * NUMBER_BYTES_MAX);
    }

    static byte[] encode(KafkaRange range) {
        KafkaRange.Partition partition = range.partition();
        byte[] bytes = new byte[Math.toIntExact(bytesMax(range))];
        Bytes.putLong(bytes, 0, partition.topicHigh());
        Bytes.putLong(bytes, 8, partition.topicLow());
        Bytes.putInt(bytes, 16, partition.number());
        Bytes.putLong(bytes, 20, range.first());
        Bytes.putLong(bytes, 28, range.end());
        int at = putText(partition.topic(), bytes, 36);
        RecordRule rule = range.rule();
        bytes[at++] = (byte) code(rule.source());
        at = putText(rule.header(), bytes, at);
        Bytes.putInt(bytes, at, rule.messageBytesMax());
        at += 4;
        if (!range.isConsecutive()) {
            for (int i = 1; i < range.count(); i++) {
                int skipped = (int) (range.offset(i) - range.offset(i - 1) - 1);
                while ((skipped & ~0x7f) != 0) {
                    bytes[at++] = (byte) (skipped | 0x80);
                    skipped >>>= 7;
                }
                bytes[at++] = (byte) skipped;
            }
        }
        return Arrays.copyOf(bytes, at);
    }

    private static int putText(String text, byte[] bytes, int at) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        Bytes.putInt(bytes, at, utf8.length);
        System.arraycopy(utf8, 0, bytes, at + 4, utf8.length);
        return at + 4 + utf8.length;
    }

    /**
     * Reads a body of {@code length} bytes at {@code from}.
     *
     * @param count number of records, from the header
     * @throws JournalException when the bytes are not the body of a range
     */
    static KafkaRange decode(byte[] bytes, int from, int length, int count) throws JournalException {
        try {
            return new Decoder(bytes, from, from + length).range(count);
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            throw new JournalException("a range of Kafka records in bytes=" + length, e);
        }
    }

    private static int code(Source source) {
        return switch (source) {
            case SYSLOG -> 1;
            case TOPIC -> 2;
            case HEADER -> 3;
        };
    }

    private static Source source(int code) throws JournalException {
        return switch (code) {
            case 1 -> Source.SYSLOG;
            case 2 -> Source.TOPIC;
            case 3 -> Source.HEADER;
            default ->
                throw new NewerJournalException("a range of Kafka records with the source " + code + " of topics");
        };
    }

    /** A position in the bytes of a body. */
    private static final class Decoder {
        private final byte[] bytes;
        private final int end;
        private int at;

        Decoder(byte[] bytes, int from, int end) {
            this.bytes = bytes;
            this.end = end;
            at = from;
        }

        KafkaRange range(int count) throws JournalException {
            long high = Bytes.getLong(bytes, take(8));
            long low = Bytes.getLong(bytes, take(8));
            int number = Bytes.getInt(bytes, take(4));
            long first = Bytes.getLong(bytes, take(8));
            long last = Bytes.getLong(bytes, take(8));
            KafkaRange.Partition partition = new KafkaRange.Partition(high, low, text(), number);
            Source source = source(bytes[take(1)]);
            RecordRule rule = new RecordRule(source, text(), Bytes.getInt(bytes, take(4)));
            KafkaRange range = count == 0
                    ? KafkaRange.beginning(partition, rule, first)
                    : KafkaRange.of(partition, rule, first, offsets(count, last - first), count);
            if (range.end() != last || at != end) {
                throw new IllegalArgumentException("end=" + last + " of " + range);
            }
            return range;
        }

        private int[] offsets(int count, long width) {
            if (count > KafkaRange.RECORDS_MAX) {
                throw new IllegalArgumentException("count=" + count);
            }
            int[] offsets = new int[count];
            boolean consecutive = width == count;
            for (int i = 1; i < count; i++) {
                offsets[i] = Math.addExact(offsets[i - 1], 1 + (consecutive ? 0 : number()));
            }
            return offsets;
        }

        private int number() {
            int number = 0;
            int shift = 0;
            byte b;
            do {
                b = bytes[take(1)];
                number |= (b & 0x7f) << shift;
                shift += 7;
            } while (b < 0 && shift < 7 * NUMBER_BYTES_MAX);
            return number;
        }

        private String text() {
            int length = Bytes.getInt(bytes, take(4));
            return new String(bytes, take(length), length, StandardCharsets.UTF_8);
        }

        /** Moves forward by {@code length} bytes. Returns the position before the move. */
        private int take(int length) {
            int from = at;
            if (length < 0 || length > end - from) {
                throw new IllegalArgumentException("bytes=" + length + " at=" + from + " of=" + end);
            }
            at = from + length;
            return from;
        }
    }
}
