package io.summarizer.bench.topics;

/**
 * A matcher with a trie of words and backtracking, as in RabbitMQ's topic exchange. At each node, a lookup tries the
 * word itself, {@code *}, and {@code #}. After {@code #}, it tries every rest of the topic. The nodes are the states of
 * an {@link Automaton}; the edges of this automaton form a trie.
 *
 * <p>Unlike a lookup in RabbitMQ, a lookup here notes, for each {@code #} below another {@code #}, the earliest word at
 * which it has reached the lower {@code #} ({@link Spans}). Below that {@code #}, it tries no rest of the topic twice.
 * So it finds each subscription once, even with many {@code #}. The number of steps is at most the number of nodes
 * times the number of words.
 */
public final class TrieMatcher extends Automaton {
    @Override
    public void match(byte[] bytes, int offset, int length, Matches found) {
        found.clear();
        found.spans.clear();
        found.words.set(bytes, offset, length);
        match(start(), 0, false, found);
    }

    /** Finds the matches of the words from {@code word} on below a node. */
    private static void match(State node, int word, boolean belowHash, Matches found) {
        int count = found.words.count();
        if (word == count) {
            node.subscribers.addTo(found);
        } else {
            State child = node.words.get(found.words, word);
            if (child != null) {
                match(child, word + 1, belowHash, found);
            }
            if (node.star != null) {
                match(node.star, word + 1, belowHash, found);
            }
        }
        State hash = node.hash;
        if (hash != null) {
            int end = belowHash ? found.spans.lower(hash, word, count + 1) : count + 1;
            for (int rest = hash.isLeaf() ? count : word; rest < end; rest++) {
                match(hash, rest, true, found);
            }
        }
    }
}
