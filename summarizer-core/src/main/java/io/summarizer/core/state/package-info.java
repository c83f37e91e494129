/**
 * State files. A state file is versioned, checksummed and compressed, and has all summaries of a cut. The entry points
 * are {@link io.summarizer.core.state.StateWriter} and {@link io.summarizer.core.state.StateFile}; {@code
 * docs/understand/state-files.md} describes the format, byte by byte. {@code evolve} adapts rows to changed
 * definitions.
 *
 * <p>A call runs on the caller's thread, and on further threads that end with the call. Threads of a pipeline never
 * call this package. Imports {@code bytes}, {@code disk}, {@code evolve}, {@code store} and {@code time}.
 */
@NullMarked
package io.summarizer.core.state;

import org.jspecify.annotations.NullMarked;
