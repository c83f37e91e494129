/**
 * Ids of events that are counted once: the hash of an id, the recently seen ids, and the saved form of ids.
 *
 * <p>{@link io.summarizer.core.dedup.SeenIds} is the entry point. A parser worker hashes ids ({@link
 * io.summarizer.core.dedup.IdHash}). The owner of a partition of a summary looks ids up in the partition's {@link
 * io.summarizer.core.dedup.RecentIds}, which no other thread writes. A checkpoint reads frozen views of the recent ids,
 * and a start reads the saved ids ({@link io.summarizer.core.dedup.SavedIds}). Imports {@code bytes}, {@code snapshot}
 * and {@code store}.
 */
@NullMarked
package io.summarizer.core.dedup;

import org.jspecify.annotations.NullMarked;
