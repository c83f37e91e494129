package io.summarizer.bench.topics;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LazyDfaMatcherTest extends TopicMatcherConformance {
    private static final int MOST_EDGES = 50;

    /** Keeps so few edges that the random tests drop them now and then. */
    @Override
    TopicMatcher matcher() {
        return new LazyDfaMatcher(MOST_EDGES);
    }

    @Test
    void keepsEdgesWithinTheirBound() {
        LazyDfaMatcher matcher = new LazyDfaMatcher(MOST_EDGES);
        int words = 2;
        for (int i = 0; i < 1_000; i++) {
            matcher.subscribe(Pattern.of(i + ".#"), i);
        }
        for (int i = 0; i < 1_000; i++) {
            assertThat(match(matcher, i + ".x")).containsExactly(i);
            assertThat(matcher.edges).isBetween(1, MOST_EDGES + words);
        }
    }

    @Test
    void knowsTheSameTopicsByTheSameEdges() {
        LazyDfaMatcher matcher = new LazyDfaMatcher();
        matcher.subscribe(Pattern.of("a.*.#"), 1);
        match(matcher, "a.one.x");
        int edges = matcher.edges;
        assertThat(match(matcher, "a.two.x")).containsExactly(1);
        assertThat(matcher.edges).as("words that no pattern names are one").isEqualTo(edges);
    }
}
