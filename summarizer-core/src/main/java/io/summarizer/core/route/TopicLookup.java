package io.summarizer.core.route;

import java.util.Arrays;

/**
 * Finds the patterns of a {@link TopicMatcher} that match a topic, for one thread. Allocates only when a topic is
 * longer than all topics before.
 */
public final class TopicLookup {
    private final TopicMatcher matcher;
    private final int[] matches;
    private int matchCount;

    /** The topic's words. */
    private int[] words = new int[32];

    private long[] bits = new long[32];
    /** For each place of the topic, the union of the {@link TopicMatcher#wordBits} of all words from this place on. */
    private long[] bitsFrom = new long[33];

    private int wordCount;

    /**
     * For each {@code #} node, its stamp, which shows the earliest place of the topic where the node was active. The
     * stamp is {@link #start} plus the number of words after this place.
     */
    private final int[] stamps;
    /**
     * The first stamp of the current lookup. All stamps of earlier lookups are smaller, so they need not be cleared.
     */
    private int start;

    /** Nodes that still have to be followed, each with the place where it is active. */
    private long[] pending = new long[32];

    private int pendingCount;

    TopicLookup(TopicMatcher matcher) {
        this.matcher = matcher;
        stamps = new int[matcher.followers.length];
        Arrays.fill(stamps, -1);
        // A pattern ends in one node, and each node accepts at most once, so no match occurs twice.
        matches = new int[matcher.patterns];
    }

    /**
     * Matches the topic in {@code bytes[offset, offset + length)}.
     *
     * @return number of patterns that match the topic; {@link #matches} begins with the numbers of these patterns
     */
    public int match(byte[] bytes, int offset, int length) {
        if (words.length <= length) {
            words = new int[length + 1];
            bits = new long[length + 1];
            bitsFrom = new long[length + 2];
        }
        int count = matcher.words.scan(bytes, offset, length, words);
        wordCount = count;
        if (start > Integer.MAX_VALUE - 2 * count - 2) {
            Arrays.fill(stamps, -1);
            start = 0;
        }
        if (stamps.length > 0) {
            findBits(count);
        }
        matchCount = 0;
        follow(0, 0);
        while (pendingCount > 0) {
            long next = pending[--pendingCount];
            follow((int) (next >>> 32), (int) next);
        }
        start += count + 1;
        return matchCount;
    }

    /**
     * Numbers of the patterns that matched the last topic, in no order. Read-only, and invalid after the next match.
     */
    public int[] matches() {
        return matches;
    }

    /** Makes stamps continue from {@code from}; returns the former value. For tests of overflow. */
    int startStamps(int from) {
        int before = start;
        start = from;
        return before;
    }

    private void findBits(int count) {
        long[] wordBits = matcher.wordBits;
        long from = 0;
        bitsFrom[count] = 0;
        for (int i = count - 1; i >= 0; i--) {
            int word = words[i];
            long bit = word < 0 ? 0 : wordBits[word];
            from |= bit;
            bits[i] = bit;
            bitsFrom[i] = from;
        }
    }

    /** Follows a node from the place where it is active to the end of the topic. */
    private void follow(int from, int place) {
        int[] nodes = matcher.nodes;
        int[] words = this.words;
        int count = wordCount;
        int node = from;
        for (int i = place; ; i++) {
            int hash = nodes[node + TopicMatcher.HASH];
            if (hash >= 0) {
                followHash(hash, i);
            }
            if (i == count) {
                accept(node);
                return;
            }
            int word = words[i];
            int left = count - 1 - i;
            int child = nodes[node + TopicMatcher.WORD];
            if (child == word) {
                child = nodes[node + TopicMatcher.CHILD];
            } else if (child == TopicMatcher.SEVERAL_WORDS && word >= 0) {
                child = matcher.child(node, word);
            } else {
                child = TopicMatcher.NONE;
            }
            int star = nodes[node + TopicMatcher.STAR];
            if (star >= 0 && matcher.mayEnd(star, left)) {
                if (child >= 0 && matcher.mayEnd(child, left)) {
                    defer(child, i + 1);
                }
                node = star;
            } else if (child >= 0 && matcher.mayEnd(child, left)) {
                node = child;
            } else {
                return;
            }
        }
    }

    /** Follows a {@code #} node. Because the {@code #} takes any words, the node is active at each later place, too. */
    private void followHash(int hash, int place) {
        int count = wordCount;
        if (!matcher.mayEnd(hash, count - place)) {
            return;
        }
        int stamp = matcher.nodes[hash + TopicMatcher.STAMP];
        int seen = stamps[stamp] - start;
        int to = count;
        if (seen < 0) {
            accept(hash);
        } else {
            to = count - seen;
            if (to <= place) {
                return;
            }
        }
        stamps[stamp] = start + count - place;
        long followers = matcher.followers[stamp];
        if ((followers & bitsFrom[place]) == 0) {
            return;
        }
        int only = matcher.nodes[hash + TopicMatcher.WORD];
        for (int i = place; i < to; i++) {
            if ((followers & bits[i]) == 0) {
                continue;
            }
            int word = words[i];
            int child = only == TopicMatcher.SEVERAL_WORDS
                    ? matcher.child(hash, word)
                    : only == word ? matcher.nodes[hash + TopicMatcher.CHILD] : TopicMatcher.NONE;
            if (child >= 0 && matcher.mayEnd(child, count - 1 - i)) {
                defer(child, i + 1);
            }
        }
    }

    private void defer(int node, int place) {
        if (pendingCount == pending.length) {
            pending = Arrays.copyOf(pending, pendingCount * 2);
        }
        pending[pendingCount++] = (long) node << 32 | place;
    }

    private void accept(int node) {
        int at = matcher.nodes[node + TopicMatcher.ACCEPT];
        if (at < 0) {
            return;
        }
        int[] accepts = matcher.accepts;
        int pattern;
        while ((pattern = accepts[at++]) >= 0) {
            matches[matchCount++] = pattern;
        }
        matches[matchCount++] = ~pattern;
    }
}
