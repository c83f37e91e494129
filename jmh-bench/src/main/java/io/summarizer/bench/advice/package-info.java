/**
 * Conclusions from a sweep's results: medians, the noise of repeats, and the settings that they advise. One thread; no
 * drawing. Imports the sweep's model, {@link io.summarizer.bench.sweep.Point} to {@link
 * io.summarizer.bench.sweep.Results}, and nothing that measures.
 */
@NullMarked
package io.summarizer.bench.advice;

import org.jspecify.annotations.NullMarked;
