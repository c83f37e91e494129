/**
 * State files: they hold all summaries of a cut in one versioned, checksummed, compressed file. The entry points are
 * {@link io.summarizer.core.state.StateWriter} and {@link io.summarizer.core.state.StateFile}; {@code
 * docs/understand/state-files.md} describes the format, byte by byte. {@code evolve} adapts rows to changed
 * definitions.
 *
 * <p>Runs on the threads of its callers, and on further threads that end with a call; never on threads of a pipeline.
 * Imports {@code evolve}, {@code store}, {@code disk} and {@code bytes}.
 */
@NullMarked
package io.summarizer.core.state;

import org.jspecify.annotations.NullMarked;
