package io.summarizer.core.snapshot;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * An owner's notes of its tables of chunks at a cut, from which readers make views later. An owner freezes dozens of
 * tables while updates wait. Allocation could cause a garbage collection in this time, so a note is not an object but a
 * position in two arrays.
 *
 * <p>One thread freezes tables into this object, one after the other, and then calls {@link #add}. After a safe
 * hand-over, any thread may read the notes. All views end with the lease.
 */
public final class FrozenTables {
    private final CutLease lease;
    /**
     * The root of each table, or another noted object. Null after the lease has ended; an unmanaged lease does not end.
     */
    private Object @Nullable [] noted;

    private int[] counts;
    private int size;

    /** The tables added to the lease before these. Guarded by the lease. */
    @Nullable
    FrozenTables previous;

    /**
     * Tables without notes.
     *
     * @param expected approximate number of tables and notes
     */
    public FrozenTables(CutLease lease, int expected) {
        this.lease = lease;
        noted = new Object[expected];
        counts = new int[expected];
    }

    /** The lease of the views. */
    public CutLease lease() {
        return lease;
    }

    /** Notes the root of a table, or an object that views of tables need; returns its number. */
    public int note(Object root, int count) {
        Object[] all = noted;
        assert all != null : "noted after the lease ended, so after it was added";
        if (size == counts.length) {
            all = Arrays.copyOf(all, size * 2 + 1);
            noted = all;
            counts = Arrays.copyOf(counts, size * 2 + 1);
        }
        all[size] = root;
        counts[size] = count;
        return size++;
    }

    /** Completes the notes: from now on they end with the lease. */
    public FrozenTables add() {
        lease.add(this);
        return this;
    }

    /** The view of the table with this number. */
    public ChunkedBytes.Frozen view(int number) {
        return new ChunkedBytes.Frozen(this, number, counts[number]);
    }

    /**
     * The object noted under a number.
     *
     * @throws CutRevokedException when the lease has ended
     */
    public Object noted(int number) {
        Object[] all = noted;
        if (all == null) {
            throw lease.failure();
        }
        return all[number];
    }

    /** Drops all notes; readers detect this in any case. */
    void drop() {
        noted = null;
    }
}
