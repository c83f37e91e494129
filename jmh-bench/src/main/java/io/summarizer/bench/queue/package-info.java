/**
 * Measures the cost of queues: throughput and latency by kind, capacity, producers and consumers; round trips by the
 * way of waiting; false sharing; data in the slots of a ring, compared with references; and the growth of an unbounded
 * queue. The package has JMH benchmarks, and a section that {@code bin/bench queues} runs in a JVM of its own.
 */
@NullMarked
package io.summarizer.bench.queue;

import org.jspecify.annotations.NullMarked;
