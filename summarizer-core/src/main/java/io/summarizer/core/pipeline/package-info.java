/**
 * The data path between threads. {@link io.summarizer.core.pipeline.Pipeline} is the entry point. Its {@code Flow}
 * brings batches to rows, either through parse queues, parser workers and owners, or on the receivers' threads under
 * locks. Its {@code CutCoordinator} performs cuts, resets and reloads.
 *
 * <p>Receivers offer batches from event loops. Parser workers and owners run on threads of this package. The cut
 * coordinator runs on the thread that requests a cut, which is never an event loop, parser worker or owner. Any thread
 * may read gauges.
 */
@NullMarked
package io.summarizer.core.pipeline;

import org.jspecify.annotations.NullMarked;
