package io.summarizer.core.bytes;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A buffer for the contents of one block of a file. Numbers are little-endian. The user either writes the buffer from
 * the front or reads it. A write grows the buffer, up to a bound; a read beyond the end is refused. Not thread-safe.
 */
public final class BlockBuffer {
    /**
     * Maximum number of bytes of a block. A thread that reads a file allocates at most twice this number of bytes, even
     * when the file is damaged.
     */
    public static final int BYTES_MAX = 128 << 20;

    /**
     * Number of extra bytes in the array after the limit. They are needed because a number of any width is read and
     * written as eight bytes.
     */
    private static final int SLACK = 8;

    private static final int NAME_BYTES_MAX = 1 << 16;

    private byte[] bytes = new byte[1024 + SLACK];
    private int at;
    private int limit;

    /** Empties the buffer for writing. */
    public void clear() {
        at = 0;
    }

    /** Switches from writing to reading. Reads then start at the front of the written bytes. */
    public void flip() {
        limit = at;
        at = 0;
    }

    /** Number of bytes written or read so far. */
    public int position() {
        return at;
    }

    /** End of the bytes to read. */
    public int limit() {
        return limit;
    }

    /** The backing array; replaced when the buffer grows. */
    public byte[] array() {
        return bytes;
    }

    /**
     * Prepares the buffer for {@code length} bytes to read. The caller puts these bytes at the start of {@link
     * #array()}.
     */
    public void fill(int length) {
        at = 0;
        limit = length;
        if (length + SLACK > bytes.length) {
            bytes = new byte[length + SLACK];
        }
    }

    /** Whether all bytes were read. */
    public boolean isAtEnd() {
        return at == limit;
    }

    /** Appends one byte. */
    public void putByte(int value) {
        reserve(1);
        bytes[at++] = (byte) value;
    }

    /** Appends 4 bytes. */
    public void putInt(int value) {
        reserve(4);
        Bytes.putInt(bytes, at, value);
        at += 4;
    }

    /** Appends 8 bytes. */
    public void putLong(long value) {
        reserve(8);
        Bytes.putLong(bytes, at, value);
        at += 8;
    }

    /** Appends part of an array. */
    public void putBytes(byte[] source, int offset, int length) {
        reserve(length);
        System.arraycopy(source, offset, bytes, at, length);
        at += length;
    }

    /** Appends a text with its length. */
    public void putName(String name) {
        byte[] utf8 = name.getBytes(StandardCharsets.UTF_8);
        putInt(utf8.length);
        putBytes(utf8, 0, utf8.length);
    }

    /**
     * Appends numbers, each as its difference from the smallest number. Every difference takes as many bytes as the
     * largest difference needs.
     */
    public void putLongs(long[] values, int count) {
        long min = count == 0 ? 0 : values[0];
        long max = min;
        for (int i = 1; i < count; i++) {
            min = Math.min(min, values[i]);
            max = Math.max(max, values[i]);
        }
        int width = (Long.SIZE - Long.numberOfLeadingZeros(max - min) + 7) >>> 3;
        putByte(width);
        putLong(min);
        reserve((long) count * width + SLACK);
        byte[] bytes = this.bytes;
        int at = this.at;
        for (int i = 0; i < count; i++) {
            Bytes.putLong(bytes, at, values[i] - min);
            at += width;
        }
        this.at = at;
    }

    /**
     * Appends flags. The first byte is 0 when all flags are clear, 1 when all are set, and 2 otherwise. After a 2, one
     * bit for each flag follows.
     */
    public void putFlags(byte[] flags, int count) {
        int set = 0;
        for (int i = 0; i < count; i++) {
            set += flags[i];
        }
        putByte(set == 0 ? 0 : set == count ? 1 : 2);
        if (set == 0 || set == count) {
            return;
        }
        for (int i = 0; i < count; i += 8) {
            int eight = 0;
            for (int j = i; j < Math.min(i + 8, count); j++) {
                eight |= flags[j] << (j - i);
            }
            putByte(eight);
        }
    }

    /** Reads one byte, from 0 to 255. */
    public int getByte() throws MalformedException {
        need(1);
        return bytes[at++] & 0xff;
    }

    /** Reads 4 bytes. */
    public int getInt() throws MalformedException {
        need(4);
        at += 4;
        return Bytes.getInt(bytes, at - 4);
    }

    /** Reads 8 bytes. */
    public long getLong() throws MalformedException {
        need(8);
        at += 8;
        return Bytes.getLong(bytes, at - 8);
    }

    /**
     * Reads a count of elements, and checks that the rest of the block has at least {@code bytesEach} bytes for each
     * element.
     */
    public int getCount(int bytesEach) throws MalformedException {
        int count = getInt();
        if (count < 0) {
            throw new MalformedException("count=" + count);
        }
        if ((long) count * bytesEach > limit - at) {
            throw new MalformedException("count=" + count + " in bytes=" + (limit - at));
        }
        return count;
    }

    /** Skips {@code length} bytes; returns their offset in {@link #array()}. */
    public int skip(int length) throws MalformedException {
        need(length);
        at += length;
        return at - length;
    }

    /** Reads a text written by {@link #putName}. */
    public String getName() throws MalformedException {
        int length = getCount(1);
        if (length > NAME_BYTES_MAX) {
            throw new MalformedException("a name of bytes=" + length);
        }
        return new String(bytes, skip(length), length, StandardCharsets.UTF_8);
    }

    /** Reads numbers written by {@link #putLongs}. */
    public void getLongs(long[] into, int count) throws MalformedException {
        int width = getByte();
        long base = getLong();
        if (width > 8) {
            throw new MalformedException("numbers of width=" + width);
        }
        int at = skip(Math.multiplyExact(count, width));
        byte[] bytes = this.bytes;
        if (width == 0) {
            Arrays.fill(into, 0, count, base);
            return;
        }
        long mask = -1L >>> (Long.SIZE - 8 * width);
        for (int i = 0; i < count; i++) {
            into[i] = base + (Bytes.getLong(bytes, at) & mask);
            at += width;
        }
    }

    /** Copies the next {@code length} bytes into an array. */
    public void getBytes(byte[] into, int offset, int length) {
        assert length <= limit - at;
        System.arraycopy(bytes, at, into, offset, length);
        at += length;
    }

    /** Reads flags written by {@link #putFlags}. */
    public void getFlags(byte[] into, int count) throws MalformedException {
        int form = getByte();
        if (form > 2) {
            throw new MalformedException("flags of form=" + form);
        }
        if (form < 2) {
            Arrays.fill(into, 0, count, (byte) form);
            return;
        }
        int at = skip((count + 7) >>> 3);
        for (int i = 0; i < count; i++) {
            into[i] = (byte) (bytes[at + (i >>> 3)] >>> (i & 7) & 1);
        }
    }

    private void need(int length) throws MalformedException {
        if (length < 0 || length > limit - at) {
            throw new MalformedException("bytes=" + length + " wanted of " + (limit - at));
        }
    }

    private void reserve(long more) {
        long needed = at + more + SLACK;
        if (needed > bytes.length) {
            if (needed > BYTES_MAX + 1024L) {
                throw new IllegalStateException("a block is larger than a file takes: bytes=" + needed);
            }
            bytes = Arrays.copyOf(bytes, (int) Math.min(BYTES_MAX + 1024L, Math.max(needed, 2L * bytes.length)));
        }
    }
}
