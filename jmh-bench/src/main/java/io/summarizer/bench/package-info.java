/** Benchmarks, and the rejected designs that they compare with the product's. */
@NullMarked
package io.summarizer.bench;

import org.jspecify.annotations.NullMarked;
