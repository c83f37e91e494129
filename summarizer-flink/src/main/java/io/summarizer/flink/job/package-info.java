/**
 * The common knowledge of all operators of a job: the definitions and options that the client sent, the plan that a
 * worker compiles from them, the names of metrics.
 */
@NullMarked
package io.summarizer.flink.job;

import org.jspecify.annotations.NullMarked;
