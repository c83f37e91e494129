package io.summarizer.core.route;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

class TopicMatcherTest {
    /** Words of all lengths around eight bytes, where the scan and the table of words switch methods. */
    private static final String[] WORDS = {
        "",
        "a",
        "b",
        "ab",
        "seven77",
        "eight888",
        "eight889",
        "nine99999",
        "sixteen161616161",
        "seventeen17171717",
        "ü",
        "übermäßig-lang",
        "A",
        "a\0",
        "\0"
    };

    @RepeatedTest(30)
    void shouldFindThePatternsThatMatch() {
        long seed = new SplittableRandom().nextLong();
        SplittableRandom random = new SplittableRandom(seed);
        int alphabet = random.nextInt(1, WORDS.length + 1);
        List<TopicPattern> patterns = new ArrayList<>();
        for (int i = random.nextInt(60); i >= 0; i--) {
            patterns.add(TopicPattern.of(randomText(random, alphabet, random.nextInt(1, 8), true)));
        }
        TopicLookup lookup = TopicMatcher.of(patterns).newLookup();
        for (int i = 0; i < 500; i++) {
            String topic = randomText(random, alphabet + 1, random.nextInt(1, 9), false);
            assertThat(matches(lookup, random, topic))
                    .as("seed %d: %s in %s", seed, topic, patterns)
                    .isEqualTo(expected(patterns, topic));
        }
    }

    @Test
    void shouldScanTopicsThatEndWhereTheirArrayEnds() {
        List<TopicPattern> patterns = List.of(TopicPattern.of("a.*.eight888"), TopicPattern.of("#.nine99999"));
        TopicLookup lookup = TopicMatcher.of(patterns).newLookup();
        for (String topic :
                List.of("a.b.eight888", "a..eight888", "nine99999", "a", "", ".", "a.b.eight88", "a.b.nine99999")) {
            byte[] bytes = topic.getBytes(UTF_8);
            assertThat(matches(lookup, bytes, 0, bytes.length)).as(topic).isEqualTo(expected(patterns, topic));
        }
    }

    @Test
    void shouldTakeTopicsOfMoreWordsThanLengthsAreKeptFor() {
        List<TopicPattern> patterns = new ArrayList<>();
        for (int words : new int[] {31, 32, 33, 62, 63, 64, 65, 100}) {
            patterns.add(TopicPattern.of("*.".repeat(words - 1) + "a"));
            patterns.add(TopicPattern.of("*.".repeat(words - 1) + "#"));
            patterns.add(TopicPattern.of("a.".repeat(words)));
        }
        TopicLookup lookup = TopicMatcher.of(patterns).newLookup();
        for (int words = 1; words <= 130; words++) {
            String topic = "a.".repeat(words - 1) + "a";
            byte[] bytes = topic.getBytes(UTF_8);
            assertThat(matches(lookup, bytes, 0, bytes.length))
                    .as("%d words", words)
                    .isEqualTo(expected(patterns, topic));
        }
    }

    @Test
    void shouldMatchPatternsOfThirtyHashesInTimeThatGrowsWithTheTopicOnly() {
        List<TopicPattern> patterns = List.of(
                TopicPattern.of("#.a.".repeat(30) + "b"),
                TopicPattern.of("#.*.".repeat(30) + "c"),
                TopicPattern.of("#.".repeat(30) + "a.#"));
        TopicLookup lookup = TopicMatcher.of(patterns).newLookup();
        byte[] topic = ("a.".repeat(2_000) + "c").getBytes(UTF_8);
        assertThat(matches(lookup, topic, 0, topic.length)).containsExactly(1, 2);
    }

    @Test
    void shouldNameEachOfManyEqualPatternsOnce() {
        List<TopicPattern> patterns = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
            patterns.add(TopicPattern.of(i % 2 == 0 ? "#.*.a" : "*.#.a"));
        }
        TopicLookup lookup = TopicMatcher.of(patterns).newLookup();
        byte[] topic = "x.y.a".getBytes(UTF_8);
        assertThat(matches(lookup, topic, 0, topic.length))
                .isEqualTo(IntStream.range(0, 20_000).boxed().toList());
    }

    @Test
    void shouldTellFollowersApartThatShareABit() {
        List<TopicPattern> patterns = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            patterns.add(TopicPattern.of("#.w" + i));
            patterns.add(TopicPattern.of("w" + i + ".#.w" + (i * 7 + 1) % 200 + ".*"));
        }
        TopicLookup lookup = TopicMatcher.of(patterns).newLookup();
        for (int i = 0; i < 400; i++) {
            String topic = "w" + i % 200 + ".w" + (i % 200 * 7 + 1 + i / 200 * 64) % 200 + ".w" + i;
            byte[] bytes = topic.getBytes(UTF_8);
            assertThat(matches(lookup, bytes, 0, bytes.length)).as(topic).isEqualTo(expected(patterns, topic));
        }
    }

    @Test
    void shouldMatchNothingWithoutPatterns() {
        byte[] topic = "a.b".getBytes(UTF_8);
        assertThat(TopicMatcher.of(List.of()).newLookup().match(topic, 0, topic.length))
                .isZero();
    }

    @Test
    void shouldGoOnWhenStampsRunOut() {
        List<TopicPattern> patterns =
                List.of(TopicPattern.of("#.a.#.b"), TopicPattern.of("#"), TopicPattern.of("#.b.#"));
        TopicLookup lookup = TopicMatcher.of(patterns).newLookup();
        byte[] topic = "a.b.a.b".getBytes(UTF_8);
        lookup.startStamps(Integer.MAX_VALUE - 20);
        for (int i = 0; i < 10; i++) {
            assertThat(matches(lookup, topic, 0, topic.length)).containsExactly(0, 1, 2);
        }
        assertThat(lookup.startStamps(0)).isLessThan(100);
    }

    static List<Integer> expected(List<TopicPattern> patterns, String topic) {
        return IntStream.range(0, patterns.size())
                .filter(i -> patterns.get(i).matches(topic))
                .boxed()
                .toList();
    }

    static String randomText(SplittableRandom random, int alphabet, int words, boolean pattern) {
        List<String> text = new ArrayList<>();
        for (int i = 0; i < words; i++) {
            int kind = pattern ? random.nextInt(6) : 5;
            int word = random.nextInt(alphabet);
            text.add(
                    kind == 0
                            ? "#"
                            : kind == 1 ? "*" : word < WORDS.length ? WORDS[word] : "unknown" + random.nextInt(3));
        }
        return String.join(".", text);
    }

    private static List<Integer> matches(TopicLookup lookup, SplittableRandom random, String topic) {
        byte[] bytes = topic.getBytes(UTF_8);
        byte[] within = new byte[bytes.length + random.nextInt(12)];
        Arrays.fill(within, (byte) '.');
        int offset = random.nextInt(within.length - bytes.length + 1);
        System.arraycopy(bytes, 0, within, offset, bytes.length);
        return matches(lookup, within, offset, bytes.length);
    }

    private static List<Integer> matches(TopicLookup lookup, byte[] bytes, int offset, int length) {
        int count = lookup.match(bytes, offset, length);
        return IntStream.of(Arrays.copyOf(lookup.matches(), count))
                .sorted()
                .boxed()
                .toList();
    }
}
