/**
 * Benchmarks that are whole programs: {@code bin/bench NAME} runs the class with that name, which is a {@link
 * io.summarizer.bench.command.BenchCommand}, on the main thread.
 */
@NullMarked
package io.summarizer.bench.command;

import org.jspecify.annotations.NullMarked;
