package io.summarizer.core.route;

import java.util.List;
import java.util.TreeSet;

/**
 * The smallest difference between a topic and a pattern that does not match it, for messages to users; the empty text
 * stands for no topic. Immutable.
 *
 * @param word position, from 0, of the topic's first word that the pattern does not take; the number of the topic's
 *     words when the topic ends too early
 * @param expected words and wildcards of the pattern that could match at this position; empty when the pattern ends
 *     before this position
 * @param distance number of words to change, add or leave out until the pattern matches
 */
public record TopicDifference(int word, List<String> expected, int distance) {
    public TopicDifference {
        expected = List.copyOf(expected);
    }

    /** Compares a topic with a pattern that does not match it. Cost: words of the topic times words of the pattern. */
    public static TopicDifference of(TopicPattern pattern, String topic) {
        List<String> words = words(topic);
        List<String> steps = pattern.words();
        boolean[] reachable = new boolean[steps.size() + 1];
        reachable[0] = true;
        TopicPattern.skipHashes(steps, reachable);
        int word = 0;
        for (; word < words.size(); word++) {
            boolean[] next = new boolean[steps.size() + 1];
            boolean any = false;
            for (int step = 0; step < steps.size(); step++) {
                if (reachable[step] && takes(steps.get(step), words.get(word))) {
                    next[steps.get(step).equals("#") ? step : step + 1] = true;
                    any = true;
                }
            }
            if (!any) {
                break;
            }
            TopicPattern.skipHashes(steps, next);
            reachable = next;
        }
        TreeSet<String> expected = new TreeSet<>();
        for (int step = 0; step < steps.size(); step++) {
            if (reachable[step] && !steps.get(step).equals("#")) {
                expected.add(steps.get(step));
            }
        }
        return new TopicDifference(word, List.copyOf(expected), distance(steps, words));
    }

    private static List<String> words(String topic) {
        return topic.isEmpty() ? List.of() : TopicPattern.words(topic);
    }

    private static boolean takes(String step, String word) {
        return step.equals("#") || step.equals("*") || step.equals(word);
    }

    /**
     * The Levenshtein distance between a pattern and a topic, counted in words; {@code *} equals any word, and {@code
     * #} equals any number of words.
     */
    private static int distance(List<String> steps, List<String> words) {
        int[] row = new int[words.size() + 1];
        for (int j = 0; j <= words.size(); j++) {
            row[j] = j;
        }
        for (String step : steps) {
            int[] next = new int[words.size() + 1];
            boolean hash = step.equals("#");
            next[0] = row[0] + (hash ? 0 : 1);
            for (int j = 1; j <= words.size(); j++) {
                next[j] = hash
                        ? Math.min(row[j], next[j - 1])
                        : Math.min(
                                row[j - 1] + (takes(step, words.get(j - 1)) ? 0 : 1),
                                Math.min(row[j], next[j - 1]) + 1);
            }
            row = next;
        }
        return row[words.size()];
    }

    /** A description such as {@code word 2 is "clik", not "click"}. */
    public String describe(String topic) {
        List<String> words = words(topic);
        String wanted = String.join(
                " or ",
                expected.stream()
                        .map(step -> step.equals("*") ? "some word" : '"' + step + '"')
                        .toList());
        if (words.isEmpty()) {
            return "the pattern asks for " + wanted;
        }
        if (word == words.size()) {
            return "ends where the pattern goes on with " + wanted;
        }
        String given = "word " + (word + 1) + " is \"" + words.get(word) + '"';
        return expected.isEmpty() ? given + " where the pattern has ended" : given + ", not " + wanted;
    }
}
