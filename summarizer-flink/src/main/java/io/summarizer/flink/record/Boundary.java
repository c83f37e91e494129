package io.summarizer.flink.record;

/**
 * The boundary of the closed windows of a summary. Immutable.
 *
 * @param summary position of the summary in the plan
 * @param before windows that begin before this time are closed, in µs since the epoch
 */
public record Boundary(int summary, long before) {}
