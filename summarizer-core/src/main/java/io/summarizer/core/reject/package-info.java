/**
 * Messages that could not be processed: their raw bytes are kept within a bound, for inspection and for sending again.
 *
 * <p>Called by parser workers and owners, on their threads; a flusher thread of this package writes the buffers out
 * when no messages come. Imports {@code message}, {@code OwnerOnly} of {@code disk}, and {@code Waiting} of {@code
 * queue}.
 */
@NullMarked
package io.summarizer.core.reject;

import org.jspecify.annotations.NullMarked;
