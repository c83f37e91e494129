/**
 * State files: all summaries of a cut in one versioned, checksummed, compressed file, and back into stores, also under
 * definitions that changed since. The doors are {@link io.summarizer.core.state.StateWriter} and {@link
 * io.summarizer.core.state.StateFile}; {@code docs/understand/state-files.md} has the format, byte by byte.
 *
 * <p>Runs on whatever threads its callers have and some of its own for the duration of a call; never on those of a
 * pipeline. Imports {@code store}, {@code sketch}, {@code disk} and {@code bytes}.
 */
@NullMarked
package io.summarizer.core.state;

import org.jspecify.annotations.NullMarked;
