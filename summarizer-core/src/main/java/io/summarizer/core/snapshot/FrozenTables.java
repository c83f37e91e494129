package io.summarizer.core.snapshot;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * An owner's notes of its tables of chunks at a cut, from which readers make views later. An owner freezes dozens of
 * tables while updates wait. Allocation could cause a garbage collection in that time, so a note is not an object but a
 * position in two arrays.
 *
 * <p>One thread freezes tables into it, one after the other, and ends with {@link #add}; after a safe hand-over, any
 * thread may read. All views end with the lease.
 */
public final class FrozenTables {
    private final CutLease lease;
    /** The root of each table, or another noted object; null after the lease has ended, if it is one that ends. */
    private Object @Nullable [] noted;

    private int[] counts;
    private int size;

    /** The tables added to the lease before these. Guarded by the lease. */
    @Nullable
    FrozenTables previous;

    /**
     * Tables without notes.
     *
     * @param expected number of tables and notes, about
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

    /** Drops all notes; readers detect that in any case. */
    void drop() {
        noted = null;
    }
}
