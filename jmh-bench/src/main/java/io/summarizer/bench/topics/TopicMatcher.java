package io.summarizer.bench.topics;

/**
 * A mutable set of subscriptions. A lookup finds the subscriptions whose pattern matches a topic. A subscription
 * consists of a pattern and the number of a subscriber. Patterns have the form that AMQP topic exchanges use: words
 * separated by dots. {@code *} stands for exactly one word, {@code #} for zero or more words. Both may occur anywhere
 * and repeatedly. Words are compared as bytes, and an empty word is a word.
 *
 * <p>Not thread-safe unless an implementation says so.
 */
public interface TopicMatcher {
    /**
     * Adds a subscription.
     *
     * @return false if the subscription was there already
     * @throws IllegalArgumentException if this kind of matcher cannot hold such a pattern; the message says why
     */
    boolean subscribe(Pattern pattern, int subscriber);

    /**
     * Removes a subscription.
     *
     * @return false if the subscription was not there
     */
    boolean unsubscribe(Pattern pattern, int subscriber);

    /**
     * Finds the subscriptions that match the topic in {@code bytes[offset, offset + length)}. Clears {@code found},
     * then adds the subscriber of each such subscription, in any order. A subscriber with several matching
     * subscriptions is added several times.
     */
    void match(byte[] bytes, int offset, int length, Matches found);

    /**
     * Number of parts that this matcher holds for its subscriptions: nodes, states, rows, interned words. When all
     * subscriptions have been removed, the number must be as small as in a new matcher; otherwise there is a leak. The
     * method walks all parts.
     */
    int parts();

    /** Whether lookups change the matcher, so that no two lookups may run at the same time. */
    default boolean lookupsWrite() {
        return false;
    }
}
