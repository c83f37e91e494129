package io.summarizer.core.store;

import io.summarizer.core.bytes.ByteAccount;
import io.summarizer.core.bytes.ByteBudget;
import io.summarizer.core.bytes.Refusals;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The bounds of one summary on keys and bytes, and the bounds of its nested summaries. If the summary has windows, the
 * bounds of the definition hold for each window, and the server's bound on rows holds for all open windows together.
 * All partitions of the summary share this object. Thread-safe and exact: a new row is granted only if there are fewer
 * than {@link #maximum()} rows. Rows that are loaded are granted anyway. Cost: one CAS per new row, nothing per update.
 */
public final class RowLimit {
    /** Changes when new definitions keep the summary but give it another bound. */
    private volatile long maximum;

    private final AtomicLong rows = new AtomicLong();
    /** The budget of the top-level summary with all its nested summaries. */
    private final ByteBudget bytes;

    private final ByteBudget state;

    private final List<RowLimit> nested;

    /** If this object has the bounds of one window: the bounds of all windows together. Otherwise null. */
    private final @Nullable RowLimit all;

    /** If this object has the bounds of all windows together: the definition of the summary. Otherwise null. */
    private volatile @Nullable SummaryLayout windowed;

    private RowLimit(long maximum, ByteBudget bytes, ByteBudget state, List<RowLimit> nested, @Nullable RowLimit all) {
        this.maximum = maximum;
        this.bytes = bytes;
        this.state = state;
        this.nested = nested;
        this.all = all;
    }

    /**
     * The bounds of a summary and of its nested summaries. For a nested summary, the rows under all parent rows count
     * together. A summary whose definition has no bound gets {@code maximum} rows.
     */
    public static RowLimit of(SummaryLayout layout, long maximum) {
        return of(layout, maximum, ByteBudget.unbounded());
    }

    /**
     * The same bounds as from {@link #of(SummaryLayout, long)}, except that bytes also count against {@code state}, the
     * bound on all state.
     */
    static RowLimit of(SummaryLayout layout, long maximum, ByteBudget state) {
        boolean windowed = layout.window() != null;
        RowLimit limit = of(
                layout,
                maximum,
                windowed,
                ByteBudget.ofSummary(windowed ? 0 : layout.limit().bytes()),
                state);
        limit.windowed = windowed ? layout : null;
        return limit;
    }

    private static RowLimit of(
            SummaryLayout layout, long maximum, boolean windowed, ByteBudget bytes, ByteBudget state) {
        return new RowLimit(
                windowed ? maximum : maximum(layout, maximum),
                bytes,
                state,
                layout.nested().stream()
                        .map(below -> of(below, maximum, windowed, bytes, state))
                        .toList(),
                null);
    }

    /** The bounds of one more window. */
    RowLimit ofWindow() {
        SummaryLayout layout = windowed;
        if (layout == null) {
            throw new IllegalStateException("the summary has no windows");
        }
        return ofWindow(layout, ByteBudget.ofSummary(layout.limit().bytes()));
    }

    private RowLimit ofWindow(SummaryLayout layout, ByteBudget bytes) {
        List<RowLimit> below = new ArrayList<>();
        for (int i = 0; i < nested.size(); i++) {
            below.add(nested.get(i).ofWindow(layout.nested().get(i), bytes));
        }
        return new RowLimit(maximum(layout, Long.MAX_VALUE), bytes, state, below, this);
    }

    private static long maximum(SummaryLayout layout, long maximum) {
        return layout.isKeyless()
                ? Long.MAX_VALUE
                : layout.limit().keys() > 0 ? layout.limit().keys() : maximum;
    }

    /**
     * Changes the bounds to those of {@code layout}, which has the same nested summaries. Keeps rows beyond a new
     * bound.
     */
    void become(SummaryLayout layout, long maximum) {
        if (windowed != null) {
            windowed = layout; // open windows are changed later; all windows together have the server's bound
            return;
        }
        bytes.become(layout.limit().bytes());
        becomeOfRows(layout, maximum);
    }

    /** Changes the bounds of a window, as {@link #become} changes the bounds of a summary without windows. */
    void becomeOfWindow(SummaryLayout layout) {
        bytes.become(layout.limit().bytes());
        becomeOfRows(layout, Long.MAX_VALUE);
    }

    private void becomeOfRows(SummaryLayout layout, long maximum) {
        this.maximum = maximum(layout, maximum);
        for (int i = 0; i < nested.size(); i++) {
            nested.get(i).becomeOfRows(layout.nested().get(i), maximum);
        }
    }

    /** The bound on the bytes of the top-level summary, with all summaries nested in it. */
    public ByteBudget bytes() {
        return bytes;
    }

    /**
     * A new account for the bytes of one partition. These bytes count against the bound of the summary and against the
     * bound on all state. The account counts refusals in {@code refusals}.
     */
    ByteAccount newAccount(Refusals refusals) {
        return new ByteAccount(bytes, state, refusals);
    }

    /** The bound of the nested summary with this position. */
    public RowLimit nested(int position) {
        return nested.get(position);
    }

    /** Maximum number of rows. */
    public long maximum() {
        return maximum;
    }

    /** Rows granted now. */
    public long rows() {
        return rows.get();
    }

    /** Stops counting the rows of a retired store and of the stores nested in it. */
    void release(SummaryStore retired) {
        rows.addAndGet(-retired.rows());
        if (all != null) {
            all.rows.addAndGet(-retired.rows());
        }
        for (int i = 0; i < nested.size(); i++) {
            nested.get(i).release(retired.nested(i));
        }
    }

    /** Grants one more row, even if a bound is reached. Used for rows that were granted before, to another store. */
    void addAnyway() {
        if (all != null) {
            all.addAnyway();
        }
        rows.incrementAndGet();
    }

    /** Grants one more row, or returns false when the bound is reached. */
    boolean tryAdd() {
        long present;
        do {
            present = rows.get();
            if (present >= maximum) {
                return false;
            }
        } while (!rows.compareAndSet(present, present + 1));
        if (all != null && !all.tryAdd()) {
            rows.decrementAndGet();
            return false;
        }
        return true;
    }
}
