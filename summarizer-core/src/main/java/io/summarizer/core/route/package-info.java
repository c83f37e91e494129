/**
 * Topics and topic patterns (AMQP topic exchange): which event type, and which of its mappings, a message belongs to.
 *
 * <p>Everything shared is immutable; the cache of a parser worker is its own.
 */
@NullMarked
package io.summarizer.core.route;

import org.jspecify.annotations.NullMarked;
