package io.summarizer.core.store;

import io.summarizer.core.sketch.MultisetArena;
import io.summarizer.core.snapshot.FrozenTables;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One partition of a summary at one moment, with the partitions of its nested summaries. Immutable. While the cut is
 * held, any thread may read the view; each thread needs its own {@link #cursor}.
 */
public final class StoreView {
    private final SummaryLayout layout;
    private final long window;
    private final RowFormat format;
    private final List<StoreTables.FrozenSet> sets;
    private final FrozenTables tables;
    /**
     * Position in {@link #tables} of the first note of the tables. The first note has the chunks of the rows. The notes
     * after it have the texts and the sets. The views of several windows share the notes.
     */
    private final int first;

    private final RowChunks chunks;

    private final long rowCount;
    private final int slotsInLastChunk;
    private final List<StoreView> nested;

    StoreView(
            SummaryLayout layout,
            long window,
            RowFormat format,
            List<StoreTables.FrozenSet> sets,
            FrozenTables tables,
            int first,
            RowChunks chunks,
            long rowCount,
            int slotsInLastChunk,
            List<StoreView> nested) {
        this.layout = layout;
        this.window = window;
        this.format = format;
        this.sets = sets;
        this.tables = tables;
        this.first = first;
        this.chunks = chunks;
        this.rowCount = rowCount;
        this.slotsInLastChunk = slotsInLastChunk;
        this.nested = nested;
    }

    /** Shape of the summary. */
    public SummaryLayout layout() {
        return layout;
    }

    /**
     * Start of the window to which all rows belong, in µs since the epoch; {@link SummaryStore#NO_WINDOW} if the
     * summary has no windows.
     */
    public long window() {
        return window;
    }

    /** Number of rows of this summary, without rows of nested summaries. */
    public long rows() {
        return rowCount;
    }

    /** The view of the nested summary with this position. */
    public StoreView nested(int position) {
        return nested.get(position);
    }

    /** The number of rows that a {@link #cursor} visits before it comes to the row with this id. */
    public int ordinal(int row) {
        return chunks.position(row >>> format.slotBits) * format.rowsPerChunk + (row & format.slotMask);
    }

    /**
     * A cursor before the first row.
     *
     * @throws io.summarizer.core.snapshot.CutRevokedException when the cut was revoked or released; thrown by this
     *     call, or when the first row is read
     */
    public RowCursor cursor() {
        @Nullable
        MultisetArena.View[] ofColumns = new MultisetArena.View[layout.values().size()];
        for (StoreTables.FrozenSet set : sets) {
            int note = first + 2 + set.arena() * MultisetArena.NOTES;
            ofColumns[set.column()] = new MultisetArena.View(set.parameters(), tables, note);
        }
        return new RowCursor(
                format,
                tables.view(first),
                chunks,
                slotsInLastChunk,
                new ByteArena.View(tables.view(first + 1)),
                ofColumns);
    }
}
