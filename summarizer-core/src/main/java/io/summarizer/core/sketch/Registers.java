package io.summarizer.core.sketch;

import io.summarizer.core.bytes.Bytes;

/**
 * HyperLogLog registers, packed without gaps: register i takes bits {@code i * width} and up, counted from the low bit of
 * the first byte. Register choice and value are those of the HLL storage specification version 1 (Aggregate Knowledge),
 * which PostgreSQL's {@code hll} extension reads: the low log2m bits of the hash choose, and the value is the position of
 * the lowest set bit above them, from 1, at most {@code 2^width - 1}. A hash without such a bit changes nothing.
 *
 * <p>Eight registers take exactly {@code width} bytes, and there are always a multiple of eight.
 */
final class Registers {
    private Registers() {}

    /** Bytes that {@code count} registers take. */
    static int bytes(int count, int width) {
        return (count * width) >>> 3;
    }

    /** The value that a hash offers to its register, or 0 for none. */
    static int value(long hash, int log2m, int width) {
        long rest = hash >>> log2m;
        return rest == 0 ? 0 : Math.min((1 << width) - 1, 1 + Long.numberOfTrailingZeros(rest));
    }

    /** The value of register {@code index} of those that take {@code length} bytes from {@code base}. */
    static int get(byte[] bytes, int base, int length, int width, int index) {
        int bit = index * width;
        // A register spans at most two bytes; the last byte is read as the second of its pair, never past the end.
        int at = Math.min(bit >>> 3, length - 2);
        return (Bytes.getShort(bytes, base + at) >>> (bit - (at << 3))) & ((1 << width) - 1);
    }

    /** Sets register {@code index} of those that take {@code length} bytes from {@code base}. */
    static void set(byte[] bytes, int base, int length, int width, int index, int value) {
        int bit = index * width;
        int at = Math.min(bit >>> 3, length - 2);
        int shift = bit - (at << 3);
        int others = Bytes.getShort(bytes, base + at) & ~(((1 << width) - 1) << shift);
        Bytes.putShort(bytes, base + at, (short) (others | (value << shift)));
    }

    /** Adds to {@code histogram[v]} how many of the registers that take {@code length} bytes from {@code base} are v. */
    static void countInto(int[] histogram, byte[] bytes, int base, int length, int width) {
        int mask = (1 << width) - 1;
        int last = bytes.length - Long.BYTES;
        for (int at = base; at < base + length; at += width) {
            int from = Math.min(at, last);
            long eight = Bytes.getLong(bytes, from) >>> ((at - from) << 3);
            for (int i = 0; i < 8; i++) {
                histogram[(int) eight & mask]++;
                eight >>>= width;
            }
        }
    }

    /** Writes those that take {@code length} bytes from {@code base} to {@code into} from {@code to} on, a byte each. */
    static void unpack(byte[] bytes, int base, int length, int width, byte[] into, int to) {
        int mask = (1 << width) - 1;
        int last = bytes.length - Long.BYTES;
        int next = to;
        for (int at = base; at < base + length; at += width) {
            int from = Math.min(at, last);
            long eight = Bytes.getLong(bytes, from) >>> ((at - from) << 3);
            for (int i = 0; i < 8; i++) {
                into[next++] = (byte) (eight & mask);
                eight >>>= width;
            }
        }
    }

    /**
     * Raises the registers that take {@code length} bytes from {@code base} to those in {@code other} from {@code from} on, a
     * byte each.
     */
    static void raise(byte[] bytes, int base, int length, int width, byte[] other, int from) {
        int count = length * 8 / width;
        for (int i = 0; i < count; i++) {
            if (other[from + i] > get(bytes, base, length, width, i)) {
                set(bytes, base, length, width, i, other[from + i]);
            }
        }
    }
}
