package io.summarizer.core.store;

import io.summarizer.core.bytes.Bytes;
import io.summarizer.core.sketch.MultisetArena;

/**
 * Adds the aggregates of another store to the rows of one store. The result is the same as if one store had seen both
 * streams. The caller reads the aggregates from a view of the other store. Adds sums and counts, combines minima and
 * maxima, chooses firsts and lasts by stamp, and forms the unions of sets.
 *
 * <p>Callers enter a row with {@link #enter}, and then add to the columns of the row. Used by the thread that writes
 * the store at that time.
 */
public final class StoreLoader {
    private final SummaryStore store;
    private final RowFormat format;
    private final Cells cells;
    private byte[] key = new byte[256];
    /** The row, its chunk, and its start in the chunk. */
    private int row;

    private byte[] chunk = {};
    private int base;

    /** A loader for the rows of one store, which may be nested. */
    public StoreLoader(SummaryStore store) {
        this.store = store;
        format = store.tables().format;
        cells = store.tables().cells();
    }

    /**
     * Enters the row with this key. The row is made if it does not exist.
     *
     * @param hash hash of the key
     * @param parent the parent row; 0 in a top-level summary
     * @return id of the row, or -1 when the row may not be made because the summary is full
     */
    public int enter(KeyBuffer key, long hash, int parent) {
        encode(key);
        return at(store.loadRow(this.key, 0, hash, parent));
    }

    /**
     * Makes a row with this key. No other row of the store may have the key. Because the index does not contain the new
     * row, no later update finds this row: afterwards, use the store for reading only.
     *
     * @return as {@link #enter}
     */
    public int append(KeyBuffer key, int parent) {
        encode(key);
        return at(store.appendRow(this.key, 0, parent));
    }

    private void encode(KeyBuffer key) {
        int fixed = format.key.fixedBytes();
        int tail = key.length() - fixed;
        if (fixed + 4 + tail > this.key.length) {
            this.key = new byte[2 * (fixed + 4 + tail)];
        }
        System.arraycopy(key.bytes(), 0, this.key, 0, fixed);
        if (format.tailOffset >= 0) {
            Bytes.putInt(this.key, fixed, tail);
            System.arraycopy(key.bytes(), fixed, this.key, fixed + 4, tail);
        }
    }

    private int at(int row) {
        if (row >= 0) {
            this.row = row;
            chunk = store.tables().chunkOf(row);
            base = store.tables().baseOf(row);
        }
        return row;
    }

    /** Adds an integer of 128 bits, given in two halves, to a sum of integers. */
    public void addSum(int column, long low, long high) {
        int cell = base + format.cell(column);
        store.account().loading(true);
        try {
            switch (format.kind(column)) {
                case SUM_INT32 -> cells().mergeInt32(chunk, cell, low, high);
                case SUM_INT64 -> cells().mergeInt64(chunk, cell, low, high);
                default -> throw wrong(column);
            }
        } finally {
            store.account().loading(false);
        }
    }

    /** Adds {@code value} to a sum of integers or a count, or combines it with a minimum or maximum. */
    public void addLong(int column, long value) {
        int cell = base + format.cell(column);
        switch (format.kind(column)) {
            case SUM_INT32, SUM_INT64 -> addSum(column, value, value >> 63);
            case COUNT -> cells().mergeCount(chunk, cell, value);
            case MIN_INT64 -> Cells.min(chunk, cell, flag(column), format.flagMask(column), value);
            case MAX_INT64 -> Cells.max(chunk, cell, flag(column), format.flagMask(column), value);
            default -> throw wrong(column);
        }
    }

    /** Adds {@code value} to a sum of doubles, or combines it with a minimum or maximum. */
    public void addDouble(int column, double value) {
        int cell = base + format.cell(column);
        switch (format.kind(column)) {
            case SUM_DOUBLE -> cells().mergeDouble(chunk, cell, value);
            case MIN_DOUBLE -> Cells.minDouble(chunk, cell, flag(column), format.flagMask(column), value);
            case MAX_DOUBLE -> Cells.maxDouble(chunk, cell, flag(column), format.flagMask(column), value);
            default -> throw wrong(column);
        }
    }

    /** Adds an observation to a first or last integer of the row. */
    public void addStamped(int column, long stamp, long value) {
        int cell = base + format.cell(column);
        switch (format.kind(column)) {
            case FIRST_INT64 -> Cells.first(chunk, cell, flag(column), format.flagMask(column), stamp, value);
            case LAST_INT64 -> Cells.last(chunk, cell, flag(column), format.flagMask(column), stamp, value);
            default -> throw wrong(column);
        }
    }

    /** Adds an observation to a first or last text of the row. */
    public void addText(int column, long stamp, byte[] source, int offset, int length) {
        int cell = base + format.cell(column);
        store.account().loading(true);
        try {
            switch (format.kind(column)) {
                case FIRST_STRING -> cells().firstText(chunk, cell, stamp, source, offset, length);
                case LAST_STRING -> cells().lastText(chunk, cell, stamp, source, offset, length);
                default -> throw wrong(column);
            }
        } finally {
            store.account().loading(false);
        }
    }

    /** Adds a token to a multiset. */
    public void addToken(int column, int token) {
        int cell = base + format.cell(column);
        store.account().loading(true);
        try {
            Bytes.putInt(chunk, cell, sets(column).addToken(Bytes.getInt(chunk, cell), token));
        } finally {
            store.account().loading(false);
        }
    }

    /** Adds a set with registers to a multiset of the row. Each register is one byte. */
    public void addRegisters(int column, byte[] registers) {
        int cell = base + format.cell(column);
        Bytes.putInt(chunk, cell, sets(column).union(Bytes.getInt(chunk, cell), registers));
    }

    /**
     * Unites a multiset with a set of another store.
     *
     * @param other the sets of the other store's column; this column has the same log2m and regwidth
     */
    public void addSet(int column, MultisetArena.View other, int handle) {
        int cell = base + format.cell(column);
        Bytes.putInt(chunk, cell, sets(column).union(Bytes.getInt(chunk, cell), other, handle));
    }

    private Cells cells() {
        store.tables().enter(row); // other loaders may use the same cells
        return cells;
    }

    private MultisetArena sets(int column) {
        MultisetArena arena = cells().sets[column];
        if (arena == null) {
            throw wrong(column);
        }
        return arena;
    }

    private int flag(int column) {
        return base + format.flagByte(column);
    }

    private IllegalArgumentException wrong(int column) {
        return new IllegalArgumentException("column " + column + " is a " + format.kind(column));
    }
}
