package io.summarizer.bench.topics;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A trie of words with backtracking, as in RabbitMQ's topic exchange: at each node a lookup tries the word itself,
 * {@code *}, and {@code #} with every rest of the topic.
 *
 * <p>Unlike RabbitMQ's, it remembers the words that a {@code #} below another has gone through ({@link Spans}), so that
 * each subscription is found once, and a lookup takes at most nodes times words however many {@code #} there are.
 */
public final class TrieMatcher implements TopicMatcher {
    private final Node root = new Node();

    private static final class Node {
        final WordMap<Node> words = new WordMap<>();

        @Nullable
        Node star;

        @Nullable
        Node hash;

        Subscribers subscribers = Subscribers.NONE;

        @Nullable
        Node child(Pattern pattern, int word) {
            return pattern.isStar(word) ? star : pattern.isHash(word) ? hash : words.get(pattern, word);
        }

        void set(Pattern pattern, int word, @Nullable Node child) {
            if (pattern.isStar(word)) {
                star = child;
            } else if (pattern.isHash(word)) {
                hash = child;
            } else if (child == null) {
                words.remove(pattern, word);
            } else {
                words.put(pattern, word, child);
            }
        }

        boolean isLeaf() {
            return words.size() == 0 && star == null && hash == null;
        }

        boolean isEmpty() {
            return isLeaf() && subscribers.isEmpty();
        }
    }

    @Override
    public boolean subscribe(Pattern pattern, int subscriber) {
        Node node = root;
        for (int i = 0; i < pattern.count(); i++) {
            Node child = node.child(pattern, i);
            if (child == null) {
                child = new Node();
                node.set(pattern, i, child);
            }
            node = child;
        }
        Subscribers before = node.subscribers;
        node.subscribers = before.with(subscriber);
        return node.subscribers != before;
    }

    @Override
    public boolean unsubscribe(Pattern pattern, int subscriber) {
        List<Node> path = new ArrayList<>(pattern.count());
        Node node = root;
        for (int i = 0; i < pattern.count(); i++) {
            path.add(node);
            node = node.child(pattern, i);
            if (node == null) {
                return false;
            }
        }
        Subscribers fewer = node.subscribers.without(subscriber);
        if (fewer == node.subscribers) {
            return false;
        }
        node.subscribers = fewer;
        for (int i = pattern.count() - 1; i >= 0 && node.isEmpty(); i--) {
            node = path.get(i);
            node.set(pattern, i, null);
        }
        return true;
    }

    @Override
    public void match(byte[] bytes, int offset, int length, Matches found) {
        found.clear();
        found.spans.clear();
        found.words.set(bytes, offset, length);
        match(root, 0, false, found);
    }

    /** Finds the matches of the words from {@code word} on below a node. */
    private static void match(Node node, int word, boolean belowHash, Matches found) {
        int count = found.words.count();
        if (word == count) {
            node.subscribers.addTo(found);
        } else {
            Node child = node.words.get(found.words, word);
            if (child != null) {
                match(child, word + 1, belowHash, found);
            }
            if (node.star != null) {
                match(node.star, word + 1, belowHash, found);
            }
        }
        Node hash = node.hash;
        if (hash != null) {
            int end = belowHash ? found.spans.lower(hash, word, count + 1) : count + 1;
            for (int rest = hash.isLeaf() ? count : word; rest < end; rest++) {
                match(hash, rest, true, found);
            }
        }
    }

    @Override
    public int parts() {
        return parts(root);
    }

    private static int parts(@Nullable Node node) {
        if (node == null) {
            return 0;
        }
        int[] sum = {1 + parts(node.star) + parts(node.hash)};
        node.words.forEach(child -> sum[0] += parts(child));
        return sum[0];
    }
}
