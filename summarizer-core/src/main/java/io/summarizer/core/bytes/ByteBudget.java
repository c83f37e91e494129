package io.summarizer.core.bytes;

import java.util.concurrent.atomic.AtomicLong;

/**
 * A bound on the bytes of state, such as rows, indexes, texts, sets and ids. Several {@link ByteAccount}s share the
 * bound. A budget may reserve a part for existing rows, so that existing rows can still grow when no new row is
 * allowed. Thread-safe. Cost: one atomic addition per chunk.
 */
public final class ByteBudget {
    /**
     * The reserved part of the budget of all state, as a divisor. New rows leave a tenth of the budget for the texts
     * and sets of existing rows.
     */
    private static final int RESERVE = 10;

    /** Largest share of the heap, in percent, that existing rows may take when a start or reload loads them. */
    private static final int LOADED_PERCENT = 70;

    private static final int DEFAULT_PERCENT = 60;

    private final int reserve;
    private final AtomicLong used = new AtomicLong();
    private final long loadedMax;
    private volatile long maximum;

    private ByteBudget(long maximum, int reserve, long loadedMax) {
        this.maximum = maximum;
        this.reserve = reserve;
        this.loadedMax = loadedMax;
    }

    /**
     * A budget for one summary. The bound, from the summary's definition, is {@code maximum} bytes; 0 means no bound.
     */
    public static ByteBudget ofSummary(long maximum) {
        return new ByteBudget(maximum == 0 ? Long.MAX_VALUE : maximum, 0, Long.MAX_VALUE);
    }

    /**
     * A budget for all state. Rows loaded at a start may exceed {@code maximum}, up to 70 % of the heap. So a state
     * that was written under a larger bound can be restored, as long as enough heap is left for other work.
     */
    public static ByteBudget ofState(long maximum) {
        return ofState(maximum, Runtime.getRuntime().maxMemory() / 100 * LOADED_PERCENT);
    }

    /**
     * A budget for all state like {@link #ofState(long)}, with a given bound on loaded rows.
     *
     * @param loadedMax the bound on loaded rows; if it is below {@code maximum}, {@code maximum} is used instead
     */
    static ByteBudget ofState(long maximum, long loadedMax) {
        return new ByteBudget(maximum, RESERVE, Math.max(maximum, loadedMax));
    }

    /** No bound, for state that is bounded elsewhere. */
    public static ByteBudget unbounded() {
        return ofSummary(0);
    }

    /** The default bound on all state: 60 % of the heap. */
    public static long defaultState() {
        return Runtime.getRuntime().maxMemory() / 100 * DEFAULT_PERCENT;
    }

    /** Changes the bound to {@code maximum} bytes; 0 means no bound. State that exceeds the new bound stays. */
    public void become(long maximum) {
        this.maximum = maximum == 0 ? Long.MAX_VALUE : maximum;
    }

    /** Whether there is a bound. */
    public boolean isBounded() {
        return maximum != Long.MAX_VALUE;
    }

    /** The bound. */
    public long maximum() {
        return maximum;
    }

    /** Maximum number of bytes that a start or reload fills. */
    public long loadedMax() {
        return loadedMax;
    }

    /** Bytes in use. */
    public long used() {
        return used.get();
    }

    boolean hasRoom() {
        return used.get() < maximum;
    }

    boolean hasRoomForRows() {
        long maximum = this.maximum;
        return used.get() < (reserve == 0 ? maximum : maximum - maximum / reserve);
    }

    /** Whether a start may load more rows. */
    public boolean hasRoomToLoad() {
        return used.get() < loadedMax;
    }

    void add(long more) {
        used.addAndGet(more);
    }
}
