package io.summarizer.core.store;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The windows of a summary that have rows in memory, and the bounds of each window. All partitions of the summary share
 * this object. Thread-safe. Cost: a lookup in a hash map when a partition opens or releases a window; nothing per row.
 */
public final class OpenWindows {
    /** Default of the bound on the number of open windows. */
    public static final int DEFAULT_MAX = 256;

    private final RowLimit all;
    private final int max;
    private final ConcurrentHashMap<Long, Open> open = new ConcurrentHashMap<>();
    private final AtomicInteger count = new AtomicInteger();

    /** The bounds of a window, and the number of partitions that have rows of the window. */
    private record Open(RowLimit limit, int partitions) {}

    /**
     * @param all the bounds of the summary
     * @param max bound on the number of windows
     */
    OpenWindows(RowLimit all, int max) {
        this.all = all;
        this.max = max;
    }

    /**
     * Opens a window for a partition that is about to have its first rows in the window; returns the bounds of the
     * window.
     *
     * @param start start of the window, in µs since the epoch
     * @param anyway whether to open the window even if the bound on open windows is reached; true for rows that are
     *     loaded
     * @return the bounds; null when there are too many open windows
     */
    @Nullable
    RowLimit take(long start, boolean anyway) {
        Open taken = open.compute(start, (same, present) -> {
            if (present != null) {
                return new Open(present.limit, present.partitions + 1);
            }
            if (count.incrementAndGet() > max && !anyway) {
                count.decrementAndGet();
                return null;
            }
            return new Open(all.ofWindow(), 1);
        });
        return taken == null ? null : taken.limit;
    }

    /** Releases a window for a partition that no longer has rows in the window. */
    void release(long start) {
        open.computeIfPresent(start, (same, present) -> {
            if (present.partitions > 1) {
                return new Open(present.limit, present.partitions - 1);
            }
            count.decrementAndGet();
            return null;
        });
    }

    /** Gives the open windows the bounds of {@code layout}. */
    void become(SummaryLayout layout) {
        open.values().forEach(window -> window.limit.becomeOfWindow(layout));
    }

    /** Starts of the windows, ascending, in µs since the epoch. */
    public long[] starts() {
        return open.keySet().stream().mapToLong(Long::longValue).sorted().toArray();
    }

    /** Whether there are as many windows as the bound allows. */
    public boolean isFull() {
        return count.get() >= max;
    }

    /** Number of windows. */
    public int count() {
        return count.get();
    }
}
