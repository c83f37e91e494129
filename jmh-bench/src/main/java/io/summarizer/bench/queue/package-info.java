/**
 * What queues cost: throughput and latency by kind, capacity, producers and consumers; a round trip by way of waiting; what
 * false sharing costs; data in the slots of a ring against references; and why a queue without a bound is not offered. JMH
 * benchmarks, and sections that {@code bin/bench queues} runs in JVMs of their own.
 */
@NullMarked
package io.summarizer.bench.queue;

import org.jspecify.annotations.NullMarked;
