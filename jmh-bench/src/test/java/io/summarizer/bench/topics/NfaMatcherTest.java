package io.summarizer.bench.topics;

class NfaMatcherTest extends TopicMatcherConformance {
    @Override
    TopicMatcher matcher() {
        return new NfaMatcher();
    }
}
