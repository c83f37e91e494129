/**
 * The cost of queues: throughput and latency by kind, capacity, producers and consumers; a round trip by way of
 * waiting; false sharing; data in the slots of a ring compared with references; and the growth of an unbounded queue.
 * JMH benchmarks, and sections that {@code bin/bench queues} runs in JVMs of their own.
 */
@NullMarked
package io.summarizer.bench.queue;

import org.jspecify.annotations.NullMarked;
