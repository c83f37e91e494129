/**
 * Jobs on a Flink cluster that are measured: our job, as {@code bin/summarizer flink try} runs it, and Flink SQL. One
 * thread, that of a command, uses this package. Each job is a process of its own, on Java 17 or 21.
 */
@NullMarked
package io.summarizer.bench.flink;

import org.jspecify.annotations.NullMarked;
