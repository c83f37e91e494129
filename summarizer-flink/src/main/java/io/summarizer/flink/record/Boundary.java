package io.summarizer.flink.record;

/**
 * The windows of a summary that are closed from here on. Immutable.
 *
 * @param summary position of the summary in the plan
 * @param before windows that begin before this time are closed, in µs since the epoch
 */
public record Boundary(int summary, long before) {}
