package io.summarizer.server.http;

import io.summarizer.core.store.ClosedWindow;
import io.summarizer.core.store.StoreView;
import io.summarizer.core.store.SummaryView;
import io.summarizer.core.store.SummaryWindow;
import io.summarizer.core.text.TimestampText;
import io.summarizer.core.time.Windows;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A window in {@code GET /summaries/NAME/windows}. Also JSON.
 *
 * @param start start of the window, as in CSV
 * @param end end of the window, as in CSV
 * @param rows rows of the summary, without those of nested summaries
 * @param bytes bytes of the window's file; null when the rows are in memory
 */
public record WindowListing(
        String start,
        String end,
        String state,
        long rows,
        @Nullable Long bytes) {
    /** The states of a window. */
    private enum State {
        /** The window takes updates. */
        OPEN,
        /** The window takes no updates, and its rows are in memory. */
        CLOSING,
        /** The rows are in a file. */
        CLOSED;

        String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** The windows of a summary by their start. */
    static List<WindowListing> of(SummaryView view, SummaryWindow width) {
        Map<Long, WindowListing> windows = new TreeMap<>();
        Map<Long, Long> rows = new TreeMap<>();
        for (StoreView part : view.partitions()) {
            rows.merge(part.window(), part.rows(), Long::sum);
        }
        Windows calendar = width.windows();
        rows.forEach((start, count) -> {
            State state = start < view.closed().boundary() ? State.CLOSING : State.OPEN;
            windows.put(start, of(start, calendar.end(start), state, count, null));
        });
        for (ClosedWindow file : view.closed().files()) {
            windows.put(file.start(), of(file.start(), file.end(), State.CLOSED, file.rows(), file.bytes()));
        }
        return new ArrayList<>(windows.values());
    }

    private static WindowListing of(long start, long end, State state, long rows, @Nullable Long bytes) {
        return new WindowListing(TimestampText.toString(start), TimestampText.toString(end), state.word(), rows, bytes);
    }
}
