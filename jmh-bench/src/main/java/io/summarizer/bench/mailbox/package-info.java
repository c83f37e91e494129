/**
 * Ways for several threads to update one state: a lock, a lock for each part of it, and an actor that owns it alone and
 * reads a mailbox. All implement {@code Desk}, and only JMH runs them. Modes {@code inline} and {@code queued} use the
 * last two.
 */
@NullMarked
package io.summarizer.bench.mailbox;

import org.jspecify.annotations.NullMarked;
