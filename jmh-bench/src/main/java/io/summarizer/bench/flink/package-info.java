/**
 * Jobs on a Flink cluster to measure: our job, as {@code bin/summarizer flink try} runs it, and Flink SQL. Used by the
 * thread of a command; each job is a process of its own, on Java 17 or 21.
 */
@NullMarked
package io.summarizer.bench.flink;

import org.jspecify.annotations.NullMarked;
