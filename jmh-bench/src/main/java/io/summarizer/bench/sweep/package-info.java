/**
 * Sweeps: real servers in processes of their own, configured point by point, and measured from outside.
 *
 * <p>A {@link io.summarizer.bench.sweep.SweepPlan} says which {@link io.summarizer.bench.sweep.Point} is visited next, a
 * {@link io.summarizer.bench.sweep.Measurer} visits it, {@link io.summarizer.bench.sweep.Results} keeps what came of it, and
 * {@link io.summarizer.bench.sweep.Sweeper} goes on until the plan or the time ends. All on one thread but for those that
 * sample a server while it is measured.
 */
@NullMarked
package io.summarizer.bench.sweep;

import org.jspecify.annotations.NullMarked;
