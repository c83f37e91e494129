/**
 * Evaluation: records of the source become updates by key group. {@link io.summarizer.flink.evaluate.EvaluateOperator}
 * runs in the task of the source, and does what a parser worker does in a service.
 */
@NullMarked
package io.summarizer.flink.evaluate;

import org.jspecify.annotations.NullMarked;
