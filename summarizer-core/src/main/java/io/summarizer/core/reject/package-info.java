/**
 * What becomes of messages that could not be processed: their raw bytes are kept within a bound, so that they can be
 * looked at and sent again.
 *
 * <p>Called by parser workers and owners, on their threads; a flusher thread of this package writes what is buffered when
 * things are quiet. Imports the message package, of disk the permissions, and of queue the waiting.
 */
@NullMarked
package io.summarizer.core.reject;

import org.jspecify.annotations.NullMarked;
