/**
 * Conclusions from a sweep's results: medians, the noise of repeats, and the advised settings. One thread. The package
 * draws no pictures. It imports the model of a sweep, such as {@link io.summarizer.bench.sweep.Point} and {@link
 * io.summarizer.bench.sweep.Results}, but no class that measures.
 */
@NullMarked
package io.summarizer.bench.advice;

import org.jspecify.annotations.NullMarked;
