/**
 * Topics and topic patterns, as in an AMQP topic exchange. They determine the event type of a message, and the mappings
 * that take the message.
 *
 * <p>{@link io.summarizer.core.route.TopicMatcher} holds all patterns, compiled to one automaton, and all threads share
 * it. Each parser worker matches through its own lookup and cache, and gets a {@link io.summarizer.core.route.Route}.
 * {@code jmh-bench} has other matchers, as baselines.
 */
@NullMarked
package io.summarizer.core.route;

import org.jspecify.annotations.NullMarked;
