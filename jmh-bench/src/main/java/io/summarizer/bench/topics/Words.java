package io.summarizer.bench.topics;

import io.summarizer.core.bytes.Bytes;
import java.util.Arrays;

/**
 * A topic or pattern, split into words in one pass over its bytes. One thread owns the object, and refills it for each
 * topic.
 *
 * <p>Each word has a key of 64 bits. The key of a word of up to 7 bytes consists of these bytes, with the length in the
 * highest byte. Two such words are equal if their keys are equal. The key of a longer word is a hash with the highest
 * bit set. If two hashes are equal, the bytes of the words are compared, too. The object has a copy of the topic or
 * pattern, with a dot after every word, the last one included. The copy is long enough to read eight bytes at any
 * position.
 */
final class Words {
    private static final long DOTS = 0x2E2E2E2E2E2E2E2EL;
    private static final long ONES = 0x0101010101010101L;
    private static final long HIGH_BITS = 0x8080808080808080L;
    private static final int LENGTH_SHIFT = 56;

    private byte[] text = new byte[128];
    private long[] keys = new long[16];
    private int[] hashes = new int[16];
    private int[] starts = new int[17];
    private int count;

    /** Splits a topic. */
    void set(byte[] bytes, int offset, int length) {
        if (length + Long.BYTES > text.length) {
            text = new byte[Math.max(length + Long.BYTES, 2 * text.length)];
        }
        byte[] text = this.text;
        System.arraycopy(bytes, offset, text, 0, length);
        text[length] = '.';
        int words = 0;
        int start = 0;
        while (start <= length) {
            if (words == keys.length) {
                grow();
            }
            long eight = Bytes.getLong(text, start);
            long dots = eight ^ DOTS;
            dots = (dots - ONES) & ~dots & HIGH_BITS; // only its lowest set bit is reliable
            int end;
            long key;
            if (dots != 0) {
                int bits = Long.numberOfTrailingZeros(dots) - 7;
                end = start + (bits >>> 3);
                key = (eight & ((1L << bits) - 1)) | (long) bits << (LENGTH_SHIFT - 3);
            } else {
                end = start + Long.BYTES;
                while (text[end] != '.') {
                    end++;
                }
                key = longKey(text, start, end);
            }
            keys[words] = key;
            hashes[words] = hash(key);
            starts[words++] = start;
            start = end + 1;
        }
        starts[words] = start;
        count = words;
    }

    private void grow() {
        int capacity = 2 * keys.length;
        keys = Arrays.copyOf(keys, capacity);
        hashes = Arrays.copyOf(hashes, capacity);
        starts = Arrays.copyOf(starts, capacity + 1);
    }

    /** The key of the word {@code text[start, end)}. */
    static long key(byte[] text, int start, int end) {
        int length = end - start;
        if (length >= Long.BYTES) {
            return longKey(text, start, end);
        }
        long key = (long) length << LENGTH_SHIFT;
        for (int i = 0; i < length; i++) {
            key |= (text[start + i] & 0xffL) << (8 * i);
        }
        return key;
    }

    private static long longKey(byte[] text, int start, int end) {
        return Bytes.hash(text, start, end - start, 0) | Long.MIN_VALUE;
    }

    /** The hash of a word, made from the word's key. The low bits are mixed as thoroughly as the high bits. */
    static int hash(long key) {
        long h = key * 0x9E3779B97F4A7C15L;
        h ^= h >>> 29;
        return (int) ((h * 0xBF58476D1CE4E5B9L) >>> 32);
    }

    /** Number of words: at least one. */
    int count() {
        return count;
    }

    /** The key of a word. */
    long key(int word) {
        return keys[word];
    }

    /** The hash of a word. */
    int hash(int word) {
        return hashes[word];
    }

    /** Whether a word with the key {@code key} has these bytes. */
    boolean isExactly(int word, long key, byte[] bytes) {
        return key >= 0 || Arrays.equals(text, starts[word], starts[word + 1] - 1, bytes, 0, bytes.length);
    }

    /** Whether a word equals a given word. */
    boolean is(int word, long key, byte[] bytes) {
        return keys[word] == key && isExactly(word, key, bytes);
    }
}
