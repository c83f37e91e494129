package io.summarizer.core.route;

import java.util.List;

/**
 * Patterns compiled to a non-deterministic finite automaton over words. The automaton finds the patterns that match a
 * topic, by the AMQP topic-exchange semantics of {@link TopicPattern}. Immutable and shared by all threads; each thread
 * matches through its own {@link TopicLookup}. When patterns change, they are compiled to a new matcher.
 *
 * <p>The automaton is the trie of the patterns, in which neighbouring wildcards have the form {@code *...*.#}. A node
 * holds its children under {@code *} and {@code #}, and its child under a word if there is only one such child. If a
 * node has several children under words, these are in an open-addressing table that all nodes share, keyed by node and
 * word. A node also knows how many words of a topic may come after it, so a pattern of five words costs nothing for a
 * topic of six words. A node has one parent, so it becomes active at most once for each word of a topic. Only a {@code
 * #} node stays active at all later places, too. The stamp of a {@code #} node records the earliest place where the
 * node was active. If the node becomes active again, only the places before the recorded place have to be handled, so
 * no place is handled twice. Therefore, whatever the patterns are, the time is at most the number of words times the
 * number of nodes. A {@code #} is skipped when the rest of the topic has none of the words that patterns have after
 * this {@code #}; a mask of 64 bits shows this.
 *
 * <p>Memory: 32 bytes per node, 16 to 32 bytes per word edge of nodes with several word edges, and the words. Cost:
 * {@code bin/bench topics}.
 */
public final class TopicMatcher {
    // Fields of a node.
    static final int STAR = 0;
    static final int HASH = 1;
    static final int WORD = 2;
    static final int CHILD = 3;
    static final int ACCEPT = 4;
    /** Number of a node among the nodes under {@code #}. */
    static final int STAMP = 5;
    /**
     * A set of lengths as bits: bit n is set when a topic may end n words after the node. The last bit stands for its
     * own length and all greater lengths.
     */
    static final int LENGTHS = 6;
    /** Ints of a node. */
    static final int NODE = 8;

    /** Stands for an absent value in {@link #STAR}, {@link #HASH}, {@link #ACCEPT} and {@link #STAMP}. */
    static final int NONE = -1;
    /** In {@link #WORD}, shows that the node has no child under a word. No word has this number. */
    static final int NO_WORD = -2;
    /** In {@link #WORD}, shows that the node has several children under words. They are in the table. */
    static final int SEVERAL_WORDS = -3;

    /** The last bit of {@link #LENGTHS}. */
    static final int MOST_LENGTHS = Integer.SIZE - 1;

    /** Bits of a node's number. */
    static final int NODE_BITS = 21;

    final TopicWords words;
    /**
     * The nodes. Node n is at n * {@link #NODE}; nodes refer to each other by these offsets, not by number. Node 0 is
     * the root.
     */
    final int[] nodes;
    /** Numbers of patterns, grouped by the node in which they end; the last number of each group is complemented. */
    final int[] accepts;
    /** Word edges of nodes with several word edges: {@code node + 1 | word | child}, each of 21 bits; 0 for none. */
    final long[] edges;

    final int edgeShift;
    /** For each word, its bit in {@link #followers}; 0 for a word that follows no {@code #}. */
    final long[] wordBits;
    /** For each {@code #} node, the bits of the words under which it has children; indexed by the node's stamp. */
    final long[] followers;
    /** Number of patterns. */
    final int patterns;

    TopicMatcher(
            TopicWords words,
            int[] nodes,
            int[] accepts,
            long[] edges,
            int edgeShift,
            long[] wordBits,
            long[] followers,
            int patterns) {
        this.words = words;
        this.nodes = nodes;
        this.accepts = accepts;
        this.edges = edges;
        this.edgeShift = edgeShift;
        this.wordBits = wordBits;
        this.followers = followers;
        this.patterns = patterns;
    }

    /**
     * A matcher for these patterns. A match gives the position of the pattern in the list. Cost: about a microsecond
     * per word.
     *
     * @throws IllegalArgumentException when the patterns make more than 2^21 nodes
     */
    public static TopicMatcher of(List<TopicPattern> patterns) {
        return new TopicCompiler(patterns).compile();
    }

    /** A lookup for one thread. */
    public TopicLookup newLookup() {
        return new TopicLookup(this);
    }

    /** Whether a pattern through the node may match when {@code left} words are left. */
    boolean mayEnd(int node, int left) {
        return (nodes[node + LENGTHS] >>> Math.min(left, MOST_LENGTHS) & 1) != 0;
    }

    /** The offset of the child of a node under one of several words, or {@link #NONE}. */
    int child(int node, int word) {
        long[] edges = this.edges;
        long key = edgeKey(node, word);
        int mask = edges.length - 1;
        for (int slot = edgeSlot(key, edgeShift); ; slot = (slot + 1) & mask) {
            long edge = edges[slot];
            if (edge >>> NODE_BITS == key) {
                return ((int) edge & ((1 << NODE_BITS) - 1)) * NODE;
            }
            if (edge == 0) {
                return NONE;
            }
        }
    }

    /** The edge without its child: node and word. */
    static long edgeKey(int node, int word) {
        return (node / NODE + 1L) << NODE_BITS | word;
    }

    static int edgeSlot(long key, int shift) {
        return (int) ((key * 0x9E3779B97F4A7C15L) >>> shift);
    }
}
