package io.summarizer.bench.topics;

class NaiveMatcherTest extends TopicMatcherConformance {
    @Override
    TopicMatcher matcher() {
        return new NaiveMatcher();
    }
}
