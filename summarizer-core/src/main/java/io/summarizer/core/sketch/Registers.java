package io.summarizer.core.sketch;

import io.summarizer.core.bytes.Bytes;

/**
 * HyperLogLog registers, packed without gaps: register i takes bits {@code i * width} and up, counted from the low bit
 * of the first byte. The rules for the choice and the value of a register come from the HLL storage specification
 * version 1 (Aggregate Knowledge), which PostgreSQL's {@code hll} extension reads. The low log2m bits of the hash
 * choose the register. The value is the position of the lowest set bit above these log2m bits, counted from 1, and at
 * most {@code 2^width - 1}. A hash without such a bit changes nothing.
 *
 * <p>Eight registers take exactly {@code width} bytes, and the number of registers is always a multiple of eight.
 */
final class Registers {
    private Registers() {}

    /** Bytes of {@code count} registers. */
    static int bytes(int count, int width) {
        return (count * width) >>> 3;
    }

    /** Whether a hash has a value for its register, that is, a set bit above the bits that choose the register. */
    static boolean hasValue(long hash, int log2m) {
        return hash >>> log2m != 0;
    }

    /**
     * The value of a hash for its register, at most {@code max}. Call this method only if {@link #hasValue} is true for
     * the hash.
     */
    static int value(long hash, int log2m, int max) {
        // The bit that is set here limits the result to max, without a branch.
        return 1 + Long.numberOfTrailingZeros((hash >>> log2m) | (1L << (max - 1)));
    }

    /**
     * The value of register {@code index} of the registers that begin at {@code base}. At least one byte must follow
     * the last register.
     */
    static int get(byte[] bytes, int base, int width, int max, int index) {
        int bit = index * width;
        // A register spans at most two bytes.
        return (Bytes.getShort(bytes, base + (bit >>> 3)) >>> (bit & 7)) & max;
    }

    /**
     * Sets register {@code index} of the registers that begin at {@code base}. At least one byte must follow the last
     * register; this byte is not changed.
     */
    static void set(byte[] bytes, int base, int width, int index, int value) {
        int bit = index * width;
        int at = base + (bit >>> 3);
        int shift = bit & 7;
        int others = Bytes.getShort(bytes, at) & ~(((1 << width) - 1) << shift);
        Bytes.putShort(bytes, at, (short) (others | (value << shift)));
    }

    /**
     * Counts the registers in {@code length} bytes from {@code base} on by their values, and adds the counts to {@code
     * histogram}.
     */
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

    /**
     * Unpacks the registers in {@code length} bytes from {@code base} on. Each register becomes one byte in {@code
     * into}; the first of these bytes is at {@code to}.
     */
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
     * Sets each register in {@code length} bytes from {@code base} on to the larger of its value and the value in
     * {@code other}. {@code other} has one byte for each register, from {@code from} on.
     */
    static void raise(byte[] bytes, int base, int length, int width, byte[] other, int from) {
        int max = (1 << width) - 1;
        int count = length * 8 / width;
        for (int i = 0; i < count; i++) {
            if (other[from + i] > get(bytes, base, width, max, i)) {
                set(bytes, base, width, i, other[from + i]);
            }
        }
    }
}
