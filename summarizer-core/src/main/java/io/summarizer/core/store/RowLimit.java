package io.summarizer.core.store;

import io.summarizer.core.bytes.ByteAccount;
import io.summarizer.core.bytes.ByteBudget;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The bounds of one summary on keys and bytes, and the bounds of its nested summaries. All partitions of the summary
 * share this object. Thread-safe and exact: new rows are granted only up to {@link #maximum()}. Cost: one CAS per new
 * row, none for an update.
 */
public final class RowLimit {
    /** Changes when new definitions keep the summary and give it another bound. */
    private volatile long maximum;

    private final AtomicLong rows = new AtomicLong();
    /** The budget of the top-level summary with all its nested summaries. */
    private final ByteBudget bytes;

    private final ByteBudget state;

    private final List<RowLimit> nested;

    private RowLimit(long maximum, ByteBudget bytes, ByteBudget state, List<RowLimit> nested) {
        this.maximum = maximum;
        this.bytes = bytes;
        this.state = state;
        this.nested = nested;
    }

    /**
     * The bounds of a summary and of its nested summaries. The bound of a nested summary holds over all parent rows. A
     * summary whose definition has no bound gets {@code maximum} rows.
     */
    public static RowLimit of(SummaryLayout layout, long maximum) {
        return of(layout, maximum, ByteBudget.unbounded());
    }

    /**
     * The bounds that {@link #of(SummaryLayout, long)} returns. Bytes also count against {@code state}, the bound of
     * all state.
     */
    static RowLimit of(SummaryLayout layout, long maximum, ByteBudget state) {
        return of(layout, maximum, ByteBudget.ofSummary(layout.limit().bytes()), state);
    }

    private static RowLimit of(SummaryLayout layout, long maximum, ByteBudget bytes, ByteBudget state) {
        return new RowLimit(
                maximum(layout, maximum),
                bytes,
                state,
                layout.nested().stream()
                        .map(below -> of(below, maximum, bytes, state))
                        .toList());
    }

    private static long maximum(SummaryLayout layout, long maximum) {
        return layout.isKeyless()
                ? Long.MAX_VALUE
                : layout.limit().keys() > 0 ? layout.limit().keys() : maximum;
    }

    /**
     * Changes the bounds to those of {@code layout}, which has the same nested summaries. Rows beyond a new bound stay.
     */
    void become(SummaryLayout layout, long maximum) {
        bytes.become(layout.limit().bytes());
        becomeOfRows(layout, maximum);
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
     * A new account for the bytes of one partition. They count against the bound of the summary and against the bound
     * of all state.
     */
    ByteAccount newAccount() {
        return new ByteAccount(bytes, state);
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

    /** Takes back the grants for the rows of a retired store and of the stores nested in it. */
    void release(SummaryStore retired) {
        rows.addAndGet(-retired.rows());
        for (int i = 0; i < nested.size(); i++) {
            nested.get(i).release(retired.nested(i));
        }
    }

    /** Grants one more row, even beyond the bound. Used for rows that were granted to another store. */
    void add() {
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
        return true;
    }
}
