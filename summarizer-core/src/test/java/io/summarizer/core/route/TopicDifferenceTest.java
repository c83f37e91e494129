package io.summarizer.core.route;

import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.core.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TopicDifferenceTest {
    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '\'',
            value = {
                "ad.click.#, ad.clik.us, 1, 'word 2 is \"clik\", not \"click\"'",
                "ad.click.us, ad.click, 1, 'ends where the pattern goes on with \"us\"'",
                "ad.click, ad.click.us, 1, 'word 3 is \"us\" where the pattern has ended'",
                "ad.*.us, ad.click.de, 1, 'word 3 is \"de\", not \"us\"'",
                "ad.*, ad, 1, 'ends where the pattern goes on with some word'",
                "#.a.#.b, x.a.x.c, 1, 'ends where the pattern goes on with \"a\" or \"b\"'",
                "ad.click.#, shop.order, 2, 'word 1 is \"shop\", not \"ad\"'",
            })
    void saysWhereTheTopicLeavesThePattern(String pattern, String topic, int distance, String text) {
        TopicDifference difference = TopicDifference.of(TopicPattern.of(pattern), topic);
        assertThat(difference.describe(topic)).isEqualTo(text);
        assertThat(difference.distance()).isEqualTo(distance);
    }

    @Test
    void theDistanceIsZeroJustWhereThePatternMatches() {
        long seed = Seeds.first();
        Random random = new Random(seed);
        int matches = 0;
        for (int i = 0; i < 20_000; i++) {
            TopicPattern pattern = TopicPattern.of(words(random, List.of("a", "b", "", "*", "#")));
            String topic = words(random, List.of("a", "b", ""));
            boolean isMatch = topic.isEmpty() ? pattern.matchesNoTopic() : pattern.matches(topic);
            matches += isMatch ? 1 : 0;
            assertThat(TopicDifference.of(pattern, topic).distance() == 0)
                    .as("%s against %s, seed %d", topic, pattern, seed)
                    .isEqualTo(isMatch);
        }
        assertThat(matches).isBetween(1_000, 19_000);
    }

    private static String words(Random random, List<String> from) {
        List<String> words = new ArrayList<>();
        for (int left = 1 + random.nextInt(4); left > 0; left--) {
            words.add(from.get(random.nextInt(from.size())));
        }
        return String.join(".", words);
    }
}
