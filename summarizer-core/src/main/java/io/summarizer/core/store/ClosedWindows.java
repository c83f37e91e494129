package io.summarizer.core.store;

import io.summarizer.core.time.Windows;
import java.util.List;

/**
 * The closed windows of a summary. Immutable.
 *
 * @param boundary time in µs since the epoch; all windows that begin before it are closed; {@link #NO_BOUNDARY} before
 *     the first close. Rows of a closed window stay in memory until they are in a file
 * @param files the closed windows whose rows are in files and not in memory, by start
 */
public record ClosedWindows(long boundary, List<ClosedWindow> files) {
    /**
     * The boundary until windows are closed for the first time. {@link Windows#NO_START}, which stands for a missing
     * start, is before this boundary. Therefore, a window without a start is never open.
     */
    public static final long NO_BOUNDARY = Windows.NO_START + 1;

    /** No closed windows. */
    public static final ClosedWindows NONE = new ClosedWindows(NO_BOUNDARY, List.of());

    public ClosedWindows {
        files = List.copyOf(files);
    }
}
