package io.summarizer.core.export;

import io.summarizer.core.bytes.Bytes;
import java.util.Arrays;

/**
 * What a row is sorted by, as bytes that compare like the columns they stand for: unsigned, byte by byte, the shorter of
 * two that are equal so far first. Nulls come last, whichever way a column is sorted. Belongs to one export.
 */
public final class SortKey {
    private static final byte PRESENT = 0;
    private static final byte NULL = 1;

    private byte[] bytes = new byte[64];
    private int length;

    SortKey() {}

    void clear() {
        length = 0;
    }

    byte[] bytes() {
        return bytes;
    }

    int length() {
        return length;
    }

    /** A signed integer. */
    public void putLong(long value, boolean descending) {
        putUnsignedLong(value ^ Long.MIN_VALUE, descending);
    }

    /** A signed integer of 128 bits, in two halves, that is never null: 9 bytes where it fits 64 bits, else 17. */
    public void putSum(long low, long high, boolean descending) {
        boolean narrow = high == low >> 63;
        int mark = narrow ? 1 : high < 0 ? 0 : 2;
        room(1 + 2 * Long.BYTES);
        bytes[length++] = (byte) (descending ? 2 - mark : mark);
        if (!narrow) {
            putBits(high, descending);
        }
        putBits(narrow ? low ^ Long.MIN_VALUE : low, descending);
    }

    private void putBits(long bits, boolean descending) {
        Bytes.putLong(bytes, length, Long.reverseBytes(descending ? ~bits : bits));
        length += Long.BYTES;
    }

    /** An unsigned integer. */
    public void putUnsignedLong(long value, boolean descending) {
        room(1 + Long.BYTES);
        bytes[length++] = PRESENT;
        putBits(value, descending);
    }

    /** A double; zeros are equal. */
    public void putDouble(double value, boolean descending) {
        long bits = Double.doubleToLongBits(value == 0 ? 0.0 : value);
        // Magnitudes of negative ones count backwards.
        putLong(bits ^ (bits >> 63 & Long.MAX_VALUE), descending);
    }

    /** A text, by its UTF-8 bytes, which is by code point. */
    public void putText(byte[] text, int offset, int count, boolean descending) {
        room(2 * count + 3);
        int flip = descending ? 0xff : 0;
        int at = length;
        bytes[at++] = PRESENT;
        for (int i = offset; i < offset + count; i++) {
            bytes[at++] = (byte) (text[i] ^ flip);
            if (text[i] == 0) {
                bytes[at++] = (byte) (0xff ^ flip); // so that a NUL is more than the end
            }
        }
        bytes[at++] = (byte) flip;
        bytes[at++] = (byte) flip;
        length = at;
    }

    /** No value. */
    public void putNull() {
        room(1);
        bytes[length++] = NULL;
    }

    private void room(int more) {
        if (length + more > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(length + more, bytes.length * 2));
        }
    }
}
