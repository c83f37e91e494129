package io.summarizer.core.sketch;

/**
 * The part of a 64-bit hash that a small set keeps, in 32 bits. A token has two parts: the low 26 bits of the hash,
 * which are called literal bits, and the number of trailing zeros of the other 38 bits. A set with up to 2^26 registers
 * uses nothing else of a hash, so a set can turn its tokens into registers later without loss. Ertl 2022, "ExaLogLog",
 * calls such tokens hash tokens; Apache DataSketches calls them coupons.
 *
 * <pre>
 *   bits 31..6   the low 26 bits of the hash
 *   bits  5..0   2 + trailing zeros of the other 38 bits: 2 to 39; 1 when all of them are zero
 * </pre>
 *
 * <p>The lowest six bits are never 0 and never above 39; handles and lists use the other values of these six bits as
 * marks. If two tokens have the same literal bits, a set keeps the token with the larger lowest six bits. This loses
 * nothing: both hashes choose the same register, and the kept token gives the register at least the same value. So the
 * token of a hash with only zeros above the literal bits gives way to every other token with the same literal bits.
 * When compared as unsigned numbers, tokens are sorted by their literal bits.
 */
final class Token {
    /** Bits of the hash that a token keeps literally. */
    static final int HASH_BITS = 26;
    /** Bits of the zero count. */
    static final int COUNT_BITS = 6;
    /** The bits of the zero count; in a token, at least one of these bits is set. */
    static final int COUNT_MASK = (1 << COUNT_BITS) - 1;
    /** The count of a hash that has only zeros above the literal bits. */
    static final int COUNT_ALL_ZERO = 1;
    /**
     * The zero count of a hash whose lowest bit above the literal bits is 1. The zero count grows by one for each zero
     * between the literal bits and the first 1.
     */
    static final int COUNT_NO_ZERO = 2;
    /** The largest count. */
    static final int COUNT_MAX = COUNT_NO_ZERO + Long.SIZE - HASH_BITS - 1;

    private Token() {}

    /** The token of a hash. */
    static int of(long hash) {
        long rest = hash >>> HASH_BITS;
        int count = rest == 0 ? COUNT_ALL_ZERO : COUNT_NO_ZERO + Long.numberOfTrailingZeros(rest);
        return ((int) hash << COUNT_BITS) | count;
    }

    /** The literal hash bits of a token, as a non-negative number: the sort key of lists. */
    static int hashBits(int token) {
        return token >>> COUNT_BITS;
    }

    /** Returns the token with the larger count. The arguments are two tokens with equal hash bits, or 0 and a token. */
    static int larger(int one, int other) {
        return (one & COUNT_MASK) >= (other & COUNT_MASK) ? one : other;
    }

    /** The smallest hash with this token. All hashes with this token change registers in the same way. */
    static long hash(int token) {
        int count = token & COUNT_MASK;
        long bits = hashBits(token);
        return count == COUNT_ALL_ZERO ? bits : bits | (1L << (HASH_BITS + count - COUNT_NO_ZERO));
    }
}
