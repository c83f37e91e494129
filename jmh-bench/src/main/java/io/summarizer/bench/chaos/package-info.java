/**
 * Tests whether an acknowledged event is ever lost or counted twice: numbered events go over RELP to a service that is
 * killed, stopped, cut off, left without disk space and damaged, and a book has the events that the service must have.
 * The entry points are {@link io.summarizer.bench.chaos.ChaosRun} and {@link io.summarizer.bench.chaos.HostileRun},
 * which attacks the service. Each runs on its caller's thread; senders, the relay and hostile clients have threads of
 * their own, and publish their progress in volatile numbers.
 */
@NullMarked
package io.summarizer.bench.chaos;

import org.jspecify.annotations.NullMarked;
