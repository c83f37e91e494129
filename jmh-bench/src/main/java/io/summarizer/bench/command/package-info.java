/** Benchmarks that are whole programs: {@code bin/bench NAME} runs the class of this package named so. */
@NullMarked
package io.summarizer.bench.command;

import org.jspecify.annotations.NullMarked;
