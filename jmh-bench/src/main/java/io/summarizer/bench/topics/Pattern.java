package io.summarizer.bench.topics;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A topic pattern split into words. Immutable; two patterns are equal when their bytes are equal. */
public final class Pattern {
    /** Maximum number of words of a pattern. There is a limit because matchers recurse once per word. */
    public static final int MAX_WORDS = 1_024;

    private static final long STAR = Words.key(new byte[] {'*'}, 0, 1);
    private static final long HASH = Words.key(new byte[] {'#'}, 0, 1);

    private final byte[] text;
    private final byte[][] words;
    private final long[] keys;
    private final int[] hashes;
    private final int hashCode;

    private Pattern(byte[] text, byte[][] words) {
        this.text = text;
        this.words = words;
        keys = new long[words.length];
        hashes = new int[words.length];
        for (int i = 0; i < words.length; i++) {
            keys[i] = Words.key(words[i], 0, words[i].length);
            hashes[i] = Words.hash(keys[i]);
        }
        hashCode = Arrays.hashCode(text);
    }

    /**
     * Parses a pattern. Any text without too many words is a pattern.
     *
     * @throws IllegalArgumentException when the text has more than {@link #MAX_WORDS} words
     */
    public static Pattern of(String text) {
        return of(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Makes the pattern of these bytes, which callers must not change afterwards. */
    static Pattern of(byte[] text) {
        List<byte[]> words = new ArrayList<>();
        int start = 0;
        for (int i = 0; i <= text.length; i++) {
            if (i == text.length || text[i] == '.') {
                words.add(Arrays.copyOfRange(text, start, i));
                start = i + 1;
            }
        }
        if (words.size() > MAX_WORDS) {
            throw new IllegalArgumentException(
                    "a pattern of " + words.size() + " words, and at most " + MAX_WORDS + " are taken");
        }
        return new Pattern(text, words.toArray(new byte[0][]));
    }

    /** Number of words, wildcards included; at least 1. */
    int count() {
        return words.length;
    }

    /** The bytes of a word; callers must not write to them. */
    byte[] word(int word) {
        return words[word];
    }

    /** The key of a word, as {@link Words} computes keys. */
    long key(int word) {
        return keys[word];
    }

    /** The hash of a word, as {@link Words} computes hashes. */
    int hash(int word) {
        return hashes[word];
    }

    /** Whether a word is {@code *}. */
    boolean isStar(int word) {
        return keys[word] == STAR;
    }

    /** Whether a word is {@code #}. */
    boolean isHash(int word) {
        return keys[word] == HASH;
    }

    /** Whether any word is {@code #}. */
    boolean hasHash() {
        for (int i = 0; i < words.length; i++) {
            if (isHash(i)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Whether this pattern matches a topic. At worst, the cost is the product of the numbers of words in topic and
     * pattern. After a mismatch, it is enough to backtrack to the last {@code #}, because this {@code #} can also take
     * the words that an earlier {@code #} could take.
     */
    boolean matches(Words topic) {
        int word = 0;
        int at = 0;
        int lastHash = -1;
        int taken = 0; // the first word after the words that the last hash takes at present
        while (word < topic.count()) {
            if (at < words.length && isHash(at)) {
                lastHash = at++;
                taken = word;
            } else if (at < words.length && (isStar(at) || topic.is(word, keys[at], words[at]))) {
                at++;
                word++;
            } else if (lastHash >= 0) {
                at = lastHash + 1;
                word = ++taken;
            } else {
                return false;
            }
        }
        while (at < words.length && isHash(at)) {
            at++;
        }
        return at == words.length;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Pattern pattern && Arrays.equals(pattern.text, text);
    }

    @Override
    public int hashCode() {
        return hashCode;
    }

    @Override
    public String toString() {
        return new String(text, StandardCharsets.UTF_8);
    }
}
