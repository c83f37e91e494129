/**
 * Time windows of summaries while events come in. Finds the start of an event's window, and counts events of closed
 * windows. Tracks the progress of the times of events, from which watermarks follow. A {@link
 * io.summarizer.core.window.WindowInput} belongs to a parser worker.
 */
@NullMarked
package io.summarizer.core.window;

import org.jspecify.annotations.NullMarked;
