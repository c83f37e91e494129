/** Benchmarks, and rejected designs that the benchmarks compare with the product's designs. */
@NullMarked
package io.summarizer.bench;

import org.jspecify.annotations.NullMarked;
