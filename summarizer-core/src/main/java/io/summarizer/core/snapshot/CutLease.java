package io.summarizer.core.snapshot;

import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The right to read the views of one cut, and what keeps their chunks from being written to or used anew. It counts its
 * holders: whoever took the cut is the first; each further reader {@link #acquire}s and later {@link #release}s. With the
 * last holder, or when {@link CutMemory} has to revoke it, the views are void and the chunks that nobody else sees are
 * recycled.
 *
 * <p>How to read safely, as of a seqlock (Boehm, "Can seqlocks get along with programming language memory models?", 2012):
 * copy what is needed out of a chunk, or compute something harmless from it, then {@link #check}, and only when that
 * returns believe it, follow a reference found in it, or pass it on. What was read before a check that returned is what the
 * cut holds; a chunk is overwritten only after the lease says so. {@code RowCursor} does this for rows.
 *
 * <p>Thread-safe. Cost of {@link #check}: one read of a field that hardly ever changes.
 */
public final class CutLease {
    /** What becomes of a cut when its copies take too much memory. */
    public enum Kind {
        /** Revoked, the oldest first: somebody pulls and can pull again. */
        READ,
        /** Never revoked; the owners wait instead, a little before each further copy. */
        CHECKPOINT,
        /** Of stores that are retired: never revoked, and never in the way, as nobody writes what it sees any more. */
        LAST
    }

    private enum State {
        LIVE,
        REVOKED,
        RELEASED
    }

    /** What recycles the chunks; null for views that only the garbage collector ends. */
    private final @Nullable CutMemory memory;

    private final Kind kind;
    /** Number among the leases of the memory, from 1 on. It sees chunks that are born before it: in 0 to sequence - 1. */
    final int sequence;

    private final AtomicInteger holders = new AtomicInteger(1);
    private volatile State state = State.LIVE;

    /** Chunks that this cut sees and the present state and all younger cuts do not. Guarded by the memory. */
    ChunkList superseded = new ChunkList();

    /** Stores that were retired and that this cut is the youngest to see. Guarded by the memory. */
    List<Retired> retired = new ArrayList<>();

    /**
     * A store that was retired.
     *
     * @param since sequence of the lease under which it began: only younger ones see it
     */
    record Retired(long bytes, int since) {}

    private final Object viewsLock = new Object();

    /** The last that was added, which leads to all others: a list of its own would be copied as it grows. */
    private @Nullable FrozenTables views;

    CutLease(@Nullable CutMemory memory, Kind kind, int sequence) {
        this.memory = memory;
        this.kind = kind;
        this.sequence = sequence;
    }

    /**
     * A lease that is never revoked, and whose views stay good after its end: the garbage collector takes their chunks,
     * which are neither counted nor recycled. For stores outside of a pipeline.
     */
    public static CutLease unmanaged() {
        return new CutLease(null, Kind.READ, 0);
    }

    /** Whether it may be revoked. */
    public Kind kind() {
        return kind;
    }

    /** One more holder, who releases it in the end; false when it is too late for that. */
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

    /** One holder less; the last one ends it. */
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

    /** Whether it was taken from its holders. */
    public boolean isRevoked() {
        return state == State.REVOKED;
    }

    /**
     * Says that all that the caller read from the views until now is what they hold.
     *
     * @throws CutRevokedException when it is not, or may not be
     */
    public void check() {
        VarHandle.acquireFence(); // reads of chunks, which are plain, stay before the read of the state
        if (state != State.LIVE) {
            throw failure();
        }
    }

    /** Why reading must end. */
    CutRevokedException failure() {
        return new CutRevokedException(
                state == State.REVOKED
                        ? "the cut was revoked: rows changed since it was taken needed more memory than cuts may have"
                                + " (cuts.memory)"
                        : "the cut was let go");
    }

    /**
     * Counts the bytes of a store that was frozen under this lease and is retired, for as long as a cut sees them.
     *
     * @param since what this returned when the store took the place of another one, else 0
     * @return what tells when the store began that takes its place
     */
    public int retire(long bytes, int since) {
        if (memory != null) {
            memory.retired(this, new Retired(bytes, since));
        }
        return sequence;
    }

    /** What {@link #retire} returns: tells when a store began that is made at this cut. */
    public int mark() {
        return sequence;
    }

    /** Who sees every chunk of an owner until it is gone; null: the garbage collector. */
    @Nullable
    CutMemory memory() {
        return memory;
    }

    boolean isLive() {
        return state == State.LIVE;
    }

    /** From now on no view is good. What the caller writes to chunks comes after this. */
    void end(boolean revoked) {
        state = revoked ? State.REVOKED : State.RELEASED;
        VarHandle.fullFence(); // the state before any byte of a chunk that is used anew
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

    /** Adds what ends with this lease; at once if it has ended. */
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
