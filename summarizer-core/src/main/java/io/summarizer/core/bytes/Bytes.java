package io.summarizer.core.bytes;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Plain little-endian access to byte arrays. Each call costs one load or store and a bounds check. */
public final class Bytes {
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle SHORT = MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);

    private Bytes() {}

    public static short getShort(byte[] bytes, int offset) {
        return (short) SHORT.get(bytes, offset);
    }

    public static void putShort(byte[] bytes, int offset, short value) {
        SHORT.set(bytes, offset, value);
    }

    public static int getInt(byte[] bytes, int offset) {
        return (int) INT.get(bytes, offset);
    }

    public static void putInt(byte[] bytes, int offset, int value) {
        INT.set(bytes, offset, value);
    }

    public static long getLong(byte[] bytes, int offset) {
        return (long) LONG.get(bytes, offset);
    }

    public static void putLong(byte[] bytes, int offset, long value) {
        LONG.set(bytes, offset, value);
    }

    /** Whether two ranges of {@code length} bytes are equal. Faster than Arrays.equals for a few words. */
    public static boolean equal(byte[] a, int aFrom, byte[] b, int bFrom, int length) {
        int at = 0;
        for (; at + 8 <= length; at += 8) {
            if (getLong(a, aFrom + at) != getLong(b, bFrom + at)) {
                return false;
            }
        }
        for (; at < length; at++) {
            if (a[aFrom + at] != b[bFrom + at]) {
                return false;
            }
        }
        return true;
    }

    /**
     * A 64-bit hash of a range of bytes, by folded 64×64→128-bit multiplications (like wyhash, Wang Yi 2019). The high
     * and the low bits are well mixed. Hashes are valid only within one process; state files contain no hashes.
     */
    public static long hash(byte[] bytes, int offset, int length, long seed) {
        long h = hashStart(seed, length);
        int at = offset;
        int end = offset + length;
        for (; at + 8 <= end; at += 8) {
            h = hashWord(h, getLong(bytes, at));
        }
        if (at < end) {
            long last = 0;
            for (int shift = 0; at < end; at++, shift += 8) {
                last |= (bytes[at] & 0xffL) << shift;
            }
            h = hashRest(h, last);
        }
        return hashEnd(h);
    }

    /** The initial state of a {@link #hash} of {@code length} bytes. */
    public static long hashStart(long seed, int length) {
        return seed ^ 0x9E3779B97F4A7C15L ^ length;
    }

    /** The state after eight more bytes. */
    public static long hashWord(long state, long word) {
        return fold(state ^ word, 0xA0761D6478BD642FL);
    }

    /**
     * The state of the hash after the rest of the input, which is one to seven bytes long. {@code rest} has these bytes
     * as its low bytes; the other bytes of {@code rest} are 0.
     */
    public static long hashRest(long state, long rest) {
        return fold(state ^ rest, 0xE7037ED1A0B428DBL);
    }

    /** The hash, given the state after all bytes. */
    public static long hashEnd(long state) {
        return fold(state, 0x8EBC6AF09C88C6E3L);
    }

    private static long fold(long a, long b) {
        // The two halves of the product may cancel each other. The third term still depends on the input then.
        return (a * b) ^ Math.multiplyHigh(a, b) ^ (a >>> 32);
    }
}
