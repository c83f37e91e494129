/**
 * Sweeps, which measure real servers from outside. Each server runs in a process of its own, configured as one point.
 *
 * <p>A {@link io.summarizer.bench.sweep.SweepPlan} chooses the next {@link io.summarizer.bench.sweep.Point}, a {@link
 * io.summarizer.bench.sweep.Measurer} visits it, {@link io.summarizer.bench.sweep.Results} keeps the rows, and {@link
 * io.summarizer.bench.sweep.Sweeper} continues until the plan or the time ends. All of it runs on one thread, except
 * for the threads that sample a server while it is measured.
 */
@NullMarked
package io.summarizer.bench.sweep;

import org.jspecify.annotations.NullMarked;
