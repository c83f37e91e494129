package io.summarizer.bench.topics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/**
 * The behaviour of every matcher. A subclass makes the matcher, and says whether it takes {@code #} and how many words
 * it allows.
 */
abstract class TopicMatcherConformance {
    /** The words of all topics and patterns of the random tests: few, so that there are many matches. */
    private static final List<String> ALPHABET = List.of("a", "b", "", "c", "longer-than-seven", "longer-than-seveN");

    /** Number of them after the second position. */
    private static final int SHORT_WORDS = 4;

    static final int MOST_WORDS = 5;

    private final Matches found = new Matches();

    /** Makes a matcher without subscriptions. */
    abstract TopicMatcher matcher();

    /** Whether patterns may contain {@code #}. */
    boolean takesHash() {
        return true;
    }

    /** Whether topics and patterns may have more than {@link #MOST_WORDS} words, and words not in the alphabet. */
    boolean isUnbound() {
        return true;
    }

    /** Returns every topic that the suite looks up, for matchers that have to know them all. */
    static List<String> topicSpace() {
        List<String> topics = new ArrayList<>();
        List<String> last = List.of("");
        for (int words = 1; words <= MOST_WORDS; words++) {
            List<String> next = new ArrayList<>();
            for (String prefix : last) {
                for (String word : words <= 2 ? ALPHABET : ALPHABET.subList(0, SHORT_WORDS)) {
                    next.add(words == 1 ? word : prefix + "." + word);
                }
            }
            topics.addAll(next);
            last = next;
        }
        return topics;
    }

    int[] match(TopicMatcher matcher, String topic) {
        byte[] bytes = ("..." + topic + ".x").getBytes(StandardCharsets.UTF_8);
        matcher.match(bytes, 3, bytes.length - 5, found);
        int[] subscribers = found.toArray();
        Arrays.sort(subscribers);
        return subscribers;
    }

    static void subscribe(TopicMatcher matcher, String pattern, int subscriber) {
        assertThat(matcher.subscribe(Pattern.of(pattern), subscriber))
                .as("subscribing %s", pattern)
                .isTrue();
    }

    static void unsubscribe(TopicMatcher matcher, String pattern, int subscriber) {
        assertThat(matcher.unsubscribe(Pattern.of(pattern), subscriber))
                .as("unsubscribing %s", pattern)
                .isTrue();
    }

    @Test
    void findsNothingWithoutSubscriptions() {
        assertThat(match(matcher(), "a.b")).isEmpty();
    }

    @Test
    void findsExactTopicsAndNoOthers() {
        TopicMatcher matcher = matcher();
        subscribe(matcher, "a.b", 1);
        assertThat(match(matcher, "a.b")).containsExactly(1);
        for (String other : List.of("a", "a.c", "b.b", "a.b.a", "a.b.", ".a.b", "")) {
            assertThat(match(matcher, other)).as(other).isEmpty();
        }
    }

    @Test
    void takesEachStarForExactlyOneWord() {
        TopicMatcher matcher = matcher();
        subscribe(matcher, "a.*", 1);
        subscribe(matcher, "*", 2);
        subscribe(matcher, "*.b.*", 3);
        assertThat(match(matcher, "a")).containsExactly(2);
        assertThat(match(matcher, "a.b")).containsExactly(1);
        assertThat(match(matcher, "a.")).containsExactly(1);
        assertThat(match(matcher, "a.b.b")).containsExactly(3);
        assertThat(match(matcher, ".b.")).containsExactly(3);
    }

    @Test
    void takesAnEmptyWordForAWord() {
        TopicMatcher matcher = matcher();
        subscribe(matcher, "", 1);
        subscribe(matcher, ".", 2);
        subscribe(matcher, "a..b", 3);
        assertThat(match(matcher, "")).containsExactly(1);
        assertThat(match(matcher, ".")).containsExactly(2);
        assertThat(match(matcher, "a..b")).containsExactly(3);
        assertThat(match(matcher, "a.b")).isEmpty();
    }

    @Test
    void tellsLongWordsApart() {
        TopicMatcher matcher = matcher();
        subscribe(matcher, "longer-than-seven", 1);
        assertThat(match(matcher, "longer-than-seven")).containsExactly(1);
        assertThat(match(matcher, "longer-than-seveN")).isEmpty();
    }

    @Test
    void takesEachHashForAnyNumberOfWords() {
        Assumptions.assumeTrue(takesHash(), "takes no #");
        TopicMatcher matcher = matcher();
        subscribe(matcher, "#", 1);
        subscribe(matcher, "a.#", 2);
        subscribe(matcher, "#.b", 3);
        subscribe(matcher, "a.#.b", 4);
        subscribe(matcher, "#.a.#.b.#", 5);
        subscribe(matcher, "#.*", 6);
        subscribe(matcher, "*.#.*", 7);
        assertThat(match(matcher, "")).containsExactly(1, 6);
        assertThat(match(matcher, "a")).containsExactly(1, 2, 6);
        assertThat(match(matcher, "b")).containsExactly(1, 3, 6);
        assertThat(match(matcher, "a.b")).containsExactly(1, 2, 3, 4, 5, 6, 7);
        assertThat(match(matcher, "c.a.c.b.c")).containsExactly(1, 5, 6, 7);
    }

    @Test
    void findsASubscriptionOnceHoweverManyWaysItMatches() {
        Assumptions.assumeTrue(takesHash(), "takes no #");
        TopicMatcher matcher = matcher();
        subscribe(matcher, "#.#", 1);
        subscribe(matcher, "#.a.#", 2);
        subscribe(matcher, "#.*.#.*.#", 3);
        assertThat(match(matcher, "a.a.a.a.a")).containsExactly(1, 2, 3);
    }

    @Test
    void saysWhyItRefusesHash() {
        Assumptions.assumeFalse(takesHash(), "takes #");
        assertThatThrownBy(() -> matcher().subscribe(Pattern.of("a.#"), 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("a.#")
                .hasMessageContaining("zero or more words");
    }

    @Test
    void findsASubscriberOnceForEachOfItsPatterns() {
        TopicMatcher matcher = matcher();
        subscribe(matcher, "a.b", 1);
        subscribe(matcher, "a.*", 1);
        subscribe(matcher, "a.b", 2);
        assertThat(match(matcher, "a.b")).containsExactly(1, 1, 2);
    }

    @Test
    void knowsWhatItHolds() {
        TopicMatcher matcher = matcher();
        Pattern pattern = Pattern.of("a.*.b");
        assertThat(matcher.subscribe(pattern, 1)).isTrue();
        assertThat(matcher.subscribe(pattern, 1)).isFalse();
        assertThat(matcher.unsubscribe(pattern, 2)).isFalse();
        assertThat(matcher.unsubscribe(Pattern.of("a.*"), 1)).isFalse();
        assertThat(matcher.unsubscribe(Pattern.of("a.*.c"), 1)).isFalse();
        assertThat(matcher.unsubscribe(pattern, 1)).isTrue();
        assertThat(matcher.unsubscribe(pattern, 1)).isFalse();
        assertThat(match(matcher, "a.a.b")).isEmpty();
    }

    @Test
    void stillLooksUpBelowAPatternWhoseLongerOneWasRemoved() {
        TopicMatcher matcher = matcher();
        subscribe(matcher, "a.b", 1);
        subscribe(matcher, "a.b.c", 2);
        unsubscribe(matcher, "a.b.c", 2);
        assertThat(match(matcher, "a.b.c")).isEmpty();
        assertThat(match(matcher, "a.b")).containsExactly(1);
        subscribe(matcher, "a.b.c", 3);
        assertThat(match(matcher, "a.b.c")).containsExactly(3);
    }

    @Test
    void keepsShorterAndLongerPatternsApartWhenOneIsRemoved() {
        TopicMatcher matcher = matcher();
        subscribe(matcher, "a.b", 1);
        subscribe(matcher, "a.b.c", 2);
        unsubscribe(matcher, "a.b", 1);
        assertThat(match(matcher, "a.b")).isEmpty();
        assertThat(match(matcher, "a.b.c")).containsExactly(2);
    }

    @Test
    void holds20000SubscribersOfOneTopic() {
        TopicMatcher matcher = matcher();
        Pattern pattern = Pattern.of("a.b");
        int[] all = IntStream.range(0, 20_000).toArray();
        for (int subscriber : all) {
            matcher.subscribe(pattern, subscriber);
        }
        assertThat(match(matcher, "a.b")).isEqualTo(all);
        for (int subscriber : all) {
            assertThat(matcher.unsubscribe(pattern, subscriber)).isTrue();
        }
        assertThat(match(matcher, "a.b")).isEmpty();
    }

    @Test
    void endsWithPatternsOfThirtyHashes() {
        Assumptions.assumeTrue(takesHash() && isUnbound(), "takes no #");
        TopicMatcher matcher = matcher();
        subscribe(matcher, String.join(".", Collections.nCopies(30, "#")), 1);
        subscribe(matcher, String.join(".a.", Collections.nCopies(30, "#")) + ".b", 2);
        subscribe(matcher, String.join(".*.", Collections.nCopies(30, "#")), 3);
        String topic = String.join(".", Collections.nCopies(60, "a"));
        assertThat(match(matcher, topic)).containsExactly(1, 3);
        assertThat(match(matcher, topic + ".b")).containsExactly(1, 2, 3);
    }

    @Test
    void findsInTopicsOfManyWords() {
        Assumptions.assumeTrue(takesHash() && isUnbound(), "bound on words");
        TopicMatcher matcher = matcher();
        String topic = String.join(".", Collections.nCopies(3_000, "word"));
        subscribe(matcher, "#.word", 1);
        subscribe(matcher, "word.*.word.#", 2);
        subscribe(matcher, "word.*", 3);
        assertThat(match(matcher, topic)).containsExactly(1, 2);
    }

    @Test
    void agreesWithTheModelOnRandomPatternsAndTopics() {
        for (long seed = 1; seed <= 60; seed++) {
            agreesWithTheModel(seed, 400);
        }
    }

    @Test
    void isAsAtFirstWhenAllIsRemoved() {
        for (long seed = 1; seed <= 20; seed++) {
            Random random = new Random(seed);
            TopicMatcher matcher = matcher();
            int empty = matcher.parts();
            Model model = new Model();
            for (int i = 0; i < 300; i++) {
                String pattern = pattern(random);
                matcher.subscribe(Pattern.of(pattern), i % 40);
                model.subscribe(pattern, i % 40);
                if (i % 10 == 0) {
                    match(matcher, topic(random));
                }
            }
            for (String pattern : model.patterns()) {
                for (int subscriber = 0; subscriber < 40; subscriber++) {
                    matcher.unsubscribe(Pattern.of(pattern), subscriber);
                }
            }
            assertThat(matcher.parts()).as("parts left, seed %d", seed).isEqualTo(empty);
        }
    }

    private void agreesWithTheModel(long seed, int steps) {
        Random random = new Random(seed);
        List<TopicMatcher> matchers = new ArrayList<>(List.of(matcher()));
        List<Model> models = new ArrayList<>(List.of(new Model()));
        List<String> used = new ArrayList<>();
        for (int step = 0; step < steps; step++) {
            int which = random.nextInt(matchers.size());
            TopicMatcher matcher = matchers.get(which);
            Model model = models.get(which);
            String context = "seed " + seed + ", step " + step + ", matcher " + which;
            int choice = random.nextInt(100);
            int subscriber = random.nextInt(5);
            if (choice < 35) {
                String pattern = pattern(random);
                used.add(pattern);
                assertThat(matcher.subscribe(Pattern.of(pattern), subscriber))
                        .as("%s: subscribing %s", context, pattern)
                        .isEqualTo(model.subscribe(pattern, subscriber));
            } else if (choice < 55 && !used.isEmpty()) {
                String pattern = used.get(random.nextInt(used.size()));
                assertThat(matcher.unsubscribe(Pattern.of(pattern), subscriber))
                        .as("%s: unsubscribing %s", context, pattern)
                        .isEqualTo(model.unsubscribe(pattern, subscriber));
            } else if (choice == 99 && matchers.size() < 4 && matcher instanceof CsTrie trie) {
                matchers.add(trie.snapshot());
                models.add(model.copy());
            } else {
                String topic = topic(random);
                int[] expected = model.match(topic);
                assertThat(match(matcher, topic))
                        .as("%s: looking up '%s' in %s", context, topic, model)
                        .isEqualTo(expected);
            }
        }
    }

    private String pattern(Random random) {
        List<String> words = new ArrayList<>();
        int count = 1 + random.nextInt(MOST_WORDS);
        for (int i = 0; i < count; i++) {
            int choice = random.nextInt(10);
            words.add(
                    choice < 2 && takesHash()
                            ? "#"
                            : choice < 4 ? "*" : ALPHABET.get(random.nextInt(i < 2 ? ALPHABET.size() : SHORT_WORDS)));
        }
        return String.join(".", words);
    }

    private String topic(Random random) {
        List<String> words = new ArrayList<>();
        int count = 1 + random.nextInt(isUnbound() ? MOST_WORDS + 2 : MOST_WORDS);
        for (int i = 0; i < count; i++) {
            words.add(
                    isUnbound() && random.nextInt(20) == 0
                            ? "unheard"
                            : ALPHABET.get(random.nextInt(i < 2 ? ALPHABET.size() : SHORT_WORDS)));
        }
        return String.join(".", words);
    }
}
