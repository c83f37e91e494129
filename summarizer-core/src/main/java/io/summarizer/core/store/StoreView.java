package io.summarizer.core.store;

import io.summarizer.core.bytes.ChunkedBytes;
import io.summarizer.core.sketch.MultisetArena;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One partition of a summary as it was at one moment, with the partitions of its nested summaries. Immutable; any thread
 * may read it, each through a {@link #cursor} of its own, for as long as its cut is held.
 */
public final class StoreView {
    private final SummaryLayout layout;
    private final RowFormat format;
    private final ChunkedBytes.Frozen rows;
    private final long rowCount;
    private final int slotsInLastChunk;
    private final ChunkedBytes.Frozen texts;
    /** Value columns that have sets, and these. */
    private final int[] setColumns;

    private final MultisetArena.View[] sets;
    private final List<StoreView> nested;

    StoreView(
            SummaryLayout layout,
            RowFormat format,
            ChunkedBytes.Frozen rows,
            long rowCount,
            int slotsInLastChunk,
            ChunkedBytes.Frozen texts,
            int[] setColumns,
            MultisetArena.View[] sets,
            List<StoreView> nested) {
        this.layout = layout;
        this.format = format;
        this.rows = rows;
        this.rowCount = rowCount;
        this.slotsInLastChunk = slotsInLastChunk;
        this.texts = texts;
        this.setColumns = setColumns;
        this.sets = sets;
        this.nested = List.copyOf(nested);
    }

    /** Shape of the summary. */
    public SummaryLayout layout() {
        return layout;
    }

    /** Rows of this summary, without those of nested ones. */
    public long rows() {
        return rowCount;
    }

    /** The view of the nested summary with this position. */
    public StoreView nested(int position) {
        return nested.get(position);
    }

    /** How many rows {@link #cursor} comes by before the one with this id. */
    public int ordinal(int row) {
        return (row >>> format.slotBits) * format.rowsPerChunk + (row & format.slotMask);
    }

    /** A cursor before the first row. */
    public RowCursor cursor() {
        @Nullable
        MultisetArena.View[] ofColumns = new MultisetArena.View[layout.values().size()];
        for (int i = 0; i < sets.length; i++) {
            ofColumns[setColumns[i]] = sets[i];
        }
        return new RowCursor(format, rows, slotsInLastChunk, new ByteArena.View(texts), ofColumns);
    }
}
