/**
 * Keyed aggregates: what a summary is made of ({@code SummaryLayout}), how an update travels to its owner
 * ({@code KeyBuffer}, {@code UpdateBatch}) and where it lands ({@code SummaryStore}, one for each partition of a summary).
 *
 * <p>Layouts are immutable. A store is written by its owner thread only; a view taken at a cut may be read by any thread.
 */
@NullMarked
package io.summarizer.core.store;

import org.jspecify.annotations.NullMarked;
