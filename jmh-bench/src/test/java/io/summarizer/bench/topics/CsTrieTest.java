package io.summarizer.bench.topics;

class CsTrieTest extends TopicMatcherConformance {
    @Override
    TopicMatcher matcher() {
        return new CsTrie();
    }
}
