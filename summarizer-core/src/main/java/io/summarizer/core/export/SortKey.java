package io.summarizer.core.export;

import io.summarizer.core.bytes.Bytes;
import java.util.Arrays;

/**
 * The sort key of a row, as bytes. Rows are in the order of their keys. Keys are compared byte by byte, as unsigned
 * numbers; a key that is a prefix of another key comes first. Nulls come last in ascending and in descending order.
 * Belongs to one export.
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

    /** Puts a signed integer. */
    public void putLong(long value, boolean descending) {
        putUnsignedLong(value ^ Long.MIN_VALUE, descending);
    }

    /**
     * Puts a signed integer of 128 bits, given in two halves. The integer is never null. The key grows by 9 bytes if
     * the integer fits 64 bits, otherwise by 17.
     */
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

    /** Puts an unsigned integer. */
    public void putUnsignedLong(long value, boolean descending) {
        room(1 + Long.BYTES);
        bytes[length++] = PRESENT;
        putBits(value, descending);
    }

    /** Puts a double; the two zeros are equal. */
    public void putDouble(double value, boolean descending) {
        long bits = Double.doubleToLongBits(value == 0 ? 0.0 : value);
        // For negative numbers, a larger magnitude comes first.
        putLong(bits ^ (bits >> 63 & Long.MAX_VALUE), descending);
    }

    /** Puts a text as its UTF-8 bytes. Their order is the order of the code points. */
    public void putText(byte[] text, int offset, int count, boolean descending) {
        room(2 * count + 3);
        int flip = descending ? 0xff : 0;
        int at = length;
        bytes[at++] = PRESENT;
        for (int i = offset; i < offset + count; i++) {
            bytes[at++] = (byte) (text[i] ^ flip);
            if (text[i] == 0) {
                bytes[at++] = (byte) (0xff ^ flip); // so that a NUL is greater than the end
            }
        }
        bytes[at++] = (byte) flip;
        bytes[at++] = (byte) flip;
        length = at;
    }

    /** Puts a null. */
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
