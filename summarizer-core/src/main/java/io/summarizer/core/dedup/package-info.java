/**
 * Ids of events that are to be counted once: what they are hashed to, which of them were seen lately, and how that outlives
 * the process.
 *
 * <p>{@link io.summarizer.core.dedup.SeenIds} is the door. A parser worker hashes ids ({@link io.summarizer.core.dedup.IdHash});
 * whoever owns a partition of a summary asks its {@link io.summarizer.core.dedup.RecentIds}, which no other thread writes; a
 * checkpoint reads frozen views of them, and a start reads what one has written ({@link io.summarizer.core.dedup.SavedIds}).
 * May import {@code bytes} and {@code store} only.
 */
@NullMarked
package io.summarizer.core.dedup;

import org.jspecify.annotations.NullMarked;
