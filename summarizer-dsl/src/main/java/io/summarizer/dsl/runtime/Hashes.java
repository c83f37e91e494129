package io.summarizer.dsl.runtime;

import io.summarizer.core.bytes.Bytes;
import io.summarizer.core.decode.InputEvent;

/**
 * Computes the hash of {@code hash64} and of the elements of a {@code multiset64}: the first 64 bits of
 * MurmurHash3_x64_128 (A. Appleby) with seed 0, as in PostgreSQL's {@code hll_hash_bigint} and {@code hll_hash_text}.
 * An integer, a timestamp or a bool is hashed as 8 bytes, little-endian. A string is hashed as its UTF-8 bytes, a
 * double as its bits.
 *
 * <p>Cost: about 4 ns for 8 bytes, and 1 ns for 4 further bytes. Allocates nothing. No library is used, because
 * libraries return all 128 bits as an object, and the compiler does not always remove this object.
 */
public final class Hashes {
    private static final long C1 = 0x87c37b91114253d5L;
    private static final long C2 = 0x4cf5ad432745937fL;

    private Hashes() {}

    /** The hash of 64 bits. */
    public static long hash(long bits) {
        return end(first(bits), 0, Long.BYTES);
    }

    /** The hash of a string. */
    public static long hash(InputEvent event, long string) {
        return hash(event.stringBytes(string), InputEvent.stringOffset(string), InputEvent.stringLength(string));
    }

    /** The hash of {@code length} bytes. */
    public static long hash(byte[] bytes, int from, int length) {
        long h1 = 0;
        long h2 = 0;
        int at = from;
        for (int end = from + (length & -16); at < end; at += 16) {
            h1 = (Long.rotateLeft(h1 ^ first(Bytes.getLong(bytes, at)), 27) + h2) * 5 + 0x52dce729;
            h2 = (Long.rotateLeft(h2 ^ second(Bytes.getLong(bytes, at + 8)), 31) + h1) * 5 + 0x38495ab5;
        }
        int rest = length & 15;
        if (rest > 8) {
            h2 ^= second(tail(bytes, at + 8, rest - 8));
            rest = 8;
        }
        if (rest > 0) {
            h1 ^= first(tail(bytes, at, rest));
        }
        return end(h1, h2, length);
    }

    /** Reads 1 to 8 bytes. */
    private static long tail(byte[] bytes, int at, int length) {
        if (length == 8) {
            return Bytes.getLong(bytes, at);
        }
        long word = 0;
        for (int i = length - 1; i >= 0; i--) {
            word = (word << 8) | (bytes[at + i] & 0xff);
        }
        return word;
    }

    private static long first(long word) {
        return Long.rotateLeft(word * C1, 31) * C2;
    }

    private static long second(long word) {
        return Long.rotateLeft(word * C2, 33) * C1;
    }

    private static long end(long h1, long h2, int length) {
        long second = h2 ^ length;
        long first = (h1 ^ length) + second;
        return mixed(first) + mixed(second + first);
    }

    private static long mixed(long word) {
        long mixed = (word ^ (word >>> 33)) * 0xff51afd7ed558ccdL;
        mixed = (mixed ^ (mixed >>> 33)) * 0xc4ceb9fe1a85ec53L;
        return mixed ^ (mixed >>> 33);
    }

    /** The bits of a double for its hash; 0.0 and -0.0 have the same bits here. */
    public static long bits(double value) {
        return Double.doubleToRawLongBits(value + 0.0);
    }
}
