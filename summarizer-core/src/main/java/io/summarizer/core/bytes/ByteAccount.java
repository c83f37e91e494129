package io.summarizer.core.bytes;

/**
 * The bytes that one writer of state has taken from two {@linkplain ByteBudget budgets}: the budget of a summary, and
 * the budget of all state. A writer of state is, for example, a partition of a summary. A data structure asks the
 * account before it grows by a chunk, and reports the growth afterwards. Belongs to the writer's thread.
 */
public final class ByteAccount {
    private final ByteBudget ofSummary;
    private final ByteBudget ofState;
    private long taken;
    private final Refusals refusals;
    private boolean loading;

    /** An empty account. */
    public ByteAccount(ByteBudget ofSummary, ByteBudget ofState) {
        this(ofSummary, ofState, new Refusals());
    }

    /** An empty account that counts refusals in {@code refusals}, as other accounts of the same writer may do. */
    public ByteAccount(ByteBudget ofSummary, ByteBudget ofState, Refusals refusals) {
        this.ofSummary = ofSummary;
        this.ofState = ofState;
        this.refusals = refusals;
    }

    /** An account without bounds. */
    public static ByteAccount unbounded() {
        return new ByteAccount(ByteBudget.unbounded(), ByteBudget.unbounded());
    }

    /**
     * Takes {@code bytes} bytes from both budgets, even if this exceeds a bound. A negative number gives bytes back.
     */
    public void add(long bytes) {
        taken += bytes;
        ofSummary.add(bytes);
        ofState.add(bytes);
    }

    /** Bytes taken. */
    public long taken() {
        return taken;
    }

    /** Gives all bytes back. Called for state that is no longer written. */
    public void release() {
        add(-taken);
    }

    /** Whether one more row may be added. */
    public boolean hasRoomForRow() {
        return loading || (ofSummary.hasRoomForRows() && ofState.hasRoomForRows());
    }

    /** Whether a text or set of an existing row may grow. */
    public boolean hasRoom() {
        return loading || ofState.hasRoom();
    }

    /**
     * Tells the account whether the rows added from now on come from a checkpoint. The account never refuses loaded
     * rows, because the loader bounds them.
     */
    public void loading(boolean loading) {
        this.loading = loading;
    }

    /** Counts a refusal. */
    public void refuse() {
        refusals.add();
    }

    /** The refusals of this account and of the accounts that count together with it. */
    public Refusals refusals() {
        return refusals;
    }
}
