/**
 * Whether anything that was acknowledged is ever lost or counted twice: numbered events by RELP into a service that is killed,
 * stopped, cut off, starved of disk and damaged, and a book of what it has to have. The doors are {@link
 * io.summarizer.bench.chaos.ChaosRun} and {@link io.summarizer.bench.chaos.HostileRun}, which attacks the service instead; each runs on its
 * caller's thread; senders, the relay and hostile clients have threads of
 * their own, and tell by volatile numbers how far they are.
 */
@NullMarked
package io.summarizer.bench.chaos;

import org.jspecify.annotations.NullMarked;
