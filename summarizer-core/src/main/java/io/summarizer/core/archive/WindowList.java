package io.summarizer.core.archive;

import io.summarizer.core.store.ClosedWindow;
import java.util.List;

/**
 * The closed windows of a summary at one moment. While a list is held, none of its files is deleted. Immutable, except
 * that {@link WindowFolder} counts the holders.
 */
public final class WindowList {
    private final List<ClosedWindow> windows;
    private final List<ClosedWindow> overflow;
    private final long version;
    /** Number of holders. Guarded by the folder. */
    int holders;

    WindowList(long version, List<? extends ClosedWindow> windows, List<? extends ClosedWindow> overflow) {
        this.version = version;
        this.windows = List.copyOf(windows);
        this.overflow = List.copyOf(overflow);
    }

    /** The windows of the summary, by start. */
    public List<ClosedWindow> windows() {
        return windows;
    }

    /**
     * The windows of the overflow summary, by start. Windows in which the overflow summary has no rows are left out.
     */
    public List<ClosedWindow> overflow() {
        return overflow;
    }

    /** Increases with each change of the folder. */
    public long version() {
        return version;
    }
}
