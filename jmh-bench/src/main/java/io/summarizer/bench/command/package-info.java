/**
 * Benchmarks that are whole programs: {@code bin/bench NAME} runs the class of this package with that name, a {@link
 * io.summarizer.bench.command.BenchCommand}, on the main thread.
 */
@NullMarked
package io.summarizer.bench.command;

import org.jspecify.annotations.NullMarked;
