package io.summarizer.bench.topics;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The result of a lookup, and the lookup's working memory. The result is a list of subscribers' numbers. A thread
 * reuses the object for all lookups. So a lookup allocates only if it needs more memory than every lookup before it.
 */
public final class Matches {
    private int[] subscribers = new int[16];
    private int size;

    final Words words = new Words();
    final Spans spans = new Spans();
    final ActiveSet active = new ActiveSet();
    final Sighting sighting = new Sighting();
    RebuiltMatcher.@Nullable Lookup lookup;
    private long[] bits = new long[16];

    /** Number of subscribers found. */
    public int size() {
        return size;
    }

    /** Returns the subscriber that was found at {@code index}. */
    public int get(int index) {
        if (index >= size) {
            throw new IndexOutOfBoundsException("match " + index + " of " + size);
        }
        return subscribers[index];
    }

    /** Returns all subscribers in a new array. */
    public int[] toArray() {
        return Arrays.copyOf(subscribers, size);
    }

    void clear() {
        size = 0;
    }

    void add(int subscriber) {
        if (size == subscribers.length) {
            subscribers = Arrays.copyOf(subscribers, 2 * size);
        }
        subscribers[size++] = subscriber;
    }

    void addAll(int[] added) {
        int end = size + added.length;
        if (end > subscribers.length) {
            subscribers = Arrays.copyOf(subscribers, Math.max(end, 2 * size));
        }
        System.arraycopy(added, 0, subscribers, size, added.length);
        size = end;
    }

    /** Returns working memory: an array of at least this length, with any content. */
    long[] bits(int length) {
        if (bits.length < length) {
            bits = new long[Math.max(length, 2 * bits.length)];
        }
        return bits;
    }
}
