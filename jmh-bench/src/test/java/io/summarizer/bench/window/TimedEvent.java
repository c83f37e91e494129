package io.summarizer.bench.window;

/**
 * An event of a stream.
 *
 * @param number number of the event, which is in its row's key
 * @param time time of the event, in µs since the epoch
 * @param arrival arrival of its message, in µs since the epoch
 */
record TimedEvent(long number, long time, long arrival) {}
