/**
 * Tests whether an acknowledged event is ever lost or counted twice. Senders send numbered events to a service over
 * RELP. Meanwhile the service is killed, stopped, cut off from its senders or left without disk space, or its files are
 * damaged. A book records which events the service must have. The entry points are {@link
 * io.summarizer.bench.chaos.ChaosRun} for failures, {@link io.summarizer.bench.chaos.WindowsRun} for kills while
 * windows close, {@link io.summarizer.bench.chaos.HostileRun} for attacks, and {@link
 * io.summarizer.bench.chaos.YearRun} for a year of windows. All run on the caller's thread. Senders, the relay and
 * hostile clients have threads of their own, and publish their progress in volatile fields.
 */
@NullMarked
package io.summarizer.bench.chaos;

import org.jspecify.annotations.NullMarked;
