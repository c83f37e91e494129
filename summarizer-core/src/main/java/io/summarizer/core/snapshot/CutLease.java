package io.summarizer.core.snapshot;

import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The right to read the views of one cut; it keeps their chunks from being written to or reused. It counts its holders:
 * the thread that took the cut is the first; each further reader {@link #acquire}s and later {@link #release}s. After
 * the last holder, or when {@link CutMemory} has to revoke it, the views are invalid, and the chunks that no other
 * lease sees are recycled.
 *
 * <p>Reads follow the protocol of a seqlock (Boehm, "Can seqlocks get along with programming language memory models?",
 * 2012): copy the bytes out of a chunk, or compute a harmless result from them, then {@link #check}, and only after it
 * has returned use the result, follow a reference in it, or pass it on. Bytes read before a check that returned belong
 * to the cut; a chunk is overwritten only after the lease has ended. {@code RowCursor} does this for rows.
 *
 * <p>Thread-safe. Cost of {@link #check}: one read of a field that hardly ever changes.
 */
public final class CutLease {
    /** The treatment of a cut whose copies take too much memory. */
    public enum Kind {
        /** Revoked, the oldest first: a client that pulls can pull again. */
        READ,
        /** Never revoked; instead the owners pause before each further copy. */
        CHECKPOINT,
        /**
         * A lease for stores that are about to be retired: it is never revoked, and causes no copies, because nobody
         * writes to them any more.
         */
        LAST
    }

    private enum State {
        LIVE,
        REVOKED,
        RELEASED
    }

    /** Recycles the chunks; null for views that only the garbage collector ends. */
    private final @Nullable CutMemory memory;

    private final Kind kind;
    /**
     * Number among the leases of the memory, from 1 on. The lease sees chunks that were born before it, in the epochs 0
     * to sequence - 1.
     */
    final int sequence;

    private final AtomicInteger holders = new AtomicInteger(1);
    private volatile State state = State.LIVE;

    /** Chunks that this cut sees and the current state and all younger cuts do not. Guarded by the memory. */
    ChunkList superseded = new ChunkList();

    /** Retired stores of which this cut is the youngest observer. Guarded by the memory. */
    List<Retired> retired = new ArrayList<>();

    /**
     * A retired store.
     *
     * @param since sequence of the lease under which the store began; only younger leases see it
     */
    record Retired(long bytes, int since) {}

    private final Object viewsLock = new Object();

    /** The last added tables, which link to all others: an array list would be copied as it grows. */
    private @Nullable FrozenTables views;

    CutLease(@Nullable CutMemory memory, Kind kind, int sequence) {
        this.memory = memory;
        this.kind = kind;
        this.sequence = sequence;
    }

    /**
     * A lease that is never revoked, and whose views stay valid after its end: the garbage collector takes their
     * chunks, which are neither counted nor recycled. Used for stores outside a pipeline.
     */
    public static CutLease unmanaged() {
        return new CutLease(null, Kind.READ, 0);
    }

    /** Whether it may be revoked. */
    public Kind kind() {
        return kind;
    }

    /** Adds a holder, which must {@link #release} it; false when the lease has ended. */
    public boolean acquire() {
        while (state == State.LIVE) {
            int present = holders.get();
            if (present == 0) {
                return false;
            }
            if (holders.compareAndSet(present, present + 1)) {
                return true;
            }
        }
        return false;
    }

    /** Removes a holder; the last one ends the lease. */
    public void release() {
        int left = holders.decrementAndGet();
        if (left < 0) {
            holders.set(0);
            throw new IllegalStateException("a cut was released more often than acquired");
        }
        if (left == 0 && memory != null) {
            memory.released(this);
        }
    }

    /** Whether it was revoked. */
    public boolean isRevoked() {
        return state == State.REVOKED;
    }

    /**
     * Confirms that everything the caller read from the views so far belongs to them.
     *
     * @throws CutRevokedException when that is not certain
     */
    public void check() {
        VarHandle.acquireFence(); // plain reads of chunks stay before the read of the state
        if (state != State.LIVE) {
            throw failure();
        }
    }

    /** The reason why reading must end. */
    CutRevokedException failure() {
        return new CutRevokedException(
                state == State.REVOKED
                        ? "the cut was revoked: rows changed since it was taken needed more memory than cuts may have"
                                + " (cuts.memory)"
                        : "the cut was let go");
    }

    /**
     * Counts the bytes of a retired store that was frozen under this lease, for as long as a cut sees them.
     *
     * @param since the result of the call in which this store replaced another one, else 0
     * @return the {@code since} of the store that replaces this one
     */
    public int retire(long bytes, int since) {
        if (memory != null) {
            memory.retired(this, new Retired(bytes, since));
        }
        return sequence;
    }

    /** The result of {@link #retire} for a store that is made at this cut. */
    public int mark() {
        return sequence;
    }

    /** The memory that tracks which leases see a chunk; null when only the garbage collector does. */
    @Nullable
    CutMemory memory() {
        return memory;
    }

    boolean isLive() {
        return state == State.LIVE;
    }

    /** Invalidates all views. Later writes of the caller to chunks are ordered after this. */
    void end(boolean revoked) {
        state = revoked ? State.REVOKED : State.RELEASED;
        VarHandle.fullFence(); // the state before any byte of a reused chunk
        synchronized (viewsLock) {
            FrozenTables view = views;
            while (view != null) {
                FrozenTables previous = view.previous;
                view.drop();
                view.previous = null;
                view = previous;
            }
            views = null;
        }
    }

    /** Adds tables that end with this lease; at once if it has ended. */
    void add(FrozenTables view) {
        if (memory == null) {
            return;
        }
        synchronized (viewsLock) {
            if (state == State.LIVE) {
                view.previous = views;
                views = view;
                return;
            }
        }
        view.drop();
    }
}
