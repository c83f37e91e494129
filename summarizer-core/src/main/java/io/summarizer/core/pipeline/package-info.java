/**
 * The way of the data between threads. {@link io.summarizer.core.pipeline.Pipeline} is the door. Behind it a {@code Flow} brings
 * batches to rows: with lanes of parse queues, parser workers and owners, or on the receivers' threads under locks; and a {@code
 * CutCoordinator} takes cuts, resets and reloads.
 *
 * <p>Receivers offer batches from event loops; parser workers and owners run on threads of this package; the cut
 * coordinator runs on whichever thread asks for a cut, never on one of those; gauges may be read by any.
 */
@NullMarked
package io.summarizer.core.pipeline;

import org.jspecify.annotations.NullMarked;
