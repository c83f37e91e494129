package io.summarizer.core.snapshot;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * An owner's notes of its tables of chunks at a cut. Readers make views from the notes later. An owner freezes dozens
 * of tables while updates wait; allocation during this time could cause a garbage collection. Therefore, a note is no
 * object, but a position in two arrays that exist already.
 *
 * <p>One thread freezes tables into this object, one after the other. Each table adds its notes. Then the thread calls
 * {@link #add}. After a safe hand-over, any thread may read the notes. All views end with the lease.
 */
public final class FrozenTables {
    private final CutLease lease;
    /**
     * For each note, the noted object: the root of a table, or an object that views of tables need. The array is null
     * after the lease has ended; an unmanaged lease never ends.
     */
    private Object @Nullable [] noted;

    private int[] counts;
    private int size;

    /** The object that was added to the lease before this one. Guarded by the lease. */
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

    /** Adds the completed notes to the lease. From now on, the notes end when the lease ends. */
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

    /** Drops all notes. A read after this call throws. */
    void drop() {
        noted = null;
    }
}
