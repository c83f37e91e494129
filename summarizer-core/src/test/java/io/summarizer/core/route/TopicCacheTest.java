package io.summarizer.core.route;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

class TopicCacheTest {
    private final List<int[]> resolved = new ArrayList<>();

    @RepeatedTest(10)
    void shouldAnswerAsPatternsMatchHoweverFewTopicsItHolds() {
        long seed = new SplittableRandom().nextLong();
        SplittableRandom random = new SplittableRandom(seed);
        List<TopicPattern> patterns = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            patterns.add(TopicPattern.of(TopicMatcherTest.randomText(random, 6, random.nextInt(1, 6), true)));
        }
        List<String> topics = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            topics.add(TopicMatcherTest.randomText(random, 16, random.nextInt(1, 6), false));
        }
        TopicCache<List<Integer>> cache = cache(patterns, 4 << random.nextInt(14));
        for (int i = 0; i < 20_000; i++) {
            String topic = topics.get(random.nextInt(1 + random.nextInt(topics.size())));
            assertThat(get(cache, topic))
                    .as("seed %d: %s in %s", seed, topic, patterns)
                    .isEqualTo(TopicMatcherTest.expected(patterns, topic));
        }
    }

    @Test
    void shouldShareOneValueAmongTopicsWithTheSameMatches() {
        TopicCache<List<Integer>> cache = cache(List.of(TopicPattern.of("a.#"), TopicPattern.of("#.b")), 64);
        assertThat(get(cache, "a.x.b")).isSameAs(get(cache, "a.b")).isSameAs(get(cache, "a.x.b"));
        assertThat(resolved).hasSize(1);
    }

    @Test
    void shouldTellTopicsApartThatDifferByTrailingZeros() {
        TopicCache<List<Integer>> cache = cache(List.of(TopicPattern.of("a"), TopicPattern.of("a\0")), 4);
        for (int i = 0; i < 3; i++) {
            assertThat(get(cache, "a")).containsExactly(0);
            assertThat(get(cache, "a\0")).containsExactly(1);
            assertThat(get(cache, "a\0\0")).isEmpty();
            assertThat(get(cache, "")).isEmpty();
        }
    }

    @Test
    void shouldTellTheLastTopicFromOnesThatDifferInAnyOneByte() {
        for (int length = 1; length <= TopicCache.LONGEST_TOPIC + 1; length++) {
            String last = "x".repeat(length);
            TopicCache<List<Integer>> cache = cache(List.of(TopicPattern.of(last)), 64);
            for (int i = 0; i < length; i++) {
                assertThat(get(cache, last)).containsExactly(0);
                assertThat(get(cache, last)).containsExactly(0);
                String other = last.substring(0, i) + "y" + last.substring(i + 1);
                assertThat(get(cache, other)).as(other).isEmpty();
                assertThat(get(cache, last.substring(0, i))).isEmpty();
            }
        }
    }

    @Test
    void shouldForgetTheLastTopicWhenItsMatchesCannotBeResolved() {
        boolean[] failing = {true};
        TopicCache<List<Integer>> cache = new TopicCache<>(
                TopicMatcher.of(List.of(TopicPattern.of("a"), TopicPattern.of("b"))),
                matches -> {
                    if (matches.length > 0 && matches[0] == 1 && failing[0]) {
                        throw new IllegalStateException("not now");
                    }
                    return Arrays.stream(matches).boxed().toList();
                },
                64);
        assertThat(get(cache, "a")).containsExactly(0);
        assertThatIllegalStateException().isThrownBy(() -> get(cache, "b"));
        failing[0] = false;
        assertThat(get(cache, "b")).containsExactly(1);
        assertThat(get(cache, "a")).containsExactly(0);
    }

    @Test
    void shouldMatchTopicsThatAreTooLongToKeep() {
        TopicCache<List<Integer>> cache = cache(List.of(TopicPattern.of("#.z")), 64);
        for (int length = 1; length < 200; length++) {
            String topic = "x".repeat(length) + ".z";
            assertThat(get(cache, topic)).containsExactly(0);
            assertThat(get(cache, topic)).containsExactly(0);
            assertThat(get(cache, topic + "z")).isEmpty();
        }
    }

    @Test
    void shouldStayRightWhileTopicsThatNeverRecurMakeItPassTheTableBy() {
        TopicCache<List<Integer>> cache = cache(List.of(TopicPattern.of("even.#"), TopicPattern.of("#.x")), 64);
        for (int i = 0; i < 200_000; i++) {
            String topic = (i % 2 == 0 ? "even." : "odd.") + i;
            if (get(cache, topic).size() != 1 - i % 2) {
                assertThat(get(cache, topic)).as(topic).hasSize(1 - i % 2);
            }
        }
        assertThat(resolved).hasSize(2);
        assertThat(cache.capacity()).isEqualTo(64);
    }

    @Test
    void shouldFindTopicsAgainThatComeInTurn() {
        TopicCache<List<Integer>> cache = cache(List.of(TopicPattern.of("t.#")), 65_536);
        for (int topics : new int[] {50, 1_000, 5_000}) {
            for (int round = 0; round < 40_000 / topics; round++) {
                turn(cache, topics);
            }
            long before = cache.matched();
            turn(cache, topics);
            turn(cache, topics);
            assertThat(cache.matched() - before).as("%d topics", topics).isLessThan(topics / 10);
        }
        assertThat(cache.capacity()).isBetween(8_192, 65_536);
    }

    @Test
    void shouldLetGoOfTheTableWhereTopicsNeverRecur() {
        TopicCache<List<Integer>> cache = cache(List.of(TopicPattern.of("t.#")), 65_536);
        for (int i = 0; i < 100_000; i++) {
            get(cache, "t." + i);
        }
        assertThat(cache.capacity()).isEqualTo(1_024);
        assertThat(cache.matched()).isEqualTo(100_000);
    }

    @Test
    void shouldKeepAnyTwoTopics() {
        for (int i = 0; i < 50; i++) {
            TopicCache<List<Integer>> cache = cache(List.of(TopicPattern.of("t.#")), 4);
            for (int round = 0; round < 10; round++) {
                get(cache, "t");
                get(cache, "t." + i);
            }
            assertThat(cache.matched()).as("t and t.%d", i).isEqualTo(2);
        }
    }

    private static void turn(TopicCache<List<Integer>> cache, int topics) {
        for (int i = 0; i < topics; i++) {
            get(cache, "t." + i);
        }
    }

    @Test
    void shouldForgetMatchesBeyondItsBound() {
        List<TopicPattern> patterns = new ArrayList<>();
        for (int i = 0; i < 13; i++) {
            patterns.add(TopicPattern.of("#." + i + ".#"));
        }
        TopicCache<List<Integer>> cache = cache(patterns, 64);
        for (int round = 0; round < 2; round++) {
            for (int set = 0; set < 1 << patterns.size(); set++) {
                StringBuilder topic = new StringBuilder("x");
                List<Integer> expected = new ArrayList<>();
                for (int i = 0; i < patterns.size(); i++) {
                    if ((set >> i & 1) != 0) {
                        topic.append('.').append(i);
                        expected.add(i);
                    }
                }
                assertThat(get(cache, topic.toString())).isEqualTo(expected);
            }
        }
        assertThat(resolved).as("made again in the second round").hasSizeGreaterThan(1 << patterns.size());
    }

    @Test
    void shouldRefuseASizeThatIsNoPowerOfTwo() {
        assertThatIllegalArgumentException().isThrownBy(() -> cache(List.of(), 6));
        assertThatIllegalArgumentException().isThrownBy(() -> cache(List.of(), 2));
    }

    private TopicCache<List<Integer>> cache(List<TopicPattern> patterns, int topics) {
        return new TopicCache<>(
                TopicMatcher.of(patterns),
                matches -> {
                    resolved.add(matches);
                    return Arrays.stream(matches).boxed().toList();
                },
                topics);
    }

    private static List<Integer> get(TopicCache<List<Integer>> cache, String topic) {
        byte[] bytes = ("." + topic).getBytes(UTF_8);
        return cache.get(bytes, 1, bytes.length - 1);
    }
}
