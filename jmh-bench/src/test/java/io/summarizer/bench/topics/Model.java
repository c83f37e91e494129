package io.summarizer.bench.topics;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** The meaning of matching, as plainly as possible: a list of subscriptions, and a recursion over words. */
final class Model {
    private final Set<Subscription> subscriptions = new TreeSet<>();

    private record Subscription(String pattern, int subscriber) implements Comparable<Subscription> {
        @Override
        public int compareTo(Subscription other) {
            int byPattern = pattern.compareTo(other.pattern);
            return byPattern != 0 ? byPattern : Integer.compare(subscriber, other.subscriber);
        }
    }

    boolean subscribe(String pattern, int subscriber) {
        return subscriptions.add(new Subscription(pattern, subscriber));
    }

    boolean unsubscribe(String pattern, int subscriber) {
        return subscriptions.remove(new Subscription(pattern, subscriber));
    }

    /** The subscribers found, in ascending order, once for each subscription. */
    int[] match(String topic) {
        List<String> words = words(topic);
        return subscriptions.stream()
                .filter(subscription -> matches(words(subscription.pattern), words))
                .mapToInt(Subscription::subscriber)
                .sorted()
                .toArray();
    }

    Model copy() {
        Model copy = new Model();
        copy.subscriptions.addAll(subscriptions);
        return copy;
    }

    List<String> patterns() {
        return subscriptions.stream().map(Subscription::pattern).toList();
    }

    private static boolean matches(List<String> pattern, List<String> topic) {
        if (pattern.isEmpty()) {
            return topic.isEmpty();
        }
        List<String> rest = pattern.subList(1, pattern.size());
        if (pattern.get(0).equals("#")) {
            return matches(rest, topic) || (!topic.isEmpty() && matches(pattern, topic.subList(1, topic.size())));
        }
        return !topic.isEmpty()
                && (pattern.get(0).equals("*") || pattern.get(0).equals(topic.get(0)))
                && matches(rest, topic.subList(1, topic.size()));
    }

    private static List<String> words(String text) {
        return new ArrayList<>(Arrays.asList(text.split("\\.", -1)));
    }

    @Override
    public String toString() {
        return subscriptions.toString();
    }
}
