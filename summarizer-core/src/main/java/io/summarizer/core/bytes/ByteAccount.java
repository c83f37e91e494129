package io.summarizer.core.bytes;

/**
 * The bytes that one writer of state, such as a partition of a summary, has taken from the {@linkplain ByteBudget budgets} of its
 * summary and of all state, and the number of its refusals. Belongs to the writer's thread. A structure asks before it grows and
 * reports the growth afterwards, once a chunk.
 */
public final class ByteAccount {
    private final ByteBudget ofSummary;
    private final ByteBudget ofState;
    private long taken;
    private long refusals;
    private boolean loading;

    /** An account with nothing in it. */
    public ByteAccount(ByteBudget ofSummary, ByteBudget ofState) {
        this.ofSummary = ofSummary;
        this.ofState = ofState;
    }

    /** An account that nothing bounds. */
    public static ByteAccount unbounded() {
        return new ByteAccount(ByteBudget.unbounded(), ByteBudget.unbounded());
    }

    /** Takes so many bytes, whatever the bound; gives them back when negative. */
    public void add(long bytes) {
        taken += bytes;
        ofSummary.add(bytes);
        ofState.add(bytes);
    }

    /** Bytes taken. */
    public long taken() {
        return taken;
    }

    /** Gives all back: for state that nobody writes to any more. */
    public void release() {
        add(-taken);
    }

    /** Whether there may be one more row. */
    public boolean hasRoomForRow() {
        return loading || (ofSummary.hasRoomForRows() && ofState.hasRoomForRows());
    }

    /** Whether a text or set of an existing row may grow. */
    public boolean hasRoom() {
        return loading || ofState.hasRoom();
    }

    /** Sets whether the rows that follow are loaded from a checkpoint: then the loader bounds them, not this account. */
    public void loading(boolean loading) {
        this.loading = loading;
    }

    /** Counts that something was refused. */
    public void refuse() {
        refusals++;
    }

    /** Counts what another account refused of an addition that was handed on to its owner. */
    public void refuse(long times) {
        refusals += times;
    }

    /** How often something was refused; tells who adds something whether all of it was taken. */
    public long refusals() {
        return refusals;
    }
}
