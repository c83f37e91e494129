/**
 * Ways for several threads to update one state: a lock, a lock for each part of the state, and an actor that alone owns
 * the state and reads a mailbox. All implement {@code Desk}, and only JMH runs them. The service's mode {@code inline}
 * uses a lock for each part; its mode {@code queued} uses actors.
 */
@NullMarked
package io.summarizer.bench.mailbox;

import org.jspecify.annotations.NullMarked;
