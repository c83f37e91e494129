package io.summarizer.bench.topics;

import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** The matchers without tests of their own; Moquette's has other patterns. */
@ParameterizedClass
@EnumSource(
        value = Contender.class,
        names = {"CS_TRIE", "LAZY_DFA", "MOQUETTE"},
        mode = Mode.EXCLUDE)
class TopicMatchersTest extends TopicMatcherConformance {
    private final Contender contender;

    TopicMatchersTest(Contender contender) {
        this.contender = contender;
    }

    @Override
    TopicMatcher matcher() {
        return contender.matcher(topicSpace(), MOST_WORDS);
    }

    @Override
    boolean takesHash() {
        return contender.takesHash();
    }

    /** The matchers with bitmaps are bound, and take no hash. */
    @Override
    boolean isUnbound() {
        return contender.takesHash();
    }
}
