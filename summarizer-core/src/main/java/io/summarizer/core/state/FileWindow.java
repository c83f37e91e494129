package io.summarizer.core.state;

/**
 * The closed window that a state file has; a file with such a window has no other rows. Times are µs since the epoch.
 *
 * @param start start of the window
 * @param end end of the window, after its start
 */
public record FileWindow(long start, long end) {}
