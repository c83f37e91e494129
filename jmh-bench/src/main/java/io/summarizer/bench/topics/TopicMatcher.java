package io.summarizer.bench.topics;

/**
 * A mutable set of subscriptions, each a pattern and the number of a subscriber, that finds those whose pattern matches a
 * topic. Patterns are those of an AMQP topic exchange: words by dots, {@code *} is exactly one word, {@code #} zero or
 * more, anywhere and repeatedly; words are compared as bytes, and an empty word is a word.
 *
 * <p>Not thread-safe unless an implementation says so.
 */
public interface TopicMatcher {
    /**
     * Adds a subscription.
     *
     * @return false if it was there already
     * @throws IllegalArgumentException if this kind of matcher cannot hold such a pattern; the message says why
     */
    boolean subscribe(Pattern pattern, int subscriber);

    /**
     * Removes a subscription.
     *
     * @return false if it was not there
     */
    boolean unsubscribe(Pattern pattern, int subscriber);

    /**
     * Finds the subscriptions that match the topic in {@code bytes[offset, offset + length)}: {@code found} is cleared, then
     * holds the subscriber of each of them, once for each subscription, in no stated order.
     */
    void match(byte[] bytes, int offset, int length, Matches found);

    /** A matcher with the same subscriptions as this one now has; neither sees what becomes of the other. */
    TopicMatcher snapshot();

    /**
     * Parts that this holds for its subscriptions: nodes, states, rows, interned words. What it comes to when there are no
     * subscriptions is the same whatever was there before, or something leaked. Walks everything.
     */
    int parts();

    /** Whether lookups change the matcher, so that not even two of them may run at the same time. */
    default boolean lookupsWrite() {
        return false;
    }
}
