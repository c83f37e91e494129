/**
 * The way of the data between threads. A {@link io.summarizer.core.pipeline.Pipeline} cuts, resets and reloads; its {@code Flow}
 * brings batches to rows: with lanes of parse queues, parser workers and owners, or on the receivers' threads under locks.
 *
 * <p>Receivers offer batches from event loops; parser workers and owners run on threads of this package; the cut
 * coordinator runs on whichever thread asks for a cut, never on one of those.
 */
@NullMarked
package io.summarizer.core.pipeline;

import org.jspecify.annotations.NullMarked;
