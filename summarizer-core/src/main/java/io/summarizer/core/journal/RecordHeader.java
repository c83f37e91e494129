package io.summarizer.core.journal;

import io.summarizer.core.bytes.Bytes;
import java.util.zip.CRC32C;

/** The verified header of a record that was read. One thread. */
final class RecordHeader {
    private final CRC32C checksum = new CRC32C();

    long segmentId;
    long first;
    /** The stamp of the first message, or the number of the control. */
    long stamp;

    int count;
    int listener;
    int stored;
    int plain;
    int bodyChecksum;
    /** End of the synced bytes at the time when this header was written. */
    long synced;

    int kind;
    int compression;
    int rule;

    /**
     * Reads a header. Returns whether the header is undamaged and belongs to this place of this segment.
     *
     * @param offset offset of the header in {@code bytes}
     * @param position position of the header in the segment
     * @param number number of the segment
     * @param size size of the segment; no record can extend beyond this size
     */
    boolean read(byte[] bytes, int offset, long position, int number, long size) {
        if (Bytes.getInt(bytes, offset) != JournalFormat.RECORD_MAGIC
                || Bytes.getInt(bytes, offset + JournalFormat.RECORD_PLACE)
                        != (int) (position / JournalFormat.ALIGNMENT)
                || JournalFormat.numberOf(Bytes.getLong(bytes, offset + JournalFormat.RECORD_SEGMENT)) != number
                || !JournalFormat.isSealed(bytes, offset, checksum)) {
            return false;
        }
        segmentId = Bytes.getLong(bytes, offset + JournalFormat.RECORD_SEGMENT);
        first = Bytes.getLong(bytes, offset + JournalFormat.RECORD_FIRST);
        stamp = Bytes.getLong(bytes, offset + JournalFormat.RECORD_STAMP);
        count = Bytes.getInt(bytes, offset + JournalFormat.RECORD_COUNT);
        listener = Bytes.getInt(bytes, offset + JournalFormat.RECORD_LISTENER);
        stored = Bytes.getInt(bytes, offset + JournalFormat.RECORD_STORED);
        plain = Bytes.getInt(bytes, offset + JournalFormat.RECORD_PLAIN);
        bodyChecksum = Bytes.getInt(bytes, offset + JournalFormat.RECORD_CHECKSUM);
        synced = (long) Bytes.getInt(bytes, offset + JournalFormat.RECORD_SYNCED) * JournalFormat.ALIGNMENT;
        kind = bytes[offset + JournalFormat.RECORD_KIND];
        compression = bytes[offset + JournalFormat.RECORD_COMPRESSION];
        rule = bytes[offset + JournalFormat.RECORD_RULE];
        return stored >= 0
                && position + JournalFormat.HEADER_BYTES + stored <= size
                && plain >= 0
                && plain <= JournalFormat.PLAIN_BYTES_MAX
                && first >= 0
                && count >= 0
                && first + count >= 0;
    }

    /** Number of bytes of the record in its segment. */
    long bytes() {
        return JournalFormat.HEADER_BYTES + (long) JournalFormat.aligned(stored);
    }

    /** Sequence after the last message of the record. */
    long end() {
        return first + count;
    }

    /** Whether the body at {@code offset} is unchanged. */
    boolean hasBody(byte[] bytes, int offset) {
        checksum.reset();
        checksum.update(bytes, offset, stored);
        return (int) checksum.getValue() == bodyChecksum;
    }
}
