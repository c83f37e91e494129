/**
 * The topic matchers: structures that find the subscribers to the topic of a message. The entry point is {@link
 * io.summarizer.bench.topics.TopicMatcher}; its implementations cover all structures that brokers are known to use. One
 * suite tests all implementations, and {@code bin/bench topics} measures them on the same work.
 *
 * <p>{@link io.summarizer.bench.topics.CsTrie}, {@link io.summarizer.bench.topics.RebuiltMatcher} and {@link
 * io.summarizer.bench.topics.MoquetteMatcher} are thread-safe. The others need a lock ({@link
 * io.summarizer.bench.topics.LockedMatcher}) if several threads use them.
 */
@NullMarked
package io.summarizer.bench.topics;

import org.jspecify.annotations.NullMarked;
