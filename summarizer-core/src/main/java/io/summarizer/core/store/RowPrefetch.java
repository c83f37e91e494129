package io.summarizer.core.store;

import io.summarizer.core.sketch.MultisetArena;
import java.util.Arrays;

/**
 * Prefetches index entries, rows, texts of keys and sets for a group of records, so that their cache misses overlap.
 * One thread.
 *
 * <p>A large store does not fit into the processor's caches. Without prefetching, each record would wait for the misses
 * of its index entry, of its row, of the texts of its key, and of each of its sets, one after the other. Here, the work
 * is done in stages. Each stage does one step for all records, and the next stage needs what this step has brought into
 * the caches. The index entries of nested rows are prefetched after the rows above them have been looked up, because
 * the place of such an entry depends on the number of the row above. Then all rows are prefetched together, then the
 * texts of their keys, then their sets. Rows that are nested in nested rows, and texts of values, are not prefetched.
 *
 * <p>A mispredicted branch makes all later reads wait. Therefore, a branch of a stage depends on data from memory only
 * if the branch nearly always goes the same way. Each stage is also a separate loop of few instructions. The reason is
 * that a processor has only a few hundred instructions in flight while the oldest instruction waits for memory, and
 * only the misses of these instructions overlap. The search for nested rows is an exception to both rules. It reads
 * only the records, which are in the caches.
 */
public final class RowPrefetch {
    /** Maximum number of nested rows of a group, divided by the maximum number of records. */
    private static final int NESTED = 2;

    /**
     * The tables of the rows. Entries at and after {@link #count} may be null; this is not in the type, because then
     * each loop would check for null ({@code RowUpdateBenchmark} measures the loops).
     */
    private final StoreTables[] tables;

    private final long[] hashes;
    /** The hashes of the rows in their index. */
    private final int[] indexHashes;
    /** The rows that most likely have these keys; -1 where there is none. */
    private final int[] rows;
    /** For each row, the place of one of the row's multisets. */
    private final long[] places;

    /** Number of rows added; the rows of the records come first. */
    private int count;

    /** Whether a record of the group may have nested rows. */
    private boolean nesting;

    /**
     * A sum of the values that were read. Nobody uses the sum; it is written so that the compiler cannot remove the
     * reads.
     */
    @SuppressWarnings("unused")
    private int prefetched;

    /** For groups of at most {@code records} records. */
    public RowPrefetch(int records) {
        int capacity = (1 + NESTED) * records;
        tables = new StoreTables[capacity];
        hashes = new long[capacity];
        indexHashes = new int[capacity];
        rows = new int[capacity];
        places = new long[capacity];
    }

    /** Begins a group. */
    public void begin() {
        count = 0;
        nesting = false;
    }

    /** Adds the row of the next record of the group: the row in {@code tables} whose key has this hash. */
    public void add(StoreTables tables, long hash) {
        add(tables, hash, 0);
        nesting |= tables.isNesting();
    }

    /** Adds a nested row of a record, unless the group is full. */
    void addNested(StoreTables tables, long hash, int parent) {
        if (count < this.tables.length) {
            add(tables, hash, parent);
        }
    }

    private void add(StoreTables tables, long hash, int parent) {
        int at = count++;
        this.tables[at] = tables;
        hashes[at] = hash;
        indexHashes[at] = RowIndex.mix(hash, parent);
    }

    /** The tables of a row. The rows of the records come first. */
    public StoreTables tables(int row) {
        return tables[row];
    }

    /** The hash of the key of record {@code record} of the group. */
    public long hash(int record) {
        return hashes[record];
    }

    /**
     * The row of record {@code record}, as an argument for {@link StoreTables#row}; -1 if there was no row with this
     * hash. Valid after {@link #run}.
     */
    public int likelyRow(int record) {
        return rows[record];
    }

    /** Number of rows added, including nested rows. */
    int count() {
        return count;
    }

    /** Removes all references to tables, so that they can be collected. */
    public void forget() {
        Arrays.fill(tables, null);
        count = 0;
    }

    /**
     * Prefetches index entries, rows, texts of keys and sets for all rows that were added, and for the nested rows of
     * the records.
     *
     * @param bytes the bytes of the batch
     * @param starts for each row that was added, in the same order, the start of its record in {@code bytes}. If
     *     several records have the same row, this is the first of them; nested rows of the others are not prefetched
     */
    public void run(byte[] bytes, int[] starts) {
        int records = count;
        int read = find(0, records);
        if (nesting) {
            addNestedRows(bytes, starts, records);
            read += find(records, count);
        }
        for (int i = 0; i < count; i++) {
            if (rows[i] >= 0) {
                read += tables[i].prefetchRow(rows[i]);
            }
        }
        int multisets = 0;
        boolean texts = false;
        for (int i = 0; i < count; i++) {
            multisets = Math.max(multisets, tables[i].multisets());
            texts |= tables[i].hasTextKeys();
        }
        if (texts) {
            read += prefetchTexts();
        }
        for (int number = 0; number < multisets; number++) {
            read += prefetchSets(number);
        }
        prefetched = read;
    }

    private void addNestedRows(byte[] bytes, int[] starts, int records) {
        try {
            for (int i = 0; i < records; i++) {
                if (rows[i] >= 0 && tables[i].isNesting()) {
                    tables[i].addNestedRows(bytes, starts[i], rows[i], this);
                }
            }
        } catch (IndexOutOfBoundsException e) {
            // A record has a column that the summary does not have. The applier of the record reports it.
        }
    }

    private int find(int from, int to) {
        int read = 0;
        for (int i = from; i < to; i++) {
            read += tables[i].prefetchIndex(indexHashes[i]);
        }
        for (int i = from; i < to; i++) {
            rows[i] = tables[i].likelyRow(indexHashes[i]);
        }
        return read;
    }

    private int prefetchTexts() {
        int read = 0;
        for (int i = 0; i < count; i++) {
            if (rows[i] >= 0 && tables[i].hasTextKeys()) {
                read += tables[i].prefetchTexts(rows[i]);
            }
        }
        return read;
    }

    /** Prefetches the multiset with number {@code number} of each row. */
    private int prefetchSets(int number) {
        for (int i = 0; i < count; i++) {
            places[i] = rows[i] >= 0 ? tables[i].placeOfSet(rows[i], number) : MultisetArena.NO_PLACE;
        }
        int read = 0;
        for (int i = 0; i < count; i++) {
            if (places[i] != MultisetArena.NO_PLACE) {
                read += tables[i].prefetchSet(number, places[i]);
            }
        }
        return read;
    }
}
