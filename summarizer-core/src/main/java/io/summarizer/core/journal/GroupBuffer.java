package io.summarizer.core.journal;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import io.summarizer.core.bytes.Bytes;
import io.summarizer.core.message.KafkaRange;
import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.receive.TopicRule;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Collects the records of a group in the layout of the segment, so that all of them are written in one call. One
 * thread.
 *
 * <p>All memory is outside the heap. So compressing and writing need no copy of the bytes, and do not delay garbage
 * collection. The memory grows to the size of a group, and shrinks after an unusually large group. In the steady state,
 * nothing is allocated.
 */
final class GroupBuffer implements AutoCloseable {
    private static final int INITIAL_BYTES = 64 * 1024;
    /** Maximum bytes of memory that are kept from one group to the next. */
    private static final int KEPT_BYTES = 16 << 20;

    /** Size in bytes from which on a body is compressed. */
    private static final int COMPRESSED_BYTES_MIN = 128;

    private final boolean compressed;
    private final int level;
    /** Created at the first use, because its creation takes a while. */
    private @Nullable ZstdCompressCtx compressor;

    private final MessageBody body = new MessageBody();
    private final CRC32C checksum = new CRC32C();
    private final byte[] header = new byte[JournalFormat.HEADER_BYTES];

    private ByteBuffer group = allocate(INITIAL_BYTES);
    private ByteBuffer plain = allocate(INITIAL_BYTES);
    private int size;
    private long plainBytes;

    // Id of the segment of the group.
    private long segmentId;
    private long start;
    private int synced;

    GroupBuffer(Compression compression, int level) {
        compressed = compression == Compression.ZSTD;
        this.level = level;
    }

    /**
     * Begins a group, unless one has begun.
     *
     * @param start position of the group in the segment
     * @param synced end of the durable bytes
     */
    void begin(long segmentId, long start, long synced) {
        if (size == 0) {
            this.segmentId = segmentId;
            this.start = start;
            this.synced = place(synced);
        }
    }

    private static int place(long position) {
        return (int) (position / JournalFormat.ALIGNMENT);
    }

    /** Bytes of the group so far. */
    int size() {
        return size;
    }

    boolean isEmpty() {
        return size == 0;
    }

    /** Bytes of the bodies in the group before compression. */
    long plainBytes() {
        return plainBytes;
    }

    /** Upper bound on the bytes of a record of {@code batch}. */
    static long recordBytesMax(MessageBatch batch) {
        KafkaRange range = batch.range();
        return recordBytesMax(range == null ? MessageBody.bytesMax(batch) : RangeBody.bytesMax(range));
    }

    static long recordBytesMax(long bodyBytes) {
        if (bodyBytes > JournalFormat.PLAIN_BYTES_MAX) {
            throw new IllegalArgumentException("a batch of bytes=" + bodyBytes);
        }
        return JournalFormat.HEADER_BYTES
                + (long) JournalFormat.aligned(Math.toIntExact(Zstd.compressBound(bodyBytes)));
    }

    /** Appends a record of the messages of {@code batch}, which begin at sequence {@code first}. */
    void messages(MessageBatch batch, TopicRule rule, long first) {
        int bound = Math.toIntExact(MessageBody.bytesMax(batch));
        ensureRoom(recordBytesMax(bound));
        int at = size + JournalFormat.HEADER_BYTES;
        int stored;
        int length;
        int form = JournalFormat.STORED_PLAIN;
        if (compressed && bound >= COMPRESSED_BYTES_MIN) {
            if (plain.capacity() < bound) {
                plain = allocate(2 * bound);
            }
            length = body.put(batch, plain, 0);
            stored = compressor().compressDirectByteBuffer(group, at, group.capacity() - at, plain, 0, length);
            if (stored < length) {
                form = JournalFormat.STORED_ZSTD;
            } else {
                stored = length;
                group.put(at, plain, 0, length);
            }
        } else {
            length = body.put(batch, group, at) - at;
            stored = length;
        }
        Bytes.putLong(header, JournalFormat.RECORD_STAMP, batch.firstStamp());
        Bytes.putInt(header, JournalFormat.RECORD_COUNT, batch.count());
        Bytes.putInt(header, JournalFormat.RECORD_LISTENER, batch.listener());
        header[JournalFormat.RECORD_COMPRESSION] = (byte) form;
        header[JournalFormat.RECORD_RULE] = (byte) JournalFormat.code(rule);
        finish(JournalFormat.MESSAGES, first, stored, length);
        plainBytes += length;
    }

    /**
     * Appends a record of a range, which stands for the messages of a batch. The messages begin at sequence {@code
     * first}.
     */
    void range(MessageBatch batch, KafkaRange range, long first) {
        byte[] bytes = RangeBody.encode(range);
        ensureRoom(recordBytesMax(bytes.length));
        group.put(size + JournalFormat.HEADER_BYTES, bytes);
        Bytes.putLong(header, JournalFormat.RECORD_STAMP, batch.firstStamp());
        Bytes.putInt(header, JournalFormat.RECORD_COUNT, range.count());
        Bytes.putInt(header, JournalFormat.RECORD_LISTENER, batch.listener());
        finish(JournalFormat.KAFKA_RANGE, first, bytes.length, bytes.length);
        plainBytes += bytes.length;
    }

    /** Appends a record of a control. The control follows the messages before {@code end}. */
    void control(Control control, long number, long end) {
        byte[] bytes = control.encode();
        ensureRoom(recordBytesMax(bytes.length));
        group.put(size + JournalFormat.HEADER_BYTES, bytes);
        Bytes.putLong(header, JournalFormat.RECORD_STAMP, number);
        finish(JournalFormat.CONTROL, end, bytes.length, bytes.length);
    }

    /** Appends a record without a body. */
    void mark(int kind, long end) {
        ensureRoom(JournalFormat.HEADER_BYTES);
        finish(kind, end, 0, 0);
    }

    private void finish(int kind, long first, int stored, int length) {
        int from = size + JournalFormat.HEADER_BYTES;
        Bytes.putInt(header, 0, JournalFormat.RECORD_MAGIC);
        Bytes.putInt(header, JournalFormat.RECORD_PLACE, place(start + size));
        Bytes.putLong(header, JournalFormat.RECORD_SEGMENT, segmentId);
        Bytes.putLong(header, JournalFormat.RECORD_FIRST, first);
        Bytes.putInt(header, JournalFormat.RECORD_STORED, stored);
        Bytes.putInt(header, JournalFormat.RECORD_PLAIN, length);
        Bytes.putInt(header, JournalFormat.RECORD_CHECKSUM, checksum(from, stored));
        Bytes.putInt(header, JournalFormat.RECORD_SYNCED, synced);
        header[JournalFormat.RECORD_KIND] = (byte) kind;
        JournalFormat.seal(header, checksum);
        group.put(size, header);
        Arrays.fill(header, (byte) 0);
        size = from + JournalFormat.aligned(stored);
        zero(from + stored, size);
    }

    private int checksum(int from, int length) {
        checksum.reset();
        group.limit(from + length).position(from);
        checksum.update(group);
        group.clear();
        return (int) checksum.getValue();
    }

    private void zero(int from, int to) {
        for (int at = from; at < to; at++) {
            group.put(at, (byte) 0);
        }
    }

    /** The whole group, padded with zeros to the end of the last block. Valid until the next record is appended. */
    ByteBuffer contents() {
        int end = (int) JournalFormat.blockEnd(size);
        ensureRoom((long) end - size);
        zero(size, end);
        return group.limit(end).position(0);
    }

    /** Forgets the group. */
    void clear() {
        size = 0;
        plainBytes = 0;
        group.clear();
        if (group.capacity() > KEPT_BYTES) {
            group = allocate(INITIAL_BYTES);
        }
        if (plain.capacity() > KEPT_BYTES) {
            plain = allocate(INITIAL_BYTES);
        }
    }

    private void ensureRoom(long more) {
        long needed = size + more + JournalFormat.BLOCK_BYTES;
        if (needed > group.capacity()) {
            ByteBuffer larger =
                    allocate((int) Math.min(Integer.MAX_VALUE - 8L, Math.max(needed, 2L * group.capacity())));
            larger.put(0, group, 0, size);
            group = larger;
        }
    }

    private static ByteBuffer allocate(int bytes) {
        return ByteBuffer.allocateDirect(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    private ZstdCompressCtx compressor() {
        ZstdCompressCtx compressor = this.compressor;
        if (compressor == null) {
            compressor = new ZstdCompressCtx();
            compressor.setLevel(level).setContentSize(false).setChecksum(false);
            this.compressor = compressor;
        }
        return compressor;
    }

    @Override
    public void close() {
        ZstdCompressCtx compressor = this.compressor;
        if (compressor != null) {
            compressor.close();
        }
    }
}
