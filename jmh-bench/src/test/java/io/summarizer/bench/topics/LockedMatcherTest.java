package io.summarizer.bench.topics;

class LockedMatcherTest extends TopicMatcherConformance {
    @Override
    TopicMatcher matcher() {
        return new LockedMatcher(new TrieMatcher());
    }
}
