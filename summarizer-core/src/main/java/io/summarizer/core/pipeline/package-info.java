/**
 * The data path between threads. {@link io.summarizer.core.pipeline.Pipeline} is the door. Its {@code Flow} brings
 * batches to rows: with pipelines of parse queues, parser workers and owners, or on the receivers' threads under locks;
 * its {@code CutCoordinator} performs cuts, resets and reloads.
 *
 * <p>Receivers offer batches from event loops; parser workers and owners run on threads of this package; the cut
 * coordinator runs on the thread that requests a cut, never on one of those; any thread may read gauges.
 */
@NullMarked
package io.summarizer.core.pipeline;

import org.jspecify.annotations.NullMarked;
