package io.summarizer.bench.topics;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/**
 * Assigns numbers to subscriptions, from 0 on. The number of a subscription is the index of its bit in bitmaps. Numbers
 * of removed subscriptions are reused.
 */
final class Subscriptions {
    private final Map<Subscription, Integer> numbers = new HashMap<>();
    private final Deque<Integer> free = new ArrayDeque<>();
    private int[] subscribers = new int[16];

    private record Subscription(Pattern pattern, int subscriber) {}

    /** Rejects a pattern with {@code #}. */
    static void refuseHash(Pattern pattern) {
        if (pattern.hasHash()) {
            throw new IllegalArgumentException(
                    "bitmaps hold a bit for each position of a word, and # stands for zero or" + " more words: "
                            + pattern + " is for a trie or an automaton");
        }
    }

    /** Adds a subscription. Returns its number, or -1 if it was there already. */
    int add(Pattern pattern, int subscriber) {
        Integer freed = free.peek();
        int number = freed == null ? numbers.size() : freed;
        if (numbers.putIfAbsent(new Subscription(pattern, subscriber), number) != null) {
            return -1;
        }
        free.poll();
        if (number == subscribers.length) {
            subscribers = Arrays.copyOf(subscribers, 2 * number);
        }
        subscribers[number] = subscriber;
        return number;
    }

    /** Removes a subscription. Returns its number, or -1 if it was not there. */
    int remove(Pattern pattern, int subscriber) {
        Integer number = numbers.remove(new Subscription(pattern, subscriber));
        if (number == null) {
            return -1;
        }
        free.push(number);
        return number;
    }

    /** Returns the subscriber of the subscription that has this number. */
    int subscriber(int number) {
        return subscribers[number];
    }

    /** Number of subscriptions. */
    int size() {
        return numbers.size();
    }
}
