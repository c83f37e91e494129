package io.summarizer.bench.topics;

import java.util.Collection;
import java.util.Locale;

/** The matchers that are measured. */
enum Contender {
    NAIVE,
    INVERTED_BITMAP,
    OPTIMIZED_BITMAP,
    TRIE,
    CS_TRIE,
    NFA,
    LAZY_DFA,
    OURS,
    OURS_CACHED,
    MOQUETTE;

    /** Returns the contender with this label. */
    static Contender of(String label) {
        return valueOf(label.toUpperCase(Locale.ROOT).replace('-', '_'));
    }

    /**
     * Makes a matcher without subscriptions, for topics of at most {@code mostWords} words. {@code topics} are the
     * possible topics, which only the inverted bitmap needs.
     */
    TopicMatcher matcher(Collection<String> topics, int mostWords) {
        return switch (this) {
            case NAIVE -> new NaiveMatcher();
            case INVERTED_BITMAP -> new InvertedBitmapMatcher(topics);
            case OPTIMIZED_BITMAP -> new OptimizedBitmapMatcher(mostWords);
            case TRIE -> new TrieMatcher();
            case CS_TRIE -> new CsTrie();
            case NFA -> new NfaMatcher();
            case LAZY_DFA -> new LazyDfaMatcher();
            case OURS -> new RebuiltMatcher(false);
            case OURS_CACHED -> new RebuiltMatcher(true);
            case MOQUETTE -> new MoquetteMatcher();
        };
    }

    /** Makes a matcher that threads may share: a thread-safe matcher, or another matcher under a lock. */
    TopicMatcher shared(Collection<String> topics, int mostWords) {
        TopicMatcher matcher = matcher(topics, mostWords);
        return switch (this) {
            case CS_TRIE, OURS, OURS_CACHED, MOQUETTE -> matcher;
            default -> new LockedMatcher(matcher);
        };
    }

    /** Whether patterns may contain {@code #}. */
    boolean takesHash() {
        return this != INVERTED_BITMAP && this != OPTIMIZED_BITMAP;
    }

    /** The name in figures. */
    String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
