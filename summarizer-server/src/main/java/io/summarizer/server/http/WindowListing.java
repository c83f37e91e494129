package io.summarizer.server.http;

import io.summarizer.core.store.ClosedWindow;
import io.summarizer.core.store.StoreView;
import io.summarizer.core.store.SummaryView;
import io.summarizer.core.store.SummaryWindow;
import io.summarizer.core.text.TimestampText;
import io.summarizer.core.time.Windows;
import io.summarizer.server.json.Json;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.LongBinaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A window in {@code GET /summaries/NAME/windows}. Also JSON.
 *
 * @param start start of the window, as in CSV
 * @param end end of the window, as in CSV
 * @param rows number of rows in the window, without the rows of nested summaries
 * @param bytes bytes of the window's files; null while the window is not closed
 * @param late the number from {@link CutSource#late}
 */
public record WindowListing(
        String start,
        String end,
        String state,
        long rows,
        @Nullable Long bytes,
        long late) {
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

    /**
     * The newest windows of a summary.
     *
     * @param windows the windows by their start
     * @param older number of older windows, which are not in {@code windows}
     */
    record Newest(List<WindowListing> windows, int older) {}

    /**
     * The windows of a summary by their start.
     *
     * @param late the numbers from {@link CutSource#late}
     */
    static List<WindowListing> of(SummaryView view, SummaryWindow width, Map<Long, Long> late) {
        return newest(view, width, late, Integer.MAX_VALUE).windows;
    }

    /**
     * Returns the newest windows of a summary, at most {@code max}. Of older windows with files, only the number is
     * given.
     */
    static Newest newest(SummaryView view, SummaryWindow width, Map<Long, Long> late, int max) {
        NavigableMap<Long, Long> rows = new TreeMap<>();
        // Each partition has a part of the row of an overflow.
        LongBinaryOperator add = view.layout().isKeyless() ? (a, b) -> 1 : Long::sum;
        for (StoreView part : view.partitions()) {
            addRows(rows, part.window(), part.rows(), add);
        }
        view.stored().forEach(part -> addRows(rows, part.window(), part.rows(List.of()), add));
        List<ClosedWindow> files = view.closed().files();
        files.forEach(file -> rows.remove(file.start()));
        NavigableMap<Long, WindowListing> windows = new TreeMap<>();
        for (ClosedWindow file : files.subList(Math.max(0, files.size() - max), files.size())) {
            windows.put(file.start(), of(file, late));
        }
        Windows calendar = width.windows();
        rows.forEach((start, count) -> {
            State state = start < view.closed().boundary() ? State.CLOSING : State.OPEN;
            windows.put(start, of(start, calendar.end(start), state, count, null, late));
        });
        List<WindowListing> all = new ArrayList<>(windows.values());
        List<WindowListing> newest = all.subList(Math.max(0, all.size() - max), all.size());
        return new Newest(newest, files.size() + rows.size() - newest.size());
    }

    private static void addRows(Map<Long, Long> windows, long window, long rows, LongBinaryOperator add) {
        if (rows > 0) {
            windows.merge(window, rows, add::applyAsLong);
        }
    }

    /** The listing of a window that has a file. */
    static WindowListing of(ClosedWindow file, Map<Long, Long> late) {
        return of(file.start(), file.end(), State.CLOSED, file.rows(), file.bytes(), late);
    }

    /**
     * Reads an answer of the service.
     *
     * @return the ends of the windows that have files, in µs since the epoch
     */
    public static List<Long> endsOfFiles(String json) throws IOException {
        List<Long> ends = new ArrayList<>();
        for (WindowListing window : Json.MAPPER.readValue(json, WindowListing[].class)) {
            if (window.bytes() != null) {
                ends.add(TimestampText.parse(window.end()));
            }
        }
        return ends;
    }

    private static WindowListing of(
            long start, long end, State state, long rows, @Nullable Long bytes, Map<Long, Long> late) {
        return new WindowListing(
                TimestampText.toString(start),
                TimestampText.toString(end),
                state.word(),
                rows,
                bytes,
                late.getOrDefault(start, 0L));
    }
}
