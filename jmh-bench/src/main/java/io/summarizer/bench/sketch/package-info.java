/**
 * Comparison of sketches on the same streams of 64-bit hashes: membership filters, frequencies, distinct counts and
 * similarity. The package implements only sketches that no maintained library has. Not thread-safe.
 */
@NullMarked
package io.summarizer.bench.sketch;

import org.jspecify.annotations.NullMarked;
