package io.summarizer.core.journal;

import io.summarizer.core.bytes.Bytes;
import io.summarizer.core.message.RejectReason;
import io.summarizer.core.receive.TopicRule;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * The constants of the format in {@code docs/understand/journal.md}. No constant may ever change its meaning.
 *
 * <p>All numbers are little-endian. A segment consists of blocks of {@value #BLOCK_BYTES} bytes. The first block has
 * the segment's header. A group consists of records that are synced together. Each group begins at a new block, so that
 * synced bytes are never overwritten.
 */
final class JournalFormat {
    /** First bytes of a segment. */
    static final byte[] MAGIC = "SUMMJRNL".getBytes(StandardCharsets.US_ASCII);

    /** The version that is written. This version and older ones are read. */
    static final int VERSION = 2;

    static final int BLOCK_BYTES = 4096;

    // A segment's header: magic, then these.
    static final int SEGMENT_VERSION = 8;
    static final int SEGMENT_ID = 16;
    static final int SEGMENT_FIRST = 24;
    static final int SEGMENT_FIRST_CONTROL = 32;
    static final int SEGMENT_CREATED = 40;
    static final int SEGMENT_BYTES = 48;

    /** The first bytes of a record: "JREC". They distinguish a record from the zeros that pad a group. */
    static final int RECORD_MAGIC = 0x4345524a;

    // A record's header.
    static final int RECORD_PLACE = 4;
    static final int RECORD_SEGMENT = 8;
    static final int RECORD_FIRST = 16;
    static final int RECORD_STAMP = 24;
    static final int RECORD_COUNT = 32;
    static final int RECORD_LISTENER = 36;
    static final int RECORD_STORED = 40;
    static final int RECORD_PLAIN = 44;
    static final int RECORD_CHECKSUM = 48;
    static final int RECORD_SYNCED = 52;
    static final int RECORD_KIND = 56;
    static final int RECORD_COMPRESSION = 57;
    static final int RECORD_RULE = 58;

    /**
     * Size in bytes of a header of a segment or of a record. The last four of these bytes are the checksum of the
     * others.
     */
    static final int HEADER_BYTES = 64;

    static final int HEADER_CHECKSUM = HEADER_BYTES - 4;

    /** Records start at multiples of this number. Places are counted in this unit. */
    static final int ALIGNMENT = 8;

    /** Kind of a record: messages. */
    static final int MESSAGES = 1;
    /** Kind of a record: a {@link Control}. */
    static final int CONTROL = 2;
    /** Kind of a record without a body, which says that everything before it was synced. */
    static final int SYNCED = 3;
    /** Kind of a record without a body, which says that nothing follows in this segment. */
    static final int END = 4;

    /** Kind of a record with a {@link io.summarizer.core.message.KafkaRange} instead of the bytes of messages. */
    static final int KAFKA_RANGE = 5;

    static final int STORED_PLAIN = 0;
    static final int STORED_ZSTD = 1;

    /**
     * Upper bound on the bytes of a record before compression. It is enough for a batch with the largest possible
     * message and many other messages, and it limits the memory that the reader of a damaged journal allocates.
     */
    static final int PLAIN_BYTES_MAX = 128 << 20;

    private JournalFormat() {}

    /**
     * The id of a segment. Each record of the segment has this id. It distinguishes the record from records of an
     * earlier use of the file.
     */
    static long segmentId(int number, int salt) {
        return (long) salt << 32 | number;
    }

    static int numberOf(long segmentId) {
        return (int) segmentId;
    }

    static long blockEnd(long position) {
        return (position + BLOCK_BYTES - 1) & -BLOCK_BYTES;
    }

    static int aligned(int length) {
        return (length + ALIGNMENT - 1) & -ALIGNMENT;
    }

    /** Puts the checksum into a header that is otherwise complete. */
    static void seal(byte[] header, CRC32C checksum) {
        seal(header, 0, checksum);
    }

    /** Puts the checksum into the header at {@code offset}. */
    static void seal(byte[] bytes, int offset, CRC32C checksum) {
        checksum.reset();
        checksum.update(bytes, offset, HEADER_CHECKSUM);
        Bytes.putInt(bytes, offset + HEADER_CHECKSUM, (int) checksum.getValue());
    }

    /** Whether the checksum of the header at {@code offset} is right. */
    static boolean isSealed(byte[] bytes, int offset, CRC32C checksum) {
        checksum.reset();
        checksum.update(bytes, offset, HEADER_CHECKSUM);
        return (int) checksum.getValue() == Bytes.getInt(bytes, offset + HEADER_CHECKSUM);
    }

    /** Whether there is a segment's header, of any version, at {@code offset}. */
    static boolean isSegmentHeader(byte[] bytes, int offset, CRC32C checksum) {
        return Arrays.equals(bytes, offset, offset + MAGIC.length, MAGIC, 0, MAGIC.length)
                && isSealed(bytes, offset, checksum);
    }

    static int code(TopicRule rule) {
        return switch (rule) {
            case MSGID_OR_APP_NAME -> 1;
            case MSGID -> 2;
            case APP_NAME -> 3;
        };
    }

    static TopicRule topicRule(int code) throws JournalException {
        return switch (code) {
            case 1 -> TopicRule.MSGID_OR_APP_NAME;
            case 2 -> TopicRule.MSGID;
            case 3 -> TopicRule.APP_NAME;
            default -> throw new JournalException("a record with topic rule " + code);
        };
    }

    static int code(RejectReason reason) {
        return switch (reason) {
            case FRAME -> 1;
            case OVERSIZE -> 2;
            case ENVELOPE -> 3;
            case PAYLOAD -> 4;
            case LIMIT -> 5;
            default -> throw new IllegalArgumentException("no receiver rejects for " + reason);
        };
    }

    static RejectReason rejectReason(int code) throws JournalException {
        return switch (code) {
            case 1 -> RejectReason.FRAME;
            case 2 -> RejectReason.OVERSIZE;
            case 3 -> RejectReason.ENVELOPE;
            case 4 -> RejectReason.PAYLOAD;
            case 5 -> RejectReason.LIMIT;
            case 6, 7, 8 -> throw new NewerJournalException("a message rejected as late, early or untimed");
            default -> throw new JournalException("a message rejected for reason " + code);
        };
    }
}
