package io.summarizer.core.route;

import io.summarizer.core.bytes.Bytes;
import io.summarizer.core.bytes.Swar;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;

/**
 * The words that occur in patterns, numbered from 0, and the scan that turns a topic's bytes into the numbers of its
 * words. In one pass, eight bytes at a time, the scan finds dots and looks words up. A word that is in no pattern
 * becomes {@link #UNKNOWN}; only wildcards take such a word. Immutable, shared by all threads.
 *
 * <p>Words of up to eight bytes are their own key in one open-addressing table; longer words are found by a 64-bit hash
 * and compared byte by byte.
 */
final class TopicWords {
    /** Number of any word that no pattern has. */
    static final int UNKNOWN = -1;

    private static final long DOTS = '.' * Swar.ONES;
    private static final int LONGEST_KEY = Long.BYTES;

    /** Pairs of longs: the key of a word, then {@code (length + 1) << 32 | number}, which is 0 in an empty slot. */
    private final long[] table;

    private final int shift;
    /** Words beyond eight bytes, by number. */
    private final byte[][] longWords;

    /** A table of these words with their numbers, 0 to size - 1. */
    TopicWords(Map<String, Integer> numbers) {
        int bits = Math.max(2, 33 - Integer.numberOfLeadingZeros(numbers.size()));
        shift = Long.SIZE - bits;
        table = new long[2 << bits];
        longWords = new byte[numbers.size()][];
        for (Map.Entry<String, Integer> entry : numbers.entrySet()) {
            byte[] word = entry.getKey().getBytes(StandardCharsets.UTF_8);
            int number = entry.getValue();
            long key;
            if (word.length <= LONGEST_KEY) {
                key = load(word, 0, word.length);
            } else {
                key = hash(word, 0, word.length);
                longWords[number] = word;
            }
            int slot = slot(key, word.length);
            while (table[slot + 1] != 0) {
                slot = next(slot);
            }
            table[slot] = key;
            table[slot + 1] = (word.length + 1L) << 32 | number;
        }
    }

    /**
     * Writes the number of each word of a topic to {@code into}, whose length is at least {@code length + 1}.
     *
     * @return number of words, at least one
     */
    int scan(byte[] bytes, int offset, int length, int[] into) {
        int end = offset + length;
        int lastEight = bytes.length - Long.BYTES;
        int at = offset;
        int count = 0;
        while (true) {
            int left = end - at;
            // Bytes after the topic do no harm, because the length of a word is limited to the rest of the topic.
            long eight = at <= lastEight ? Bytes.getLong(bytes, at) : load(bytes, at, left);
            int wordLength = Math.min(Long.numberOfTrailingZeros(dots(eight)) >>> 3, left);
            if (wordLength < LONGEST_KEY) {
                into[count++] = find(eight & ((1L << (wordLength << 3)) - 1), wordLength);
            } else if (left == LONGEST_KEY || bytes[at + LONGEST_KEY] == '.') {
                into[count++] = find(eight, LONGEST_KEY);
            } else {
                wordLength = lengthOfLongWord(bytes, at, end);
                into[count++] = findLong(bytes, at, wordLength);
            }
            at += wordLength;
            if (at == end) {
                return count;
            }
            at++; // the dot
        }
    }

    /** The next eight bytes, or the last {@code left} bytes followed by zeros. */
    static long load(byte[] bytes, int at, int left) {
        if (left >= Long.BYTES) {
            return Bytes.getLong(bytes, at);
        }
        if (left <= 0) {
            return 0;
        }
        long mask = (1L << (left << 3)) - 1;
        if (at + Long.BYTES <= bytes.length) {
            return Bytes.getLong(bytes, at) & mask;
        }
        if (bytes.length >= Long.BYTES) {
            int back = at + Long.BYTES - bytes.length;
            return (Bytes.getLong(bytes, at - back) >>> (back << 3)) & mask;
        }
        long eight = 0;
        for (int i = left - 1; i >= 0; i--) {
            eight = eight << 8 | (bytes[at + i] & 0xff);
        }
        return eight;
    }

    /**
     * Sets the high bit of each byte that is a dot, and no other bits. (A faster test exists, but it may set wrong bits
     * after the first dot.)
     */
    private static long dots(long eight) {
        long zeroed = eight ^ DOTS;
        return ~(((zeroed & ~Swar.HIGHS) + ~Swar.HIGHS) | zeroed | ~Swar.HIGHS);
    }

    private int find(long key, int length) {
        long[] table = this.table;
        for (int slot = slot(key, length); ; slot = next(slot)) {
            long entry = table[slot + 1];
            if (table[slot] == key && (int) (entry >>> 32) == length + 1) {
                return (int) entry;
            }
            if (entry == 0) {
                return UNKNOWN;
            }
        }
    }

    private int findLong(byte[] bytes, int from, int length) {
        long key = hash(bytes, from, length);
        for (int slot = slot(key, length); ; slot = next(slot)) {
            long entry = table[slot + 1];
            if (entry == 0) {
                return UNKNOWN;
            }
            if (table[slot] == key && (int) (entry >>> 32) == length + 1) {
                byte[] word = longWords[(int) entry];
                if (Arrays.equals(word, 0, length, bytes, from, from + length)) {
                    return (int) entry;
                }
            }
        }
    }

    private static int lengthOfLongWord(byte[] bytes, int from, int end) {
        int at = from + Long.BYTES;
        while (true) {
            long dots = dots(load(bytes, at, end - at));
            if (dots != 0) {
                return at + (Long.numberOfTrailingZeros(dots) >>> 3) - from;
            }
            at += Long.BYTES;
            if (at >= end) {
                return end - from;
            }
        }
    }

    private static long hash(byte[] bytes, int from, int length) {
        return Bytes.hash(bytes, from, length, 0);
    }

    private int slot(long key, int length) {
        return (int) (((key + length) * 0x9E3779B97F4A7C15L) >>> shift) << 1;
    }

    private int next(int slot) {
        return (slot + 2) & (table.length - 1);
    }
}
