/**
 * Sketches: sets that estimate their number of distinct elements. The entry point is {@link
 * io.summarizer.core.sketch.MultisetArena}, which holds all sets of one column of one partition.
 *
 * <p>{@link io.summarizer.core.sketch.HllWriter} writes sets for PostgreSQL and others in the bytes of the HLL storage
 * specification; the tests read them back.
 *
 * <p>An arena is written by the owner thread of its partition; a {@code View} taken at a cut is immutable and may be
 * read by any thread. Imports {@code io.summarizer.core.bytes} only.
 */
@NullMarked
package io.summarizer.core.sketch;

import org.jspecify.annotations.NullMarked;
