package io.summarizer.core.route;

import java.util.List;

/**
 * Patterns compiled to a non-deterministic finite automaton over words, that finds which of them match a topic: AMQP
 * topic-exchange semantics as {@link TopicPattern} has them. Immutable and shared by all threads; each matches through a
 * {@link TopicLookup} of its own. To change the patterns is to compile anew.
 *
 * <p>The automaton is the trie of the patterns, each brought to the form {@code *...*.#} wherever wildcards meet. A node
 * knows its children under {@code *} and {@code #}, its only child under a word, and which numbers of words may still follow
 * it, so that a pattern of five words costs nothing for a topic of six; further children under words are in one
 * open-addressing table for all nodes, keyed by node and word. A node has one parent and so becomes active once at most for each
 * word of a topic, but for {@code #}, which also follows itself: a stamp says from where on it was followed already. Time is
 * therefore at most words times nodes, whatever the patterns. A {@code #} whose followers are not among the words to come,
 * as a mask of 64 bits tells, is not followed at all.
 *
 * <p>Memory: 32 bytes a node, 16 to 32 a word edge of nodes that have several, and the words. Cost: {@code bin/bench topics}.
 */
public final class TopicMatcher {
    // Fields of a node.
    static final int STAR = 0;
    static final int HASH = 1;
    static final int WORD = 2;
    static final int CHILD = 3;
    static final int ACCEPT = 4;
    /** Number of a node under {@code #} among those. */
    static final int STAMP = 5;
    /** Bit n: a topic may end n words behind the node; the last: that many or more. */
    static final int LENGTHS = 6;
    /** Ints of a node. */
    static final int NODE = 8;

    /** In {@link #STAR}, {@link #HASH}, {@link #ACCEPT} or {@link #STAMP}: there is none. */
    static final int NONE = -1;
    /** In {@link #WORD}: no child under a word; no word has this number. */
    static final int NO_WORD = -2;
    /** In {@link #WORD}: several children under words; see the table. */
    static final int SEVERAL_WORDS = -3;

    /** The last bit of {@link #LENGTHS}. */
    static final int MOST_LENGTHS = Integer.SIZE - 1;

    /** Bits of a node's number. */
    static final int NODE_BITS = 21;

    final TopicWords words;
    /** Node n at n * {@link #NODE}; offsets of nodes, not their numbers, name them. Node 0 is the root. */
    final int[] nodes;
    /** Numbers of patterns: those that end in one node together, the last one complemented. */
    final int[] accepts;
    /** Edges under words of nodes that have several: {@code node + 1 | word | child}, each number of 21 bits; 0 for none. */
    final long[] edges;

    final int edgeShift;
    /** For each word the bit it has in {@link #followers}; 0 for one that follows no {@code #}. */
    final long[] wordBits;
    /** For each node under {@code #}, by its stamp, the bits of the words that it has children under. */
    final long[] followers;
    /** Patterns in all. */
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
     * A matcher for these patterns; a match names them by their position. Cost: about a microsecond for each word.
     *
     * @throws IllegalArgumentException when they make more than 2^21 nodes
     */
    public static TopicMatcher of(List<TopicPattern> patterns) {
        return new TopicCompiler(patterns).compile();
    }

    /** What one thread needs to match topics. */
    public TopicLookup newLookup() {
        return new TopicLookup(this);
    }

    /** Bytes on the heap, without those of lookups. */
    public long bytesUsed() {
        return 4L * (nodes.length + accepts.length)
                + 8L * (edges.length + wordBits.length + followers.length)
                + words.bytesUsed();
    }

    /** Whether a pattern that goes through the node may match when so many words are left. */
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

    /** The upper part of an edge. */
    static long edgeKey(int node, int word) {
        return (node / NODE + 1L) << NODE_BITS | word;
    }

    static int edgeSlot(long key, int shift) {
        return (int) ((key * 0x9E3779B97F4A7C15L) >>> shift);
    }
}
