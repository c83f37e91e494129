package io.summarizer.core.pipeline;

import io.summarizer.core.store.SummaryWindow;
import io.summarizer.core.window.InputName;
import java.util.List;
import java.util.Map;

/**
 * The windows of a summary at one moment. While messages are processed, the numbers are approximate.
 *
 * @param boundary windows that begin before this time are closed; in µs since the epoch
 * @param inMemory starts of the windows that have rows in memory, ascending, in µs since the epoch
 * @param progress for each input that had events, by {@linkplain InputName name}: the greatest time of its events, in
 * µs since the epoch
 */
public record WindowProgress(
        String summary, SummaryWindow window, long boundary, List<Long> inMemory, Map<String, Long> progress) {
    public WindowProgress {
        inMemory = List.copyOf(inMemory);
        progress = Map.copyOf(progress);
    }

    /** Whether closed windows have rows in memory. */
    public boolean isClosing() {
        return !inMemory.isEmpty() && inMemory.get(0) < boundary;
    }
}
