/**
 * The way of the data between threads: parse queue, parser workers behind their gates, owner queues, owners, cuts.
 *
 * <p>Receivers offer batches from event loops; parser workers and owners run on threads of this package; the cut
 * coordinator runs on whichever thread asks for a cut, never on one of those.
 */
@NullMarked
package io.summarizer.core.pipeline;

import org.jspecify.annotations.NullMarked;
