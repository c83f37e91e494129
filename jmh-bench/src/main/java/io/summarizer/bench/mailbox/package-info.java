/**
 * Ways for several threads to update one state: a lock, a lock for each part of it, and an actor that alone owns it and reads a
 * mailbox. All implement {@code Desk}, and nothing but JMH runs them. The last two are what modes {@code inline} and {@code queued}
 * are made of.
 */
@NullMarked
package io.summarizer.bench.mailbox;

import org.jspecify.annotations.NullMarked;
