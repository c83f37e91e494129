package io.summarizer.core.route;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Compiles patterns to a {@link TopicMatcher}. For one use. */
final class TopicCompiler {
    private static final String STAR = "*";
    private static final String HASH = "#";

    private final List<TopicPattern> patterns;
    private final Map<String, Integer> words = new HashMap<>();
    private final List<Node> nodes = new ArrayList<>();
    private final List<Integer> accepts = new ArrayList<>();
    private int hashes;
    private int edges;

    TopicCompiler(List<TopicPattern> patterns) {
        this.patterns = patterns;
    }

    TopicMatcher compile() {
        Node root = new Node(false);
        for (int i = 0; i < patterns.size(); i++) {
            Node node = root;
            for (String word : canonical(patterns.get(i).words())) {
                node = node.childFor(word);
            }
            node.patterns.add(i);
        }
        number(root);
        int[] table = new int[nodes.size() * TopicMatcher.NODE];
        for (int i = nodes.size() - 1; i >= 0; i--) {
            // Children have greater numbers than their parents, so the lengths of the children are known already.
            write(nodes.get(i), table, i * TopicMatcher.NODE);
        }
        int edgeBits = Math.max(2, 33 - Integer.numberOfLeadingZeros(edges));
        long[] edgeTable = new long[1 << edgeBits];
        int edgeShift = Long.SIZE - edgeBits;
        for (Node node : nodes) {
            if (node.words.size() > 1) {
                node.words.forEach((word, child) -> {
                    long key = TopicMatcher.edgeKey(node.number * TopicMatcher.NODE, numberOf(word));
                    int slot = TopicMatcher.edgeSlot(key, edgeShift);
                    while (edgeTable[slot] != 0) {
                        slot = (slot + 1) & (edgeTable.length - 1);
                    }
                    edgeTable[slot] = key << TopicMatcher.NODE_BITS | child.number;
                });
            }
        }
        long[] wordBits = wordBits();
        long[] followers = new long[hashes];
        for (Node node : nodes) {
            if (node.isHash) {
                for (String word : node.words.keySet()) {
                    followers[node.stamp] |= wordBits[numberOf(word)];
                }
            }
        }
        return new TopicMatcher(
                new TopicWords(words),
                table,
                accepts.stream().mapToInt(Integer::intValue).toArray(),
                edgeTable,
                edgeShift,
                wordBits,
                followers,
                patterns.size());
    }

    /** Gives a bit to each word that follows a {@code #}. The 65th word shares the bit of the first word, and so on. */
    private long[] wordBits() {
        long[] bits = new long[words.size()];
        int next = 0;
        for (Node node : nodes) {
            if (node.isHash) {
                for (String word : node.words.keySet()) {
                    int number = numberOf(word);
                    if (bits[number] == 0) {
                        bits[number] = 1L << next++;
                    }
                }
            }
        }
        return bits;
    }

    /**
     * The pattern with each run of wildcards in canonical form: all {@code *} of the run, then one {@code #} if the run
     * has a {@code #}.
     */
    private static List<String> canonical(List<String> pattern) {
        List<String> canonical = new ArrayList<>();
        boolean hash = false;
        for (String word : pattern) {
            if (word.equals(HASH)) {
                hash = true;
            } else {
                if (hash && !word.equals(STAR)) {
                    canonical.add(HASH);
                    hash = false;
                }
                canonical.add(word);
            }
        }
        if (hash) {
            canonical.add(HASH);
        }
        return canonical;
    }

    /** Numbers nodes breadth first, so that nodes that are active together are close in memory. */
    private void number(Node root) {
        nodes.add(root);
        for (int i = 0; i < nodes.size(); i++) {
            if (i >> TopicMatcher.NODE_BITS != 0) {
                throw new IllegalArgumentException(
                        patterns.size() + " patterns make more than " + (1 << TopicMatcher.NODE_BITS) + " nodes");
            }
            Node node = nodes.get(i);
            node.number = i;
            if (node.isHash) {
                node.stamp = hashes++;
            }
            if (node.hash != null) {
                nodes.add(node.hash);
            }
            if (node.star != null) {
                nodes.add(node.star);
            }
            nodes.addAll(node.words.values());
            node.words.keySet().forEach(this::numberOf);
            edges += node.words.size() > 1 ? node.words.size() : 0;
        }
    }

    private int numberOf(String word) {
        return words.computeIfAbsent(word, unknown -> words.size());
    }

    private void write(Node node, int[] table, int at) {
        Node star = node.star;
        Node hash = node.hash;
        table[at + TopicMatcher.STAR] = star == null ? TopicMatcher.NONE : star.number * TopicMatcher.NODE;
        table[at + TopicMatcher.HASH] = hash == null ? TopicMatcher.NONE : hash.number * TopicMatcher.NODE;
        table[at + TopicMatcher.WORD] = TopicMatcher.NO_WORD;
        if (node.words.size() == 1) {
            Map.Entry<String, Node> only = node.words.entrySet().iterator().next();
            table[at + TopicMatcher.WORD] = numberOf(only.getKey());
            table[at + TopicMatcher.CHILD] = only.getValue().number * TopicMatcher.NODE;
        } else if (node.words.size() > 1) {
            table[at + TopicMatcher.WORD] = TopicMatcher.SEVERAL_WORDS;
        }
        table[at + TopicMatcher.ACCEPT] = accept(node.patterns);
        table[at + TopicMatcher.STAMP] = node.isHash ? node.stamp : TopicMatcher.NONE;
        int lengths = lengths(node);
        table[at + TopicMatcher.LENGTHS] = lengths;
    }

    private int accept(List<Integer> ids) {
        if (ids.isEmpty()) {
            return TopicMatcher.NONE;
        }
        int at = accepts.size();
        accepts.addAll(ids);
        accepts.set(accepts.size() - 1, ~accepts.get(accepts.size() - 1));
        return at;
    }

    /**
     * The possible lengths of the rest of a topic after the node, in words, as a set of bits. Each length fits at least
     * one pattern that passes through the node.
     */
    private static int lengths(Node node) {
        int lengths = node.patterns.isEmpty() ? 0 : 1;
        if (node.star != null) {
            lengths |= oneMore(node.star.lengths);
        }
        for (Node child : node.words.values()) {
            lengths |= oneMore(child.lengths);
        }
        if (node.hash != null) {
            lengths |= node.hash.lengths;
        }
        if (node.isHash) {
            lengths = -Integer.lowestOneBit(lengths);
        }
        node.lengths = lengths;
        return lengths;
    }

    private static int oneMore(int lengths) {
        return (lengths << 1) | (lengths & Integer.MIN_VALUE);
    }

    private static final class Node {
        final boolean isHash;
        final Map<String, Node> words = new LinkedHashMap<>();
        final List<Integer> patterns = new ArrayList<>(1);

        @Nullable
        Node star;

        @Nullable
        Node hash;

        int number;
        int stamp;
        int lengths;

        Node(boolean isHash) {
            this.isHash = isHash;
        }

        Node childFor(String word) {
            switch (word) {
                case STAR -> {
                    if (star == null) {
                        star = new Node(false);
                    }
                    return star;
                }
                case HASH -> {
                    if (hash == null) {
                        hash = new Node(true);
                    }
                    return hash;
                }
                default -> {
                    return words.computeIfAbsent(word, absent -> new Node(false));
                }
            }
        }
    }
}
