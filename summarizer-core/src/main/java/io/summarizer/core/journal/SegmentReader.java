package io.summarizer.core.journal;

import io.summarizer.core.bytes.Bytes;
import io.summarizer.core.disk.Disk;
import io.summarizer.core.disk.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Reads the records of one segment, and skips damage. One thread.
 *
 * <p>A record is valid when the checksums of its header and body are right, and the header has the id of this segment
 * and the place of the record. So old contents of the file, and bytes that a sender put into a message, are never taken
 * for records. At a place without a record, the reader tries every later position until it finds a record. The
 * sequences before and after such a gap show which messages are missing.
 *
 * <p>Memory: a window of {@value #WINDOW_BYTES} bytes, or the largest record.
 *
 * <p>This class has more than 500 lines, because the reading of records and the search for a record after damage share
 * the window and the state of the segment.
 */
final class SegmentReader implements AutoCloseable {
    private static final int WINDOW_BYTES = 256 * 1024;

    /** Maximum number of bytes after the last record that are copied to the quarantine for inspection. */
    private static final int TORN_BYTES = 64 * 1024;

    private static final int NO_LISTENER = -2;

    /** The end of a segment after which no other segment is known. */
    static final long UNKNOWN = Long.MAX_VALUE;

    /** The result of {@link #next}. */
    enum Found {
        /** A record of messages or a control, see {@link #header}. */
        RECORD,
        /** An unreadable place, see {@link #lost}. */
        LOST,
        /** The end. */
        END
    }

    private final SegmentName name;
    private final DiskFile file;
    private final long size;
    private final long endSequence;
    private final long endControl;
    /** Whether bodies are read and checked. */
    private final boolean bodies;

    private final CRC32C checksum = new CRC32C();
    private final RecordHeader header = new RecordHeader();

    private byte[] window;
    private long windowAt;
    private int windowBytes;
    /**
     * Bytes to read at a time. The number is small when only headers are read, because the reader then jumps from
     * header to header.
     */
    private int ahead;

    /** Id of the segment's records; 0 until a header was read. */
    private long segmentId;

    private boolean headerDamaged;
    /** Whether the file was truncated. */
    private boolean cutShort;

    private long position = JournalFormat.BLOCK_BYTES;
    private long sequence;
    private long control;
    /** Start of the unreadable place, or -1. */
    private long damagedAt = -1;
    /** Start of the zeros that were skipped since the last record, or -1. */
    private long paddedAt = -1;

    /**
     * The listener of the records around the unreadable place; {@link Lost#UNKNOWN_LISTENER} if these records have
     * different listeners. {@link #NO_LISTENER} until the first of these records was read.
     */
    private int listener = NO_LISTENER;

    private @Nullable Lost lost;
    private boolean ended;
    /** Whether an end record was found, so that nothing follows in the segment. */
    private boolean endMarked;

    /** End of the valid bytes that were read so far. */
    private long soundEnd = JournalFormat.BLOCK_BYTES;

    private SegmentReader(SegmentName name, DiskFile file, long endSequence, long endControl, boolean bodies)
            throws IOException {
        this.name = name;
        this.file = file;
        this.endSequence = endSequence;
        this.endControl = endControl;
        this.bodies = bodies;
        ahead = bodies ? WINDOW_BYTES : JournalFormat.BLOCK_BYTES;
        size = file.size();
        window = new byte
                [(int) Math.min(
                        bodies ? WINDOW_BYTES : JournalFormat.BLOCK_BYTES, Math.max(size, JournalFormat.HEADER_BYTES))];
        sequence = name.first();
        control = name.firstControl();
        readHeader();
    }

    /**
     * Opens a segment.
     *
     * @param endSequence first sequence of the next segment, or {@link #UNKNOWN}
     * @param endControl number of the first control of the next segment, or {@link #UNKNOWN}
     * @param bodies whether to read and check bodies as well as headers
     */
    static SegmentReader open(Disk disk, SegmentName name, long endSequence, long endControl, boolean bodies)
            throws IOException {
        DiskFile file = disk.open(name.file(), false);
        try {
            return new SegmentReader(name, file, endSequence, endControl, bodies);
        } catch (IOException | RuntimeException e) {
            file.close();
            throw e;
        }
    }

    private void readHeader() throws IOException {
        int at = load(0, JournalFormat.HEADER_BYTES);
        if (at < 0 || !JournalFormat.isSegmentHeader(window, at, checksum)) {
            headerDamaged = true;
            cutShort = at < 0; // no segment is ever made shorter than a block
            return;
        }
        int version = Bytes.getInt(window, at + JournalFormat.SEGMENT_VERSION);
        if (version < 1 || version > JournalFormat.VERSION) {
            throw new JournalException(name.file() + ": has format version " + version
                    + ", this program reads versions 1 to " + JournalFormat.VERSION
                    + "; read it with the program that wrote it, or a newer one");
        }
        long id = Bytes.getLong(window, at + JournalFormat.SEGMENT_ID);
        if (JournalFormat.numberOf(id) != name.number()) {
            ended = true; // The file has the header of an earlier segment, so this segment never began.
            return;
        }
        segmentId = id;
        cutShort = Bytes.getLong(window, at + JournalFormat.SEGMENT_BYTES) > size;
    }

    SegmentName name() {
        return name;
    }

    /** Bytes of the file. */
    long size() {
        return size;
    }

    /** Sequence of the next message. */
    long sequence() {
        return sequence;
    }

    /** Number of the next control. */
    long control() {
        return control;
    }

    /** Start of the current record. */
    long recordAt() {
        return position - header.bytes();
    }

    /** End of the valid bytes that were read so far. */
    long soundEnd() {
        return soundEnd;
    }

    /** The header of the current record. */
    RecordHeader header() {
        return header;
    }

    /** The loss that {@link #next} found. */
    Lost lost() {
        Lost lost = this.lost;
        if (lost == null) {
            throw new IllegalStateException("nothing is lost");
        }
        return lost;
    }

    /**
     * Index in the array {@link #bytes} at which the body of the current record begins. Valid until the next call of
     * {@link #next}.
     *
     * @throws JournalException when the body is damaged. Happens only if the reader reads bodies on request; otherwise,
     *     the body was checked before
     */
    int body() throws IOException {
        int at = load(recordAt(), JournalFormat.HEADER_BYTES + header.stored) + JournalFormat.HEADER_BYTES;
        if (!bodies && !header.hasBody(window, at)) {
            throw new JournalException(name.file() + ": the record at byte " + recordAt() + " is damaged");
        }
        return at;
    }

    /** The array that {@link #body} refers to. */
    byte[] bytes() {
        return window;
    }

    /** Moves to the next record or loss. */
    Found next() throws IOException {
        lost = null;
        while (!ended) {
            int at = load(position, JournalFormat.HEADER_BYTES);
            if (at < 0) {
                ended = true;
            } else if (header.read(window, at, position, name.number(), size) && isOfSegment()) {
                Found found = take();
                if (found != null) {
                    return found;
                }
            } else if (isPadding()) {
                paddedAt = paddedAt < 0 ? position : paddedAt;
                position = JournalFormat.blockEnd(position);
            } else if (sequence >= endSequence && control >= endControl) {
                ended = true; // nothing is missing
            } else {
                search();
            }
        }
        return end();
    }

    private boolean isOfSegment() {
        return header.segmentId == segmentId || (segmentId == 0 && headerDamaged);
    }

    /** Whether the rest of the block contains only zeros. This is so after the last record of a group. */
    private boolean isPadding() throws IOException {
        int length = (int) (JournalFormat.blockEnd(position) - position);
        int at = length == 0 || damagedAt >= 0 ? -1 : load(position, length);
        if (at < 0) {
            return false;
        }
        for (int end = at + length; at < end; at += Long.BYTES) {
            if (Bytes.getLong(window, at) != 0) {
                return false;
            }
        }
        return true;
    }

    /** Makes the record the current one, after its header was read. Reports a loss first, if there was one. */
    private @Nullable Found take() throws IOException {
        segmentId = header.segmentId;
        boolean messages = header.kind == JournalFormat.MESSAGES || header.kind == JournalFormat.KAFKA_RANGE;
        boolean superseded = header.kind == JournalFormat.CONTROL
                ? header.stamp >= endControl
                : messages ? header.end() > endSequence : header.first > endSequence;
        if (superseded && hasSoundBody()) {
            // This record comes from a failed write, which was repeated in the next segment. Unreadable bytes before
            // the record come from the same write. For a control with a damaged body, the number is no proof: a later
            // control may have got the same number, although messages after the damaged control are still valid.
            ended = true;
            return null;
        }
        boolean mark = header.kind == JournalFormat.SYNCED || header.kind == JournalFormat.END;
        boolean known = mark || messages || header.kind == JournalFormat.CONTROL;
        boolean overtaken =
                messages ? header.first < sequence : header.kind == JournalFormat.CONTROL && header.stamp < control;
        if (overtaken || !hasBody()) {
            if (messages) {
                agree(header.listener);
            }
            damaged();
            position += header.bytes();
            return null;
        }
        if (!known) {
            throw new NewerJournalException("a record of kind " + header.kind).at(name.file(), position);
        }
        long missing = header.first - sequence;
        long missingControls = header.kind == JournalFormat.CONTROL ? header.stamp - control : 0;
        if (missing > 0 || missingControls > 0 || damagedAt >= 0) {
            if (messages) {
                agree(header.listener);
            }
            return lost(header.first, missingControls);
        }
        position += header.bytes();
        soundEnd = position;
        paddedAt = -1;
        if (mark) {
            endMarked = header.kind == JournalFormat.END;
            ended = endMarked;
            return null;
        }
        if (messages) {
            sequence = header.end();
            listener = header.listener;
        } else {
            control = header.stamp + 1;
        }
        return Found.RECORD;
    }

    /** Records the listener of a record that is next to the unreadable place, or within it. */
    private void agree(int of) {
        listener = listener == NO_LISTENER || listener == of ? of : Lost.UNKNOWN_LISTENER;
    }

    /** The listener of the lost messages. */
    private int lostListener() {
        return Math.max(listener, Lost.UNKNOWN_LISTENER);
    }

    private boolean hasBody() throws IOException {
        return !bodies || hasSoundBody();
    }

    private boolean hasSoundBody() throws IOException {
        int at = load(position, JournalFormat.HEADER_BYTES + header.stored);
        return at >= 0 && header.hasBody(window, at + JournalFormat.HEADER_BYTES);
    }

    private void damaged() {
        if (damagedAt < 0) {
            damagedAt = position;
        }
    }

    /** Searches for the next place that looks like a header. */
    private void search() throws IOException {
        int hop = ahead;
        ahead = WINDOW_BYTES;
        try {
            searchFrom(position);
        } finally {
            ahead = hop;
        }
    }

    private void searchFrom(long from) throws IOException {
        long at = from + JournalFormat.ALIGNMENT;
        while (true) {
            int offset = load(at, JournalFormat.HEADER_BYTES);
            if (offset < 0) {
                // Everything left is damaged, or was never written.
                position = size;
                if (damagedAt < 0 && isWritten(from)) {
                    damagedAt = from;
                }
                return;
            }
            int end = windowBytes - JournalFormat.HEADER_BYTES;
            while (offset <= end && Bytes.getInt(window, offset) != JournalFormat.RECORD_MAGIC) {
                offset += JournalFormat.ALIGNMENT;
            }
            at = windowAt + offset;
            if (offset <= end) {
                if (header.read(window, offset, at, name.number(), size) && isOfSegment()) {
                    position = at;
                    if (damagedAt < 0) {
                        damagedAt = from;
                    }
                    return;
                }
                at += JournalFormat.ALIGNMENT;
            }
        }
    }

    /**
     * Whether the bytes at {@code from} seem to belong to this segment. The result is false for zeros, and for a record
     * of an earlier use of the file.
     */
    private boolean isWritten(long from) throws IOException {
        int at = load(from, JournalFormat.HEADER_BYTES);
        if (at < 0 || Bytes.getInt(window, at) == 0) {
            return false;
        }
        return Bytes.getInt(window, at) != JournalFormat.RECORD_MAGIC
                || !JournalFormat.isSealed(window, at, checksum)
                || JournalFormat.numberOf(Bytes.getLong(window, at + JournalFormat.RECORD_SEGMENT)) == name.number();
    }

    private Found end() {
        position = Math.min(position, size);
        long messages = endSequence == UNKNOWN ? 0 : endSequence - sequence;
        long controls = endControl == UNKNOWN ? 0 : endControl - control;
        if (messages > 0 || controls > 0) {
            long at = damagedAt < 0 ? soundEnd : damagedAt;
            lost = new Lost(
                    sequence,
                    sequence + Math.max(0, messages),
                    Math.max(0, controls),
                    name.file(),
                    at,
                    damagedAt < 0 ? 0 : size - damagedAt,
                    lostListener(),
                    true);
            sequence += Math.max(0, messages);
            control += Math.max(0, controls);
            cutShort = false; // reported now
            return Found.LOST;
        }
        if (cutShort && endSequence == UNKNOWN && !endMarked) {
            cutShort = false;
            lost = new Lost(sequence, sequence, 0, name.file(), size, 0, lostListener(), true);
            return Found.LOST;
        }
        return Found.END;
    }

    /** Ends the unreadable place before the current record; {@link #next} will find this record again. */
    private Found lost(long first, long controls) {
        long at = damagedAt >= 0 ? damagedAt : paddedAt >= 0 ? paddedAt : position;
        boolean certain = header.synced > at || at == position;
        lost = new Lost(
                sequence, Math.max(first, sequence), controls, name.file(), at, position - at, lostListener(), certain);
        sequence = Math.max(first, sequence);
        control += controls;
        damagedAt = -1;
        paddedAt = -1;
        return Found.LOST;
    }

    /** Whether a loss comes from a truncated file. */
    boolean isCutShort(Lost lost) {
        return lost.bytes() == 0 && lost.messages() == 0 && lost.controls() == 0;
    }

    /** Whether bytes after the last record seem to belong to the segment. Call this method at the end. */
    boolean isTorn() {
        return damagedAt >= 0;
    }

    /** End of the bytes that an unfinished write may have left. */
    long tornEnd() {
        return damagedAt + TORN_BYTES;
    }

    /**
     * Copies the first {@code bytes} bytes of the segment, with a header for the new segment number. Unreadable bytes
     * become zeros in the copy, and so does what is missing of the first block. Afterwards, this reader can no longer
     * read.
     *
     * @param bytes at most {@link #size}
     */
    void copy(long bytes, DiskFile to) throws IOException {
        ended = true;
        if (bytes < JournalFormat.BLOCK_BYTES) {
            to.write(ByteBuffer.allocate(JournalFormat.BLOCK_BYTES), 0);
        }
        for (long at = 0; at < bytes; ) {
            int length = (int) Math.min(WINDOW_BYTES, bytes - at);
            int offset = load(at, length);
            if (at == 0 && !headerDamaged) {
                Bytes.putLong(window, offset + JournalFormat.SEGMENT_BYTES, bytes);
                JournalFormat.seal(window, offset, checksum);
            }
            to.write(ByteBuffer.wrap(window, offset, length), at);
            at += length;
        }
    }

    /**
     * Loads {@code length} bytes into the window, from {@code at} on.
     *
     * @return the offset of these bytes, or -1 when the segment ends before the last of them
     */
    private int load(long at, int length) throws IOException {
        if (at + length > size) {
            return -1;
        }
        if (at < windowAt || at + length > windowAt + windowBytes) {
            int wanted = (int) Math.min(Math.max(length, ahead), size);
            if (wanted > window.length) {
                window = new byte[(int) Math.max(wanted, Math.min(2L * window.length, size))];
            }
            windowAt = at;
            windowBytes = (int) Math.min(wanted, size - at);
            fill();
        }
        return (int) (at - windowAt);
    }

    private void fill() throws IOException {
        int read;
        try {
            read = file.read(ByteBuffer.wrap(window, 0, windowBytes), windowAt);
        } catch (IOException e) {
            readBlockByBlock(e);
            return;
        }
        Arrays.fill(window, Math.max(0, read), windowBytes, (byte) 0);
    }

    /** Reads block by block, and puts zeros for blocks that the disk cannot read. */
    private void readBlockByBlock(IOException why) throws IOException {
        boolean any = false;
        int length;
        for (int at = 0; at < windowBytes; at += length) {
            long block = JournalFormat.blockEnd(windowAt + at + 1);
            length = (int) Math.min(block - windowAt - at, windowBytes - at);
            Arrays.fill(window, at, at + length, (byte) 0);
            try {
                any |= file.read(ByteBuffer.wrap(window, at, length), windowAt + at) > 0;
            } catch (IOException e) {
                why.addSuppressed(e);
            }
        }
        if (!any && windowBytes > 4 * JournalFormat.BLOCK_BYTES) {
            throw why; // not a bad block: the whole disk fails
        }
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
