package io.summarizer.core.export;

import io.summarizer.core.store.ClosedWindow;
import io.summarizer.core.store.OpenRows;
import io.summarizer.core.store.StoreView;

/**
 * The windows of a summary that a query reads. Immutable.
 *
 * @param from start of the range, in µs since the epoch; windows that start before this time are left out
 * @param until end of the range, in µs since the epoch; windows that start at this time or later are left out
 */
public record WindowRange(long from, long until, Closed closed) {
    /** The range of all windows; also stands for the rows of summaries without windows. */
    public static final WindowRange ALL = new WindowRange(Long.MIN_VALUE, Long.MAX_VALUE, Closed.YES);

    /** Whether closed windows are read. A window is closed when its rows are in a file. */
    public enum Closed {
        /** Closed windows and others. */
        YES,
        /** No closed windows. */
        NO,
        /** Closed windows and no others. */
        ONLY
    }

    /** Whether this is the range of all rows. */
    public boolean isAll() {
        return equals(ALL);
    }

    boolean has(StoreView rows) {
        return closed != Closed.ONLY && isWithin(rows.window());
    }

    boolean has(OpenRows rows) {
        return closed != Closed.ONLY && isWithin(rows.window());
    }

    boolean has(ClosedWindow window) {
        return closed != Closed.NO && isWithin(window.start());
    }

    private boolean isWithin(long start) {
        return start >= from && start < until;
    }
}
