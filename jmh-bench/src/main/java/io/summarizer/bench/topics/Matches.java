package io.summarizer.bench.topics;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What a lookup found: numbers of subscribers. Made once and used for one lookup after the other by one thread; it also
 * lends a lookup the room to work in, so that one that finds no more than those before allocates nothing.
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

    /** How many there are. */
    public int size() {
        return size;
    }

    /** The one found as number {@code index}. */
    public int get(int index) {
        if (index >= size) {
            throw new IndexOutOfBoundsException("match " + index + " of " + size);
        }
        return subscribers[index];
    }

    /** All of them, in a new array. */
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

    /** Room for that many longs, of any content. */
    long[] bits(int length) {
        if (bits.length < length) {
            bits = new long[Math.max(length, 2 * bits.length)];
        }
        return bits;
    }
}
