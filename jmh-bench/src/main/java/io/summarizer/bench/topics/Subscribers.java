package io.summarizer.bench.topics;

import java.util.Arrays;
import java.util.Map;

/**
 * An immutable set of subscribers' numbers, as a sorted array. A change copies the array, which is cheap because most
 * sets are small.
 */
final class Subscribers {
    /** The empty set. */
    static final Subscribers NONE = new Subscribers(new int[0]);

    private final int[] sorted;

    private Subscribers(int[] sorted) {
        this.sorted = sorted;
    }

    /** Adds a subscription to a map. Returns false if the map has it already. */
    static boolean subscribe(Map<Pattern, Subscribers> subscriptions, Pattern pattern, int subscriber) {
        Subscribers before = subscriptions.getOrDefault(pattern, NONE);
        Subscribers after = before.with(subscriber);
        subscriptions.put(pattern, after);
        return after != before;
    }

    /** Removes a subscription from a map. Returns false if the map does not have it. */
    static boolean unsubscribe(Map<Pattern, Subscribers> subscriptions, Pattern pattern, int subscriber) {
        Subscribers before = subscriptions.getOrDefault(pattern, NONE);
        Subscribers after = before.without(subscriber);
        if (after.isEmpty()) {
            subscriptions.remove(pattern);
        } else {
            subscriptions.put(pattern, after);
        }
        return after != before;
    }

    /** Whether the set is empty. */
    boolean isEmpty() {
        return sorted.length == 0;
    }

    /** Adds all subscribers to the result of a lookup. */
    void addTo(Matches found) {
        if (sorted.length == 1) {
            found.add(sorted[0]);
        } else {
            found.addAll(sorted);
        }
    }

    /** Returns this set with {@code subscriber}. Returns this object if it has the subscriber already. */
    Subscribers with(int subscriber) {
        int at = Arrays.binarySearch(sorted, subscriber);
        if (at >= 0) {
            return this;
        }
        int[] more = Arrays.copyOf(sorted, sorted.length + 1);
        System.arraycopy(sorted, -at - 1, more, -at, sorted.length + at + 1);
        more[-at - 1] = subscriber;
        return new Subscribers(more);
    }

    /**
     * Returns this set without {@code subscriber}. Returns this object if it does not have the subscriber, and {@link
     * #NONE} if no subscriber remains.
     */
    Subscribers without(int subscriber) {
        int at = Arrays.binarySearch(sorted, subscriber);
        if (at < 0) {
            return this;
        }
        if (sorted.length == 1) {
            return NONE;
        }
        int[] fewer = Arrays.copyOf(sorted, sorted.length - 1);
        System.arraycopy(sorted, at + 1, fewer, at, fewer.length - at);
        return new Subscribers(fewer);
    }
}
