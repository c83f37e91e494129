package io.summarizer.bench.topics;

class OptimizedBitmapMatcherTest extends TopicMatcherConformance {
    @Override
    TopicMatcher matcher() {
        return new OptimizedBitmapMatcher(MOST_WORDS);
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
