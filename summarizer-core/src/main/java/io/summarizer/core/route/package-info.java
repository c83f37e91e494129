/**
 * Topics and topic patterns (AMQP topic exchange): they decide to which event type, and to which of its mappings, a
 * message belongs.
 *
 * <p>{@link io.summarizer.core.route.TopicMatcher} holds all patterns, compiled to one automaton, and is shared; each
 * parser worker matches through its own lookup and cache, and gets a {@link io.summarizer.core.route.Route}.
 * {@code jmh-bench} has other ways to match, as baselines.
 */
@NullMarked
package io.summarizer.core.route;

import org.jspecify.annotations.NullMarked;
