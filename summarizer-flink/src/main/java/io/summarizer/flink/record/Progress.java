package io.summarizer.flink.record;

import java.util.Arrays;

/**
 * The progress of the events' times in one input. An input is a partition of the source. Immutable.
 *
 * @param input name of the input, such as {@code orders-3}
 * @param marks for each summary, the greatest time of the input's events, in µs since the epoch; {@link
 *     io.summarizer.core.window.WindowInput#progress()} defines this time
 * @param clearMillis time, since the reader began or was restored, in which the input had no record or only new ones;
 *     time in which the reader could not take records does not count
 */
@SuppressWarnings("ArrayRecordComponent") // nobody changes it; equals is not used
public record Progress(String input, long[] marks, long clearMillis) {
    @Override
    public String toString() {
        return input + " " + Arrays.toString(marks) + " clear for " + clearMillis + " ms";
    }
}
