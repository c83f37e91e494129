/** Benchmarks, and the designs that lost. */
@NullMarked
package io.summarizer.bench;

import org.jspecify.annotations.NullMarked;
