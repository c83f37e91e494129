/**
 * The data that all operators of a job share: the definitions and options that the client sent, the plan that a worker
 * compiles from them, and the names of metrics.
 */
@NullMarked
package io.summarizer.flink.job;

import org.jspecify.annotations.NullMarked;
