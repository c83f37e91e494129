/**
 * Bounded queues of batches between two stages, behind one interface and chosen by name.
 * <pre>
 *   QueueKind --makes--> BatchQueue
 *                            AbstractBatchQueue --asks--> ProducerDoor    closing
 *                                               --waits-> ConsumerWait    ParkingWait, SpinningWait
 *                                LockedBatchQueue                 abq, lbq
 *                                LockFreeBatchQueue               mpmc, mpsc
 *                                BatchRing: SharedRing, SingleConsumerRing    disruptor
 * WeighedQueue, in front of one of these, bounds bytes
 * </pre>
 * The elements are batches, not messages, so a queue sees thousands of hand-overs a second, not millions. Producers and
 * consumers call from their own threads; this package has none. {@link io.summarizer.core.queue.Threads} makes them
 * for other packages. Imports no other package of the project.
 */
@NullMarked
package io.summarizer.core.queue;

import org.jspecify.annotations.NullMarked;
