/**
 * Topics and topic patterns (AMQP topic exchange): which event type, and which of its mappings, a message belongs to.
 *
 * <p>{@link io.summarizer.core.route.TopicMatcher} holds all patterns, compiled to one automaton, and is shared; each parser
 * worker matches through a lookup and a cache of its own, and gets a {@link io.summarizer.core.route.Route}. Other ways to match,
 * measured beside this one, are in {@code jmh-bench}.
 */
@NullMarked
package io.summarizer.core.route;

import org.jspecify.annotations.NullMarked;
