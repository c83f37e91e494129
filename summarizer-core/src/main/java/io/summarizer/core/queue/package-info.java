/**
 * Bounded queues of batches between two stages, behind one interface and chosen by name.
 *
 * <p>The unit is a batch, so a queue sees thousands of hand-overs a second, not millions. Imports nothing of ours.
 */
@NullMarked
package io.summarizer.core.queue;

import org.jspecify.annotations.NullMarked;
