/** Benchmarks of the sketches, and of alternatives to them. */
@NullMarked
package io.summarizer.bench.sketch;

import org.jspecify.annotations.NullMarked;
