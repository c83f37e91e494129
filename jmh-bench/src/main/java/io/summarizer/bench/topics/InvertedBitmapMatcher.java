package io.summarizer.bench.topics;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.roaringbitmap.RoaringBitmap;

/**
 * A matcher with a bitmap of subscriptions for each possible topic. The topics have to be known beforehand. To add a
 * subscription, the matcher walks all topics and sets a bit for each matching topic. A lookup only reads the bitmap of
 * its topic. A lookup of an unknown topic finds no subscription.
 *
 * <p>The bitmaps are compressed, because there are many of them, and most have few bits. The matcher does not support
 * {@code #}.
 */
public final class InvertedBitmapMatcher implements TopicMatcher {
    private final Subscriptions subscriptions = new Subscriptions();
    private final Node root = new Node();
    private final int topics;

    /** A node of the trie of known topics. A topic ends at a node with a bitmap. */
    private static final class Node {
        final WordMap<Node> words = new WordMap<>();

        @Nullable
        RoaringBitmap matching;
    }

    /** Makes a matcher without subscriptions that knows these topics. */
    public InvertedBitmapMatcher(Collection<String> topics) {
        this.topics = topics.size();
        for (String topic : topics) {
            Pattern words = Pattern.of(topic);
            Node node = root;
            for (int i = 0; i < words.count(); i++) {
                Node child = node.words.get(words, i);
                if (child == null) {
                    child = new Node();
                    node.words.put(words, i, child);
                }
                node = child;
            }
            node.matching = new RoaringBitmap();
        }
    }

    @Override
    public boolean subscribe(Pattern pattern, int subscriber) {
        Subscriptions.refuseHash(pattern);
        int number = subscriptions.add(pattern, subscriber);
        if (number < 0) {
            return false;
        }
        bitmaps(pattern).forEach(bitmap -> bitmap.add(number));
        return true;
    }

    @Override
    public boolean unsubscribe(Pattern pattern, int subscriber) {
        int number = subscriptions.remove(pattern, subscriber);
        if (number < 0) {
            return false;
        }
        bitmaps(pattern).forEach(bitmap -> bitmap.remove(number));
        return true;
    }

    private List<RoaringBitmap> bitmaps(Pattern pattern) {
        List<RoaringBitmap> matched = new ArrayList<>();
        collect(root, pattern, 0, matched);
        return matched;
    }

    private static void collect(Node node, Pattern pattern, int word, List<RoaringBitmap> matched) {
        if (word == pattern.count()) {
            if (node.matching != null) {
                matched.add(node.matching);
            }
        } else if (pattern.isStar(word)) {
            node.words.forEach(child -> collect(child, pattern, word + 1, matched));
        } else {
            Node child = node.words.get(pattern, word);
            if (child != null) {
                collect(child, pattern, word + 1, matched);
            }
        }
    }

    @Override
    public void match(byte[] bytes, int offset, int length, Matches found) {
        found.clear();
        found.words.set(bytes, offset, length);
        Node node = root;
        for (int i = 0; i < found.words.count(); i++) {
            node = node.words.get(found.words, i);
            if (node == null) {
                return;
            }
        }
        if (node.matching != null) {
            node.matching.forEach((int number) -> found.add(subscriptions.subscriber(number)));
        }
    }

    @Override
    public int parts() {
        int[] bits = {topics + subscriptions.size()};
        countBits(root, bits);
        return bits[0];
    }

    private static void countBits(Node node, int[] bits) {
        if (node.matching != null) {
            bits[0] += node.matching.getCardinality();
        }
        node.words.forEach(child -> countBits(child, bits));
    }
}
