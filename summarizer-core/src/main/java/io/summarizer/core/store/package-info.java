/**
 * Keyed aggregates: the shape of a summary ({@code SummaryLayout}), updates that parser workers send to owners ({@code
 * KeyBuffer}, {@code UpdateBatch}), and the rows ({@code SummaryStore}, one for each partition of a summary,
 * or for each of its windows; the windows of a partition share {@code StoreTables}).
 *
 * <p>Layouts are immutable. Only the owner thread writes a store; any thread may read a view that was taken at a cut.
 */
@NullMarked
package io.summarizer.core.store;

import org.jspecify.annotations.NullMarked;
