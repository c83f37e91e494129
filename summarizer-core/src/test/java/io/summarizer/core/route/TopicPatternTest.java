package io.summarizer.core.route;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TopicPatternTest {
    @ParameterizedTest
    @CsvSource({
        "a.b, a.b, true",
        "a.b, a.c, false",
        "a.b, a.b.c, false",
        "a.*, a.b, true",
        "a.*, a, false",
        "a.*, a.b.c, false",
        "*, a, true",
        "*, '', true",
        "#, '', true",
        "#, a.b.c, true",
        "a.#, a, true",
        "a.#, a.b.c, true",
        "a.#, b, false",
        "#.c, a.b.c, true",
        "#.c, c, true",
        "a.#.c, a.c, true",
        "a.#.c, a.b.b.c, true",
        "a.#.#.c, a.c, true",
        "#.*.#, a, true",
        "a..b, a..b, true",
        "a.*.b, a..b, true",
        "A, a, false",
    })
    void shouldMatchAsAnAmqpTopicExchangeDoes(String pattern, String topic, boolean expected) {
        assertThat(TopicPattern.of(pattern).matches(topic)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "#, a.b, true",
        "#, #, true",
        "a.#, a.*.c, true",
        "a.#, a.#.c.#, true",
        "a.*, a.b, true",
        "a.*, a.*, true",
        "a.*, a.#, false",
        "a.b, a.*, false",
        "*.#, #.a, false", // it does, and may be detected one day
        "#.c, a.c, true",
        "#.c, a.#, false",
        "a.*.c, a.b, false",
        "a, a.b, false",
    })
    void shouldCoverWhatMatchesNothingElse(String pattern, String other, boolean expected) {
        assertThat(TopicPattern.of(pattern).covers(TopicPattern.of(other))).isEqualTo(expected);
    }

    @RepeatedTest(20)
    void shouldNeverCoverWhatItDoesNotMatch() {
        long seed = System.nanoTime();
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < 500; i++) {
            TopicPattern pattern = TopicPattern.of(randomText(random, "*", "#", "a", "b"));
            TopicPattern other = TopicPattern.of(randomText(random, "*", "#", "a", "b"));
            String topic = randomText(random, "a", "b", "c");
            if (pattern.covers(other) && other.matches(topic)) {
                assertThat(pattern.matches(topic))
                        .as("seed %d: %s covers %s, which matches %s", seed, pattern, other, topic)
                        .isTrue();
            }
        }
    }

    private static String randomText(SplittableRandom random, String... words) {
        return String.join(
                ".",
                random.ints(random.nextInt(1, 5), 0, words.length)
                        .mapToObj(i -> words[i])
                        .toList());
    }

    @Test
    void shouldNotBacktrackExponentiallyOverManyHashes() {
        assertThat(TopicPattern.of("#.a.".repeat(30) + "b").matches("a.".repeat(200) + "c"))
                .isFalse();
    }

    @RepeatedTest(20)
    void shouldAgreeWithExhaustiveEnumerationOnCommonTopics() {
        long seed = new SplittableRandom().nextLong();
        SplittableRandom random = new SplittableRandom(seed);
        List<String> topics = topics();
        for (int i = 0; i < 100; i++) {
            TopicPattern a = TopicPattern.of(randomPattern(random));
            TopicPattern b = TopicPattern.of(randomPattern(random));
            Optional<String> common = a.commonTopic(b);
            Optional<String> example = topics.stream()
                    .filter(topic -> a.matches(topic) && b.matches(topic))
                    .findFirst();
            assertThat(common.isPresent())
                    .as("seed %d: %s and %s, example %s", seed, a, b, example)
                    .isEqualTo(example.isPresent());
            common.ifPresent(topic -> {
                assertThat(a.matches(topic))
                        .as("seed %d: %s on %s", seed, a, topic)
                        .isTrue();
                assertThat(b.matches(topic))
                        .as("seed %d: %s on %s", seed, b, topic)
                        .isTrue();
            });
        }
    }

    /**
     * Every topic of one to six words over a, b and c: enough to tell all patterns of three words over a and b apart.
     */
    private static List<String> topics() {
        List<String> all = new ArrayList<>();
        List<String> last = List.of("a", "b", "c");
        for (int length = 1; length <= 6; length++) {
            all.addAll(last);
            List<String> next = new ArrayList<>();
            for (String topic : last) {
                for (String word : List.of("a", "b", "c")) {
                    next.add(topic + "." + word);
                }
            }
            last = next;
        }
        return all;
    }

    private static String randomPattern(SplittableRandom random) {
        String[] words = {"a", "b", "*", "#"};
        StringBuilder pattern = new StringBuilder(words[random.nextInt(words.length)]);
        for (int more = random.nextInt(3); more > 0; more--) {
            pattern.append('.').append(words[random.nextInt(words.length)]);
        }
        return pattern.toString();
    }
}
