package io.summarizer.bench.topics;

class TrieMatcherTest extends TopicMatcherConformance {
    @Override
    TopicMatcher matcher() {
        return new TrieMatcher();
    }
}
