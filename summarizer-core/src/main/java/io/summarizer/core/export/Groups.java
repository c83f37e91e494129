package io.summarizer.core.export;

import io.summarizer.core.store.AggregateType;
import io.summarizer.core.store.KeyBuffer;
import io.summarizer.core.store.KeyLayout;
import io.summarizer.core.store.KeyType;
import io.summarizer.core.store.LoadedRowCode;
import io.summarizer.core.store.RowCursor;
import io.summarizer.core.store.RowLimit;
import io.summarizer.core.store.StoreLoader;
import io.summarizer.core.store.StoreView;
import io.summarizer.core.store.SummaryStore;
import io.summarizer.core.time.Windows;
import org.jspecify.annotations.Nullable;

/**
 * The groups of one running {@link Rollup}. The groups are rows of a separate store, so that the code that merges
 * states can also merge the values of a group. Sums and counts are added, minima and maxima are compared, firsts and
 * lasts are chosen by stamp, and sets become their union. Two results depend on the order of the rows. One is the
 * rounding of sums of doubles. The other is the first or last value when one message had several values, because these
 * have the same stamp.
 *
 * <p>Belongs to one export. Cost of a row: a hash of its group's key, a lookup, and a merge of each value. Makes no
 * object per row. A group takes as much memory as a row of a summary.
 */
final class Groups implements AutoCloseable {
    private final Rollup rollup;
    private final ExportMemory memory;
    private final RowLimit limit;
    private final SummaryStore store;
    private final StoreLoader group;
    private final AggregateType[] types;
    private final KeyBuffer key;
    /** The windows to group by, which are in the first key column; null when rows are not grouped by windows. */
    private final @Nullable Windows windows;
    /** Bytes taken from the memory. */
    private long taken;

    /**
     * Makes an object that has no groups yet. For a rollup without key columns, the object already has the single group
     * of all rows.
     */
    Groups(Rollup rollup, ExportMemory memory) {
        this.rollup = rollup;
        this.memory = memory;
        windows = rollup.every() == null ? null : rollup.every().windows();
        KeyLayout layout = new KeyLayout(rollup.layout().keys());
        limit = RowLimit.of(rollup.layout(), Long.MAX_VALUE);
        store = new SummaryStore(rollup.layout(), LoadedRowCode.of(rollup.layout()), limit);
        group = new StoreLoader(store);
        types = rollup.layout().values().stream().map(value -> value.type()).toArray(AggregateType[]::new);
        key = new KeyBuffer(layout);
        if (layout.columns() == 0) {
            key.reset();
            var unused = group.enter(key, key.hash(), 0);
        }
    }

    /**
     * Adds a row to its group.
     *
     * @param rows a cursor for each level, as for a {@link CsvRowWriter}
     * @throws CsvQueryException when the groups take too much memory
     */
    void add(RowCursor[] rows) throws CsvQueryException {
        key.reset();
        for (int column = 0; column < rollup.sources().size(); column++) {
            Rollup.Source source = rollup.sources().get(column);
            put(column, rows[source.level()], source.position(), source.column().type());
        }
        if (group.enter(key, key.hash(), 0) < 0) {
            throw new CsvQueryException(CsvQueryException.Reason.TOO_LARGE, "too many groups; group by fewer columns");
        }
        RowCursor row = rows[rows.length - 1];
        for (int column = 0; column < types.length; column++) {
            merge(column, row);
        }
        long used = limit.bytes().used();
        if (used > taken) {
            memory.take(taken, used - taken);
            taken = used;
        }
    }

    private void put(int column, RowCursor row, int position, KeyType type) {
        if (column == 0 && windows != null) {
            key.setLong(0, windows.start(row.keyLong(position)));
        } else if (row.isKeyNull(position)) {
            key.setNull(column);
        } else if (type == KeyType.STRING) {
            row.readKeyText(position);
            key.setString(column, row.text(), row.textOffset(), row.textLength());
        } else {
            key.setLong(column, row.keyLong(position));
        }
    }

    private void merge(int column, RowCursor row) {
        if (row.isEmpty(column)) {
            return;
        }
        switch (types[column]) {
            case SUMINT32, SUMINT64, SUMCURRENCY -> {
                long low = row.sum(column);
                group.addSum(column, low, row.high());
            }
            case COUNT, MININT64, MAXINT64, MINTIMESTAMP, MAXTIMESTAMP -> group.addLong(column, row.longValue(column));
            case SUMFLOAT, SUMDOUBLE, MINDOUBLE, MAXDOUBLE -> group.addDouble(column, row.doubleValue(column));
            case FIRSTINT64, LASTINT64 -> group.addStamped(column, row.stamp(column), row.longValue(column));
            case FIRSTSTRING, LASTSTRING -> {
                row.readText(column);
                group.addText(column, row.stamp(column), row.text(), row.textOffset(), row.textLength());
            }
            case MULTISET64 -> group.addSet(column, row.sets(column), row.setHandle(column));
        }
    }

    /** The groups as the rows of a table. Do not add a row after this call. */
    StoreView view() {
        return store.freeze();
    }

    /** Returns the memory. */
    @Override
    public void close() {
        memory.giveBack(taken);
        taken = 0;
    }
}
