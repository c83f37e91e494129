package io.summarizer.core.store;

import io.summarizer.core.bytes.Bytes;
import java.util.Arrays;

/**
 * A buffer in which a key is made, in the encoding of {@link KeyLayout}. Set every column once, in order, then read
 * {@link #hash()}. Used by one parser worker, for all keys of one layout.
 */
public final class KeyBuffer {
    private final KeyLayout layout;
    private byte[] bytes;
    private int length;
    private int bytesMax = Integer.MAX_VALUE;
    private Runnable onTooLong = () -> {};
    private boolean tooLong;

    /** A buffer for keys of any length. */
    public KeyBuffer(KeyLayout layout) {
        this.layout = layout;
        bytes = new byte[layout.fixedBytes() + 64];
    }

    /**
     * Bounds the length of keys with texts. The whole encoded key counts.
     *
     * @param onTooLong runs once for each key that is too long
     */
    public void bound(int bytesMax, Runnable onTooLong) {
        this.bytesMax = bytesMax;
        this.onTooLong = onTooLong;
    }

    /** The layout that this buffer encodes. */
    public KeyLayout layout() {
        return layout;
    }

    /** Starts a new key, all of whose columns are unset. */
    public void reset() {
        length = layout.fixedBytes();
        tooLong = false;
        Arrays.fill(bytes, 0, length, (byte) 0);
    }

    /** Makes column {@code column} null. */
    public void setNull(int column) {
        bytes[column >>> 3] |= (byte) (1 << (column & 7));
        if (layout.type(column) == KeyType.STRING) {
            ensure(4);
            Bytes.putInt(bytes, length, 0);
            length += 4;
        }
    }

    /** Sets a fixed-width column. A 32-bit column takes the low 32 bits; for a bool, the value is 0 or 1. */
    public void setLong(int column, long value) {
        int at = layout.offset(column);
        switch (layout.type(column)) {
            case INT64, UINT64, TIMESTAMP -> Bytes.putLong(bytes, at, value);
            case INT32, UINT32 -> Bytes.putInt(bytes, at, (int) value);
            case BOOL -> bytes[at] = (byte) value;
            case STRING -> throw new IllegalStateException("column " + column + " is a string");
        }
    }

    /** Whether a column is null. */
    public boolean isNull(int column) {
        return (bytes[column >>> 3] >>> (column & 7) & 1) != 0;
    }

    /** The value of a column of type int64, uint64 or timestamp; 0 when it is null. */
    public long number(int column) {
        return Bytes.getLong(bytes, layout.offset(column));
    }

    /**
     * Sets a string column to UTF-8 bytes. Call this method, or make the column null, for all string columns in their
     * order.
     */
    public void setString(int column, byte[] source, int offset, int count) {
        assert layout.type(column) == KeyType.STRING;
        if (count > bytesMax - length - 4) {
            leaveOut();
            return;
        }
        ensure(4 + count);
        Bytes.putInt(bytes, length, count);
        System.arraycopy(source, offset, bytes, length + 4, count);
        length += 4 + count;
    }

    /**
     * Whether the key is longer than the bound. Such a key gets no row. Its encoding lacks at least one text, and
     * {@link UpdateBatch} leaves out all texts of the key.
     */
    public boolean isTooLong() {
        return tooLong;
    }

    private void leaveOut() {
        if (!tooLong) {
            tooLong = true;
            onTooLong.run();
        }
    }

    /** The encoded key: {@link KeyLayout#fixedBytes()} bytes, then the tail. */
    public byte[] bytes() {
        return bytes;
    }

    /** Length of the encoded key in bytes. */
    public int length() {
        return length;
    }

    /** Hash of the encoded key; its high bits choose the partition. */
    public long hash() {
        return Bytes.hash(bytes, 0, length, KeyHash.SEED);
    }

    private void ensure(int more) {
        if (length + more > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(length + more, bytes.length * 2));
        }
    }
}
