/**
 * Sketches of sets and streams beside each other, on the same streams of 64-bit hashes: filters of members, frequencies,
 * distinct counts and similarity. Those that no maintained library has are here. One thread.
 */
@NullMarked
package io.summarizer.bench.sketch;

import org.jspecify.annotations.NullMarked;
