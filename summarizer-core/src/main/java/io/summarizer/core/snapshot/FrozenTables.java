package io.summarizer.core.snapshot;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What an owner writes down of its tables of chunks at a cut, and what views are made of later, by those who read. An owner
 * freezes dozens of tables while updates wait: what it allocates for each then is what makes a collection fall into a cut, so
 * it is a place in two arrays, and no object.
 *
 * <p>One thread freezes tables into it, one after the other, and ends with {@link #add}; after that, safely handed on, any
 * thread may read. With the lease all views of it end.
 */
public final class FrozenTables {
    private final CutLease lease;
    /** The root of each table, or what else was noted; null once the lease has ended, if it is one that ends. */
    private Object @Nullable [] noted;

    private int[] counts;
    private int size;

    /** What was added to the lease before this. Guarded by the lease. */
    @Nullable
    FrozenTables previous;

    /**
     * None yet.
     *
     * @param expected how many tables and notes there will be, or about so many
     */
    public FrozenTables(CutLease lease, int expected) {
        this.lease = lease;
        noted = new Object[expected];
        counts = new int[expected];
    }

    /** What the views are taken under. */
    public CutLease lease() {
        return lease;
    }

    /** Notes the root of a table, or an object that views of tables need to make something of them; returns its number. */
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

    /** Says that all is in it: from now on it ends with its lease. */
    public FrozenTables add() {
        lease.add(this);
        return this;
    }

    /** The view of the table with this number. */
    public ChunkedBytes.Frozen view(int number) {
        return new ChunkedBytes.Frozen(this, number, counts[number]);
    }

    /**
     * What was noted under a number.
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

    /** Lets go of everything; readers find out one way or the other. */
    void drop() {
        noted = null;
    }
}
