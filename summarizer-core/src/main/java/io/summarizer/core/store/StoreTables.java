package io.summarizer.core.store;

import io.summarizer.core.bytes.ByteAccount;
import io.summarizer.core.bytes.Refusals;
import io.summarizer.core.sketch.MultisetArena;
import io.summarizer.core.snapshot.ChunkedBytes;
import io.summarizer.core.snapshot.FrozenTables;
import io.summarizer.core.store.SummaryLayout.ValueColumn;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The tables of one partition of a summary: the chunks of rows, and the arenas of texts and sets to which rows refer.
 * Also has the data that are the same for all rows.
 *
 * <p>If the summary has windows, the stores of all windows share the tables. Each store has regions of its own in them,
 * so the rows of a closed window are released at once. If each store had tables of its own, the tables of a thousand
 * stores would not fit into the processor's caches, and an update would wait for them longer than for its row.
 *
 * <p>Used by the thread that writes the stores.
 */
final class StoreTables {
    final RowFormat format;
    final ChunkedBytes rows;
    final Cells cells;
    /** For each column that has sets, in the order of columns, the arena of its sets. */
    final MultisetArena[] setsByNumber;
    /** For each column that has sets, in the order of columns, the offset of its cell in a row. */
    final int[] setCells;
    /** All arenas of sets, each once. */
    final MultisetArena[] arenas;
    /** For each column that has sets, the data with which a view of the rows finds the column's sets. */
    final List<FrozenSet> frozenSets;

    final RecordFormat record;
    /** The refusals of all stores, and of the stores nested in them. */
    final Refusals refusals;

    /**
     * The data that a view needs to read a column's sets. A view has no reference to the arena itself, because such a
     * reference would keep the arena's chunks in memory longer than the cut.
     *
     * @param column the value column
     * @param arena position of the column's arena in {@link #arenas}
     */
    record FrozenSet(int column, int arena, MultisetArena.Parameters parameters) {}

    /** Tables without rows. */
    StoreTables(SummaryLayout layout, boolean nested, Refusals refusals) {
        this.refusals = refusals;
        format = new RowFormat(layout, nested);
        rows = new ChunkedBytes(format.chunkBytes, ByteAccount.unbounded());
        List<ValueColumn> columns = layout.values();
        record = new RecordFormat(layout);
        // For each value column, the arena of the column's sets. Columns with the same parameters share an arena.
        @Nullable MultisetArena[] sets = new MultisetArena[columns.size()];
        cells = new Cells(sets, refusals);
        int distinct = 0;
        for (int i = 0; i < sets.length; i++) {
            ValueColumn column = columns.get(i);
            if (column.type() == AggregateType.MULTISET64) {
                MultisetArena shared = withSameParameters(sets, columns, i);
                sets[i] = shared != null
                        ? shared
                        : new MultisetArena(column.log2m(), column.regwidth(), cells::setsOf, distinct++);
            }
        }
        int[] setColumns = IntStream.range(0, sets.length)
                .filter(column -> sets[column] != null)
                .toArray();
        setsByNumber = Arrays.stream(setColumns)
                .mapToObj(column -> Objects.requireNonNull(sets[column]))
                .toArray(MultisetArena[]::new);
        setCells = Arrays.stream(setColumns).map(format::cell).toArray();
        List<MultisetArena> arenas = Arrays.stream(setsByNumber).distinct().toList();
        this.arenas = arenas.toArray(MultisetArena[]::new);
        frozenSets = IntStream.range(0, setColumns.length)
                .mapToObj(i ->
                        new FrozenSet(setColumns[i], arenas.indexOf(setsByNumber[i]), setsByNumber[i].parameters()))
                .toList();
    }

    private static @Nullable MultisetArena withSameParameters(
            @Nullable MultisetArena[] sets, List<ValueColumn> columns, int column) {
        for (int i = 0; i < column; i++) {
            if (sets[i] != null
                    && columns.get(i).log2m() == columns.get(column).log2m()
                    && columns.get(i).regwidth() == columns.get(column).regwidth()) {
                return sets[i];
            }
        }
        return null;
    }

    /** Number of notes that {@link #freeze} makes. */
    int notes() {
        return 2 + arenas.length * MultisetArena.NOTES;
    }

    /** Makes notes of all tables as they are now; returns the number of the first note. */
    int freeze(FrozenTables into) {
        int first = rows.freeze(into);
        cells.texts.freeze(into);
        for (MultisetArena arena : arenas) {
            arena.freeze(into);
        }
        return first;
    }

    /** Makes the notes of {@link #freeze} for views of rows that are not written any more; see {@link ChunkedBytes#note}. */
    int note(FrozenTables into) {
        int first = rows.note(into);
        cells.texts.note(into);
        for (MultisetArena arena : arenas) {
            arena.note(into);
        }
        return first;
    }
}
