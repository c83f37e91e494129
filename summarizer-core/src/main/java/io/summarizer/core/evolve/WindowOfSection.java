package io.summarizer.core.evolve;

import io.summarizer.core.bytes.MalformedException;
import io.summarizer.core.store.SummaryStore;
import io.summarizer.core.store.SummaryWindow;
import io.summarizer.core.time.Windows;
import org.jspecify.annotations.Nullable;

/** The window to which all rows of a section belong. Not thread-safe. */
final class WindowOfSection {
    /** Position of the key column with the start of the window; -1 if the summary has no windows. */
    final int column;

    private final @Nullable Windows windows;
    private long start = SummaryStore.NO_WINDOW;
    private int sections;

    /** Makes the object for a summary with the windows {@code window}, which is null if the summary has no windows. */
    WindowOfSection(@Nullable SummaryWindow window) {
        column = window == null ? -1 : window.column();
        windows = window == null ? null : window.windows();
    }

    /** Begins another section. */
    void begin() {
        start = SummaryStore.NO_WINDOW;
        sections++;
    }

    /** Number of sections that were begun. */
    int sections() {
        return sections;
    }

    /** Start of the window; {@link SummaryStore#NO_WINDOW} before the first row, or if there are no windows. */
    long start() {
        return start;
    }

    /**
     * Takes the start of a row's window.
     *
     * @param found the start of the window. By the present rules of the time zone, no window need start then: the rules
     *     may have changed since the row was saved
     * @throws MalformedException when the summary has no windows, or when an earlier row of the section is in another
     *     window
     */
    void see(long found) throws MalformedException {
        if (found == start) {
            return;
        }
        if (start != SummaryStore.NO_WINDOW) {
            throw new MalformedException("a section has rows of the windows " + start + " and " + found);
        }
        if (windows == null) {
            throw new MalformedException("no window starts at " + found);
        }
        start = found;
    }
}
