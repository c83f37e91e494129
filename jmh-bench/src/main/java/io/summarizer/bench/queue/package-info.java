/**
 * Measures the cost of queues: throughput and latency by kind, capacity, producers and consumers; round trips for each
 * wait policy; and false sharing. Also compares data in a ring's slots with references in the slots, and shows the
 * growth of an unbounded queue. {@code bin/bench queues} runs these JMH benchmarks and a section in a JVM of its own.
 */
@NullMarked
package io.summarizer.bench.queue;

import org.jspecify.annotations.NullMarked;
