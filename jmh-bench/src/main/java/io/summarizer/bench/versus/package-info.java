/** Two versions of a benchmark in one JVM, which run in turns, so that the machine's noise is the same for both. */
@NullMarked
package io.summarizer.bench.versus;

import org.jspecify.annotations.NullMarked;
