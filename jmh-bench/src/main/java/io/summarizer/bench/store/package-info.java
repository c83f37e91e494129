/** Benchmarks of the cost of row stores and their exports. Only JMH runs them. */
@NullMarked
package io.summarizer.bench.store;

import org.jspecify.annotations.NullMarked;
