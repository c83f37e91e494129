package io.summarizer.core.store;

import io.summarizer.core.snapshot.ChunkedBytes;
import io.summarizer.core.store.SummaryLayout.ValueColumn;
import java.util.List;

/**
 * The layout of a row of a summary. All numbers are little-endian, and there is no padding:
 * <pre>
 *   int parent row (nested summaries only) | key, fixed part | int handle of the key's tail (keys with strings only)
 *   | flags | cells
 * </pre>
 * A new row is all zeros, except for its parent and key. Zeros stand for a sum of 0, a count of 0, an empty multiset,
 * and a clear flag.
 *
 * <p>A row's id combines the number of its chunk and its slot in the chunk: {@code chunk << slotBits | slot}. For rows
 * of any width, a shift and a multiplication turn the id into the place of the row. Ids have gaps; memory has none.
 * Immutable.
 */
public final class RowFormat {
    /** The places of the columns within the key. */
    public final KeyLayout key;

    /** Offset of the key: after the id of the parent row in a nested summary, else 0. */
    public final int keyOffset;

    /** Offset of the handle of the key's tail, or -1. */
    public final int tailOffset;

    private final CellKind[] kinds;
    private final int[] cells;
    /** For each value column: {@code offset of its flag's byte << 3 | bit}, or -1. */
    private final int[] flags;

    /** Bytes of a row. */
    public final int width;

    final int chunkBytes;
    final int rowsPerChunk;
    final int slotBits;
    final int slotMask;

    /**
     * The format of rows of {@code layout}.
     *
     * @param nested whether the summary is nested, so that its rows carry their parent row
     */
    public RowFormat(SummaryLayout layout, boolean nested) {
        key = new KeyLayout(layout.keys());
        int at = nested ? 4 : 0;
        keyOffset = at;
        at += key.fixedBytes();
        tailOffset = key.strings() > 0 ? at : -1;
        at += key.strings() > 0 ? 4 : 0;

        List<ValueColumn> columns = layout.values();
        kinds = new CellKind[columns.size()];
        cells = new int[columns.size()];
        flags = new int[columns.size()];
        int bits = 0;
        for (int i = 0; i < kinds.length; i++) {
            kinds[i] = CellKind.of(columns.get(i).type());
            flags[i] = kinds[i].isFlagged() ? (at << 3) + bits++ : -1;
        }
        at += (bits + 7) >>> 3;
        for (int i = 0; i < kinds.length; i++) {
            cells[i] = at;
            at += kinds[i].bytes();
        }
        width = Math.max(at, 1);
        // A row of a thousand columns may be larger than the default chunk. Each row then has a chunk of its own.
        chunkBytes = Math.max(ChunkedBytes.CHUNK_BYTES, width);
        rowsPerChunk = chunkBytes / width;
        slotBits = 32 - Integer.numberOfLeadingZeros(rowsPerChunk - 1);
        slotMask = (1 << slotBits) - 1;
    }

    /** The contents of the cell of value column {@code column}. */
    public CellKind kind(int column) {
        return kinds[column];
    }

    /** Offset in the row of the cell of value column {@code column}. */
    public int cell(int column) {
        return cells[column];
    }

    /**
     * Offset, within the row, of the byte that has the flag of value column {@code column}. If the column has no flag,
     * the result is -1. The flag is set when the column has an observation.
     */
    public int flagByte(int column) {
        return flags[column] < 0 ? -1 : flags[column] >>> 3;
    }

    /** The mask of the flag of value column {@code column} within its byte. */
    public int flagMask(int column) {
        return 1 << (flags[column] & 7);
    }
}
