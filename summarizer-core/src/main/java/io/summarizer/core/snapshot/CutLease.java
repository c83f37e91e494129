package io.summarizer.core.snapshot;

import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The right to read the views of one cut. While a lease holds, the chunks of its views are neither written nor reused.
 * A lease counts its holders: the thread that took the cut is the first holder, and each further reader calls {@link
 * #acquire} and later {@link #release}. After the last release, or when {@link CutMemory} revokes the lease, the views
 * are invalid. Their chunks are then recycled, except for chunks that another lease sees.
 *
 * <p>Readers follow the protocol of a seqlock (Boehm, "Can seqlocks get along with programming language memory
 * models?", 2012). They first copy the bytes out of a chunk, or compute a harmless result from the bytes. Then they
 * call {@link #check}. They may use the result, follow a reference in it or pass it on only after {@link #check} has
 * returned. When a check returns, all bytes that were read before belong to the cut, because a chunk is overwritten
 * only after the lease has ended. {@code RowCursor} follows this protocol for rows.
 *
 * <p>Thread-safe. Cost of {@link #check}: one read of a field that hardly ever changes.
 */
public final class CutLease {
    /** The treatment of a cut whose copies take too much memory. */
    public enum Kind {
        /** The cut is revoked, the oldest cut first. A client that pulls can pull again. */
        READ,
        /** The cut is never revoked. The owners pause before each further copy. */
        CHECKPOINT,
        /**
         * The cut has stores that are about to be retired. The cut is never revoked. It causes no copies, because
         * nobody writes to these stores any more.
         */
        LAST
    }

    private enum State {
        LIVE,
        REVOKED,
        RELEASED
    }

    /** The memory that recycles the chunks; null if only the garbage collector ends the views. */
    private final @Nullable CutMemory memory;

    private final Kind kind;
    /**
     * The lease's number among the leases of the memory, from 1 on. The lease sees chunks that were born in the epochs
     * 0 to sequence - 1.
     */
    final int sequence;

    private final AtomicInteger holders = new AtomicInteger(1);
    private volatile State state = State.LIVE;

    /**
     * Chunks that this cut sees, and that neither the current state nor any younger cut sees. Guarded by the memory.
     */
    ChunkList superseded = new ChunkList();

    /** Retired stores that this cut sees, and that no younger cut sees. Guarded by the memory. */
    List<Retired> retired = new ArrayList<>();

    /**
     * A retired store.
     *
     * @param since sequence of the lease under which the store began; only younger leases see the store
     */
    record Retired(long bytes, int since) {}

    private final Object viewsLock = new Object();

    /** Guarded by {@link #viewsLock}. */
    private final List<Runnable> afterRelease = new ArrayList<>(0);

    /**
     * The head of a linked list: the tables that were added last. Each {@link FrozenTables} refers to the tables that
     * were added before it. The list is linked because an array list would be copied as it grows.
     */
    private @Nullable FrozenTables views;

    CutLease(@Nullable CutMemory memory, Kind kind, int sequence) {
        this.memory = memory;
        this.kind = kind;
        this.sequence = sequence;
    }

    /**
     * A lease that is never revoked, and whose views stay valid after its end. The chunks are neither counted nor
     * recycled; the garbage collector frees them. Used for stores outside a pipeline.
     */
    public static CutLease unmanaged() {
        return new CutLease(null, Kind.READ, 0);
    }

    /** The kind of the cut. The kind determines whether the lease may be revoked. */
    public Kind kind() {
        return kind;
    }

    /** Adds a holder, which must later {@link #release} the lease. Returns false when the lease has ended. */
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

    /** Runs {@code action} after the last holder has released the lease. Called by a holder. */
    public void whenReleased(Runnable action) {
        synchronized (viewsLock) {
            afterRelease.add(action);
        }
    }

    /** Removes a holder; the last one ends the lease. */
    public void release() {
        int left = holders.decrementAndGet();
        if (left < 0) {
            holders.set(0);
            throw new IllegalStateException("a cut was released more often than acquired");
        }
        if (left == 0) {
            if (memory != null) {
                memory.released(this);
            }
            List<Runnable> actions;
            synchronized (viewsLock) {
                actions = List.copyOf(afterRelease);
                afterRelease.clear();
            }
            actions.forEach(Runnable::run);
        }
    }

    /** Whether the lease was revoked. */
    public boolean isRevoked() {
        return state == State.REVOKED;
    }

    /**
     * Confirms that all bytes that the caller read from the views so far belong to the cut.
     *
     * @throws CutRevokedException when this is not certain
     */
    public void check() {
        VarHandle.acquireFence(); // plain reads of chunks stay before the read of the state
        if (state != State.LIVE) {
            throw failure();
        }
    }

    /** The exception for a read after the lease has ended. */
    CutRevokedException failure() {
        return new CutRevokedException(
                state == State.REVOKED ? "the cut was revoked: " + CutRevokedException.REASON : "the cut was let go");
    }

    /**
     * Includes the bytes of a retired store in the memory of cuts until no cut sees the store any more. The store must
     * have been frozen under this lease.
     *
     * @param since the value that {@link #retire} or {@link #mark} returned when this store replaced another store; 0
     *     if this store replaced no store
     * @return the {@code since} of the store that replaces this one
     */
    public int retire(long bytes, int since) {
        if (memory != null) {
            memory.retired(this, new Retired(bytes, since));
        }
        return sequence;
    }

    /** The value of {@code since} for a store that is made at this cut; {@link #retire} returns the same value. */
    public int mark() {
        return sequence;
    }

    /** The memory that tracks which leases see a chunk; null when the garbage collector alone frees the chunks. */
    @Nullable
    CutMemory memory() {
        return memory;
    }

    boolean isLive() {
        return state == State.LIVE;
    }

    /** Invalidates all views. Later writes of the caller to chunks are ordered after the invalidation. */
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

    /** Adds tables that end with this lease. If the lease has ended, the tables end at once. */
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
