/**
 * The family of topic matchers: who subscribed to the topic of a message. One door, {@link
 * io.summarizer.bench.topics.TopicMatcher}, and behind it every structure that brokers are known to use, so that they can
 * be tested by one suite and measured on the same work. {@code bin/bench topics} measures them.
 *
 * <p>{@link io.summarizer.bench.topics.CsTrie}, {@link io.summarizer.bench.topics.RebuiltMatcher} and {@link
 * io.summarizer.bench.topics.MoquetteMatcher} may be shared by threads as they are; the others are put behind a lock
 * ({@link io.summarizer.bench.topics.LockedMatcher}) where several threads use them.
 */
@NullMarked
package io.summarizer.bench.topics;

import org.jspecify.annotations.NullMarked;
