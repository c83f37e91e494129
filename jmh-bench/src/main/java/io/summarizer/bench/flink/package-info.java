/**
 * Measured jobs on a Flink cluster: our job, as {@code bin/summarizer flink try} runs it, and Flink SQL. Each job is a
 * process of its own, on Java 17 or 21. Only the thread of a command uses this package.
 */
@NullMarked
package io.summarizer.bench.flink;

import org.jspecify.annotations.NullMarked;
