package io.summarizer.core.route;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A pattern over topics as in an AMQP topic exchange. Words are separated by dots; {@code *} stands for exactly one
 * word, {@code #} for zero or more words. Words are compared as bytes, case-sensitively; an empty word is a word. A
 * message without a topic has no words, so a pattern that matches zero words takes the message. Immutable.
 */
public final class TopicPattern {
    private final String text;
    private final List<String> words;

    private TopicPattern(String text) {
        this.text = text;
        this.words = words(text);
    }

    /** The pattern of {@code text}; any text is a pattern. */
    public static TopicPattern of(String text) {
        return new TopicPattern(text);
    }

    /** The words of a topic or pattern; the empty text is one empty word. */
    public static List<String> words(String text) {
        return List.of(text.split("\\.", -1));
    }

    /** The words of this pattern, wildcards included. */
    public List<String> words() {
        return words;
    }

    /** Whether this pattern matches messages without a topic: it requires no word. */
    public boolean matchesNoTopic() {
        return words.stream().allMatch("#"::equals);
    }

    /** Whether this pattern matches a topic, given as text. Cost: words of the topic times words of the pattern. */
    public boolean matches(String topic) {
        List<String> topicWords = words(topic);
        int columns = words.size();
        // reachable[p]: the first p words of the pattern can consume the words so far
        boolean[] reachable = new boolean[columns + 1];
        reachable[0] = true;
        skipHashes(words, reachable);
        for (String word : topicWords) {
            boolean[] next = new boolean[columns + 1];
            for (int p = 0; p < columns; p++) {
                if (!reachable[p]) {
                    continue;
                }
                String expected = words.get(p);
                if (expected.equals("#")) {
                    next[p] = true;
                } else if (expected.equals("*") || expected.equals(word)) {
                    next[p + 1] = true;
                }
            }
            skipHashes(words, next);
            reachable = next;
        }
        return reachable[columns];
    }

    static void skipHashes(List<String> words, boolean[] reachable) {
        for (int p = 0; p < words.size(); p++) {
            if (reachable[p] && words.get(p).equals("#")) {
                reachable[p + 1] = true;
            }
        }
    }

    /**
     * Whether this pattern matches all topics that another pattern matches. If the other pattern matches messages
     * without a topic, this pattern must match them, too. A result of true is always correct. A result of false may be
     * wrong when a pattern has {@code *} next to {@code #}, such as {@code #.*} or {@code *.#}.
     */
    public boolean covers(TopicPattern other) {
        return covers(0, other, 0, new Boolean[words.size() + 1][other.words.size() + 1]);
    }

    private boolean covers(int i, TopicPattern other, int j, @Nullable Boolean[][] known) {
        Boolean before = known[i][j];
        if (before == null) {
            known[i][j] = before = finds(i, other, j, known);
        }
        return before;
    }

    /**
     * Whether the rest of this pattern from word i covers the rest of the other pattern from word j. Treats a wildcard
     * of the other pattern as a word that only a wildcard of this pattern can take.
     */
    private boolean finds(int i, TopicPattern other, int j, @Nullable Boolean[][] known) {
        boolean atEnd = j == other.words.size();
        if (i == words.size()) {
            return atEnd;
        }
        String mine = words.get(i);
        if (mine.equals("#")) {
            return covers(i + 1, other, j, known) || (!atEnd && covers(i, other, j + 1, known));
        }
        if (atEnd || other.words.get(j).equals("#")) {
            return false;
        }
        return (mine.equals("*") || mine.equals(other.words.get(j))) && covers(i + 1, other, j + 1, known);
    }

    /**
     * A topic that both patterns match, if there is one, as an example of their overlap. A pattern that matches
     * messages without a topic consists of {@code #} only, so it matches every topic. For two such patterns, any topic
     * is an example.
     */
    public Optional<String> commonTopic(TopicPattern other) {
        return Optional.ofNullable(search(other)).map(found -> String.join(".", found));
    }

    private @Nullable List<String> search(TopicPattern other) {
        boolean[][] visited = new boolean[words.size() + 1][other.words.size() + 1];
        List<String> path = new ArrayList<>();
        return search(other, 0, 0, visited, path) ? path : null;
    }

    private boolean search(TopicPattern other, int i, int j, boolean[][] visited, List<String> path) {
        if (i == words.size() && j == other.words.size()) {
            // The example must be a topic, so it has at least one word.
            if (path.isEmpty()) {
                path.add("any");
            }
            return true;
        }
        if (visited[i][j]) {
            return false;
        }
        visited[i][j] = true;
        String a = i < words.size() ? words.get(i) : null;
        String b = j < other.words.size() ? other.words.get(j) : null;
        if ("#".equals(a) && search(other, i + 1, j, visited, path)) {
            return true;
        }
        if ("#".equals(b) && search(other, i, j + 1, visited, path)) {
            return true;
        }
        if (a == null || b == null) {
            return false;
        }
        boolean wildA = a.equals("*") || a.equals("#");
        boolean wildB = b.equals("*") || b.equals("#");
        if (!wildA && !wildB && !a.equals(b)) {
            return false;
        }
        if (a.equals("#") && b.equals("#")) {
            return false; // each of the two can take the word without the other
        }
        path.add(wildA ? (wildB ? "any" : b) : a);
        if (search(other, a.equals("#") ? i : i + 1, b.equals("#") ? j : j + 1, visited, path)) {
            return true;
        }
        path.remove(path.size() - 1);
        return false;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof TopicPattern pattern && pattern.text.equals(text);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }

    @Override
    public String toString() {
        return text;
    }
}
