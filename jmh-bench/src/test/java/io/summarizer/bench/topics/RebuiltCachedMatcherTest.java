package io.summarizer.bench.topics;

class RebuiltCachedMatcherTest extends TopicMatcherConformance {
    @Override
    TopicMatcher matcher() {
        return new RebuiltMatcher(true);
    }
}
