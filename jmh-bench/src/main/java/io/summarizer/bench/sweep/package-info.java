/**
 * Sweeps, which measure real servers from outside. Each server has the configuration of one point and a process of its
 * own.
 *
 * <p>A {@link io.summarizer.bench.sweep.SweepPlan} chooses the next {@link io.summarizer.bench.sweep.Point}, a {@link
 * io.summarizer.bench.sweep.Measurer} visits it, {@link io.summarizer.bench.sweep.Results} keeps the rows, and {@link
 * io.summarizer.bench.sweep.Sweeper} continues until the plan or the time ends. All of them run on one thread. Only the
 * samples of a server are taken on other threads.
 */
@NullMarked
package io.summarizer.bench.sweep;

import org.jspecify.annotations.NullMarked;
