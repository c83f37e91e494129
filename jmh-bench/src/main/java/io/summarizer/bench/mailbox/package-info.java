/**
 * Ways for several threads to update one state: a lock, a lock for each part of it, and an actor that is its only owner
 * and reads a mailbox. All implement {@code Desk}, and only JMH runs them. The mode {@code inline} uses a lock for each
 * part, the mode {@code queued} uses actors.
 */
@NullMarked
package io.summarizer.bench.mailbox;

import org.jspecify.annotations.NullMarked;
