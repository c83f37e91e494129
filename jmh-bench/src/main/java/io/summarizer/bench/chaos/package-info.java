/**
 * Tests whether an acknowledged event is ever lost or counted twice: numbered events go over RELP to a service that is
 * killed, stopped, cut off, starved of disk and damaged, and a book has the events that it must have. The entry points
 * are {@link io.summarizer.bench.chaos.ChaosRun} and {@link io.summarizer.bench.chaos.HostileRun}, which attacks the
 * service instead. Each runs on its caller's thread; senders, the relay and hostile clients have threads of their own,
 * and publish their progress in volatile numbers.
 */
@NullMarked
package io.summarizer.bench.chaos;

import org.jspecify.annotations.NullMarked;
