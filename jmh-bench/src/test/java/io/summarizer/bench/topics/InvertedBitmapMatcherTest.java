package io.summarizer.bench.topics;

class InvertedBitmapMatcherTest extends TopicMatcherConformance {
    @Override
    TopicMatcher matcher() {
        return new InvertedBitmapMatcher(topicSpace());
    }

    @Override
    boolean takesHash() {
        return false;
    }

    @Override
    boolean isUnbound() {
        return false;
    }
}
