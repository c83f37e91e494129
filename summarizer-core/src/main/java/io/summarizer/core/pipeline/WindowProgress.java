package io.summarizer.core.pipeline;

import io.summarizer.core.store.SummaryWindow;
import io.summarizer.core.window.WindowInput;
import java.util.List;

/**
 * The windows of a summary at one moment. While messages are processed, the numbers are approximate.
 *
 * @param boundary windows that begin before it are closed, in µs since the epoch
 * @param inMemory starts of the windows that have rows in memory, ascending, in µs since the epoch
 * @param progress for each pipeline, the greatest time of the events so far, in µs since the epoch; {@link
 *     WindowInput#NONE} when there were none
 */
public record WindowProgress(
        String summary, SummaryWindow window, long boundary, List<Long> inMemory, List<Long> progress) {
    public WindowProgress {
        inMemory = List.copyOf(inMemory);
        progress = List.copyOf(progress);
    }

    /** Whether closed windows have rows in memory. */
    public boolean isClosing() {
        return !inMemory.isEmpty() && inMemory.get(0) < boundary;
    }
}
