/**
 * Keyed aggregates: the shape of a summary ({@code SummaryLayout}), updates on their way to its owner
 * ({@code KeyBuffer}, {@code UpdateBatch}) and the rows ({@code SummaryStore}, one for each partition of a summary).
 *
 * <p>Layouts are immutable. A store is written by its owner thread only; a view taken at a cut may be read by any
 * thread.
 */
@NullMarked
package io.summarizer.core.store;

import org.jspecify.annotations.NullMarked;
