package io.summarizer.flink.record;

/** A decision of the coordinator, which all owners get in the same order. Immutable. */
public sealed interface Decision {
    /**
     * The windows of a summary that are closed from here on.
     *
     * @param summary position of the summary in the plan
     * @param before windows that begin before this time are closed, in µs since the epoch
     */
    record Boundary(int summary, long before) implements Decision {}

    /**
     * A checkpoint that is a result: its manifest is written, so its closed windows stay in files even after a failure.
     *
     * @param checkpoint number of the checkpoint
     */
    record Committed(long checkpoint) implements Decision {}
}
