/**
 * State files: all summaries of a cut in one versioned, checksummed, compressed file, and back. The doors are {@link
 * io.summarizer.core.state.StateWriter} and {@link io.summarizer.core.state.StateFile}; {@code
 * docs/understand/state-files.md} has the format, byte by byte. What becomes of rows under definitions that changed since,
 * {@code evolve} knows.
 *
 * <p>Runs on whatever threads its callers have and some of its own for the duration of a call; never on those of a
 * pipeline. Imports {@code evolve}, {@code store}, {@code disk} and {@code bytes}.
 */
@NullMarked
package io.summarizer.core.state;

import org.jspecify.annotations.NullMarked;
