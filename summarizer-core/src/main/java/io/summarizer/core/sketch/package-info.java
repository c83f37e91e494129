/**
 * Sketches: sets that estimate their number of distinct elements. The entry point is {@link
 * io.summarizer.core.sketch.MultisetArena}, which holds all sets of one column of one partition.
 *
 * <p>{@link io.summarizer.core.sketch.HllWriter} writes sets in the format of the HLL storage specification, for
 * PostgreSQL and others. The tests read these sets back.
 *
 * <p>Only the thread that owns the partition writes an arena. A {@code View} that was taken at a cut is immutable, and
 * any thread may read it. Imports {@code bytes} and {@code snapshot}.
 */
@NullMarked
package io.summarizer.core.sketch;

import org.jspecify.annotations.NullMarked;
