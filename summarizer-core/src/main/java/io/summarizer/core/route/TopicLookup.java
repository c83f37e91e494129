package io.summarizer.core.route;

import java.util.Arrays;

/**
 * Finds the patterns of a {@link TopicMatcher} that match a topic, for one thread. Allocates nothing once it has seen the
 * longest topic.
 */
public final class TopicLookup {
    private final TopicMatcher matcher;
    /** For each {@code #} node the last step that it was active in. */
    private final int[] stamps;
    /** Steps are counted over all lookups, so that stamps need not be cleared. */
    private int step;

    private int[] words = new int[32];
    private int[] active = new int[64];
    private int[] next = new int[64];
    private int nextCount;
    private final int[] matches;
    private int matchCount;

    TopicLookup(TopicMatcher matcher) {
        this.matcher = matcher;
        stamps = new int[matcher.stamps];
        // A pattern ends in one node, and that is found once: no match comes twice.
        matches = new int[matcher.patterns];
    }

    /**
     * Matches the topic in {@code bytes[offset, offset + length)}.
     *
     * @return how many patterns match it; {@link #matches} begins with their numbers
     */
    public int match(byte[] bytes, int offset, int length) {
        if (words.length <= length) {
            words = new int[length + 1];
        }
        int[] words = this.words;
        int count = matcher.words.scan(bytes, offset, length, words);
        if (step > Integer.MAX_VALUE - count - 2) {
            Arrays.fill(stamps, 0);
            step = 0;
        }
        matchCount = 0;
        nextCount = 0;
        int started = ++step;
        activate(0, count, started);
        int[] nodes = matcher.nodes;
        for (int i = 0; i < count; i++) {
            int word = words[i];
            int left = count - 1 - i;
            int[] active = next;
            int activeCount = nextCount;
            next = this.active;
            this.active = active;
            nextCount = 0;
            step++;
            for (int j = 0; j < activeCount; j++) {
                int node = active[j];
                if (nodes[node + TopicMatcher.STAMP] >= 0) {
                    activate(node, left, started);
                }
                int star = nodes[node + TopicMatcher.STAR];
                if (star >= 0) {
                    activate(star, left, started);
                }
                int only = nodes[node + TopicMatcher.WORD];
                if (only == word && word >= 0) {
                    activate(nodes[node + TopicMatcher.CHILD], left, started);
                } else if (only == TopicMatcher.SEVERAL_WORDS && word >= 0) {
                    int child = matcher.child(node, word);
                    if (child >= 0) {
                        activate(child, left, started);
                    }
                }
            }
        }
        return matchCount;
    }

    /** Numbers of the patterns that the last topic matched, in no order; not to be written, and void after the next match. */
    public int[] matches() {
        return matches;
    }

    /** Counts steps from here on; returns where they stood. For tests of their running out. */
    int startSteps(int from) {
        int before = step;
        step = from;
        return before;
    }

    /** A node, with {@code left} words to come, and the {@code #} below it, which may stand for none. */
    private void activate(int node, int left, int started) {
        int[] nodes = matcher.nodes;
        int low = nodes[node + TopicMatcher.LENGTHS_LOW];
        int high = nodes[node + TopicMatcher.LENGTHS_HIGH];
        int length = Math.min(left, TopicMatcher.MOST_LENGTHS);
        if (((length < Integer.SIZE ? low : high) >>> length & 1) == 0) {
            return;
        }
        int stamp = nodes[node + TopicMatcher.STAMP];
        if (stamp >= 0) {
            if (nodes[node + TopicMatcher.WORD] == TopicMatcher.NO_WORD) {
                // The pattern ends here and takes all that follows; it need not be carried along.
                if (stamps[stamp] < started) {
                    stamps[stamp] = step;
                    accept(node);
                }
                return;
            }
            if (stamps[stamp] == step) {
                return;
            }
            stamps[stamp] = step;
        }
        if (left == 0) {
            accept(node);
        } else {
            if (nextCount == next.length) {
                next = Arrays.copyOf(next, nextCount * 2);
            }
            next[nextCount++] = node;
        }
        int hash = nodes[node + TopicMatcher.HASH];
        if (hash >= 0) {
            activate(hash, left, started);
        }
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
