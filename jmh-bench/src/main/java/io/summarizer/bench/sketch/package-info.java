/** Benchmarks of the sketches, and of what they are measured against. */
@NullMarked
package io.summarizer.bench.sketch;

import org.jspecify.annotations.NullMarked;
