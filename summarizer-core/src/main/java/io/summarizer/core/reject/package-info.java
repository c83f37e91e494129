/**
 * Keeps the raw bytes of messages that could not be processed, within a bound, for inspection and for sending again.
 *
 * <p>Parser workers and owners call this package on their threads. When no messages come, a flusher thread of this
 * package writes the buffers out. Imports {@code bytes}, {@code disk}, {@code message}, {@code queue} and {@code text}.
 */
@NullMarked
package io.summarizer.core.reject;

import org.jspecify.annotations.NullMarked;
