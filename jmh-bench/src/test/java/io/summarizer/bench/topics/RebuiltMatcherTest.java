package io.summarizer.bench.topics;

class RebuiltMatcherTest extends TopicMatcherConformance {
    @Override
    TopicMatcher matcher() {
        return new RebuiltMatcher(false);
    }
}
