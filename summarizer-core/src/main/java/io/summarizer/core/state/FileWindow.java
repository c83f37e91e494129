package io.summarizer.core.state;

/**
 * The closed window whose rows a state file has. Such a file has no other rows. Times are µs since the epoch.
 *
 * @param start start of the window
 * @param end end of the window, after its start
 */
public record FileWindow(long start, long end) {}
