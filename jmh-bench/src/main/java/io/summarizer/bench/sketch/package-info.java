/**
 * Comparison of sketches on the same streams of 64-bit hashes: filters of members, frequencies, distinct counts and
 * similarity. The package has the sketches that no maintained library has. Not thread-safe.
 */
@NullMarked
package io.summarizer.bench.sketch;

import org.jspecify.annotations.NullMarked;
