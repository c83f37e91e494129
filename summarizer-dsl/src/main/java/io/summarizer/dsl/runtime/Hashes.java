package io.summarizer.dsl.runtime;

import com.dynatrace.hash4j.hashing.Hasher128;
import com.dynatrace.hash4j.hashing.Hashing;
import io.summarizer.core.decode.InputEvent;

/**
 * Computes the hash of {@code hash64} and of the elements of a {@code multiset64}: the first 64 bits of
 * MurmurHash3_x64_128 (A. Appleby) with seed 0, as in PostgreSQL's {@code hll_hash_bigint} and {@code hll_hash_text}.
 * An integer, a timestamp or a bool is hashed as 8 bytes, little-endian. A string is hashed as its UTF-8 bytes, a
 * double as its bits.
 */
public final class Hashes {
    /** The hash function. */
    public static final Hasher128 MURMUR = Hashing.murmur3_128();

    private Hashes() {}

    /** The hash of 64 bits. */
    public static long hash(long bits) {
        return MURMUR.hashLongToLong(bits);
    }

    /** The hash of a string. */
    public static long hash(InputEvent event, long string) {
        return MURMUR.hashBytesToLong(
                event.stringBytes(string), InputEvent.stringOffset(string), InputEvent.stringLength(string));
    }

    /** The bits of a double for its hash; 0.0 and -0.0 have the same bits here. */
    public static long bits(double value) {
        return Double.doubleToRawLongBits(value + 0.0);
    }
}
