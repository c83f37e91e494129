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
 * Walks through the records of one segment, past whatever is damaged. One thread.
 *
 * <p>A record counts when its header's checksum is right, the header names this segment and this place in it, and the body's
 * checksum is right; so nothing that the file held in an earlier life, and nothing that a sender put into a message, is taken
 * for a record. Where there is none, the next one is looked for at every place from there on: what is missing is known from the
 * sequences on either side.
 *
 * <p>Memory: a window of {@value #WINDOW_BYTES} bytes, or the largest record.
 */
final class SegmentReader implements AutoCloseable {
    private static final int WINDOW_BYTES = 256 * 1024;

    /** Of what is behind the last record so much is kept, for people. */
    private static final int TORN_BYTES = 64 * 1024;

    private static final int NO_LISTENER = -2;

    /** In place of where a segment ends: nothing is known to come behind it. */
    static final long UNKNOWN = Long.MAX_VALUE;

    /** What was met. */
    enum Found {
        /** A record of messages or a control, see {@link #header}. */
        RECORD,
        /** A place that cannot be read, see {@link #lost}. */
        LOST,
        /** Nothing more. */
        END
    }

    private final SegmentName name;
    private final DiskFile file;
    private final long size;
    private final long endSequence;
    private final long endControl;
    /** Whether bodies are read, and checked. */
    private final boolean bodies;

    private final CRC32C checksum = new CRC32C();
    private final RecordHeader header = new RecordHeader();

    private byte[] window;
    private long windowAt;
    private int windowBytes;
    /** Bytes to read at a time. Who reads headers alone jumps from one to the next. */
    private int ahead;

    /** Of the segment's records; 0 as long as no header said so. */
    private long segmentId;

    private boolean headerDamaged;
    /** Whether the file had more bytes once. */
    private boolean cutShort;

    private long position = JournalFormat.BLOCK_BYTES;
    private long sequence;
    private long control;
    /** Start of what cannot be read, or -1. */
    private long damagedAt = -1;
    /** Start of the zeros that were passed over since the last record, or -1. */
    private long paddedAt = -1;

    /** Listeners of the records around what cannot be read, as far as they agree; {@link #NO_LISTENER} before the first one. */
    private int listener = NO_LISTENER;

    private @Nullable Lost lost;
    private boolean ended;
    /** Whether the segment said itself that nothing follows. */
    private boolean endMarked;

    /** Behind the last byte that is part of the journal, as far as it was read. */
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
     * @param endSequence where the next segment begins, or {@link #UNKNOWN}
     * @param endControl the same of controls
     * @param bodies whether to read and check bodies, not only headers
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
            ended = true; // its file had another life, and this one never began
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

    /** Where the record at hand starts. */
    long recordAt() {
        return position - header.bytes();
    }

    /** Behind the last byte that is part of the journal, as far as it was read. */
    long soundEnd() {
        return soundEnd;
    }

    /** Of the record that {@link #next} found. */
    RecordHeader header() {
        return header;
    }

    /** What {@link #next} found missing. */
    Lost lost() {
        Lost lost = this.lost;
        if (lost == null) {
            throw new IllegalStateException("nothing is lost");
        }
        return lost;
    }

    /**
     * Offset in {@link #bytes} of the body of the record at hand; good until the next call of {@link #next}.
     *
     * @throws JournalException when bodies are read only when somebody asks, and this one is damaged
     */
    int body() throws IOException {
        int at = load(recordAt(), JournalFormat.HEADER_BYTES + header.stored) + JournalFormat.HEADER_BYTES;
        if (!bodies && !header.hasBody(window, at)) {
            throw new JournalException(name.file() + ": the record at byte " + recordAt() + " is damaged");
        }
        return at;
    }

    /** What {@link #body} points into. */
    byte[] bytes() {
        return window;
    }

    /** Goes on to what comes next. */
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

    /** Behind the last record of a group there are zeros up to the end of the block. */
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

    /** A sound header: takes the record, unless something stands in the way. */
    private @Nullable Found take() throws IOException {
        segmentId = header.segmentId;
        boolean messages = header.kind == JournalFormat.MESSAGES || header.kind == JournalFormat.KAFKA_RANGE;
        boolean superseded = header.kind == JournalFormat.CONTROL
                ? header.stamp >= endControl
                : messages ? header.end() > endSequence : header.first > endSequence;
        if (superseded && hasSoundBody()) {
            // A write that failed, and was done again in the next segment. What cannot be read before it is the same.
            // Not so a damaged control: a later one may have got its number when messages behind it were still found.
            ended = true;
            return null;
        }
        boolean mark = header.kind == JournalFormat.SYNCED || header.kind == JournalFormat.END;
        boolean known = mark || header.kind == JournalFormat.MESSAGES || header.kind == JournalFormat.CONTROL;
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
            String what = header.kind == JournalFormat.KAFKA_RANGE
                    ? "a range of Kafka records"
                    : "a record of kind " + header.kind;
            throw new NewerJournalException(what).at(name.file(), position);
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

    /** The record at hand is next to what cannot be read, or a part of it. */
    private void agree(int of) {
        listener = listener == NO_LISTENER || listener == of ? of : Lost.UNKNOWN_LISTENER;
    }

    /** The listener of what was found missing. */
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

    /** There is no header here: looks for the next place with something like one. */
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
                // All that is left is damaged, or was never written.
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

    /** Whether there seems to be something of this segment at {@code from}: not zeros, and no record of an earlier life of the file. */
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
            cutShort = false; // that is told now
            return Found.LOST;
        }
        if (cutShort && endSequence == UNKNOWN && !endMarked) {
            cutShort = false;
            lost = new Lost(sequence, sequence, 0, name.file(), size, 0, lostListener(), true);
            return Found.LOST;
        }
        return Found.END;
    }

    /** What cannot be read ends where the record at hand starts, which {@link #next} will find again. */
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

    /** Whether a loss is that the file was longer once. */
    boolean isCutShort(Lost lost) {
        return lost.bytes() == 0 && lost.messages() == 0 && lost.controls() == 0;
    }

    /** At the end: whether something is behind the last record that seems to belong to the segment. */
    boolean isTorn() {
        return damagedAt >= 0;
    }

    /** Behind what an unfinished write may have left. */
    long tornEnd() {
        return damagedAt + TORN_BYTES;
    }

    /**
     * Copies the first {@code bytes}, with a header that says how many they are; zeros in place of what cannot be read. Afterwards
     * nothing more can be read here.
     */
    void copy(long bytes, DiskFile to) throws IOException {
        ended = true;
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
     * Has {@code length} bytes from {@code at} on in the window.
     *
     * @return their offset, or -1 when the segment ends before
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

    /** What the disk cannot read is as good as zeros; what is around it counts. */
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
            throw why; // not a bad block, but no disk
        }
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
