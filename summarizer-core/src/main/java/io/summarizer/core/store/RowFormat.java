package io.summarizer.core.store;

import io.summarizer.core.bytes.ChunkedBytes;
import io.summarizer.core.store.SummaryLayout.ValueColumn;
import java.util.List;

/**
 * Where everything lies in a row of a summary, all little-endian and without padding:
 * <pre>
 *   int parent row (nested summaries only) | key, fixed part | int handle of the key's tail (keys with strings only)
 *   | presence bits | cells
 * </pre>
 * A fresh row is all zeros but for its parent and key: a sum of 0, a count of 0, an empty multiset, a clear presence bit.
 *
 * <p>A row's id is its chunk's number and its slot in the chunk, put together: {@code chunk << slotBits | slot}. That
 * costs a shift and a multiplication to resolve whatever the width, wastes no memory and leaves gaps in the ids only.
 * Immutable.
 */
final class RowFormat {
    /** Cell: int, the sum or where it went when it outgrew the cell; {@code SummaryStore.addInt32} says how. */
    static final int SUM_INT32 = 0;
    /** Sum that saturates at the int64 bounds. */
    static final int SUM_INT64 = 1;

    static final int SUM_DOUBLE = 2;
    static final int COUNT = 3;
    static final int MIN_INT64 = 4;
    static final int MAX_INT64 = 5;
    static final int MIN_DOUBLE = 6;
    static final int MAX_DOUBLE = 7;
    /** Cell: long stamp, long value. */
    static final int FIRST_INT64 = 8;

    static final int LAST_INT64 = 9;
    /** Cell: long stamp, int handle of the text, 0 when nothing was seen. */
    static final int FIRST_STRING = 10;

    static final int LAST_STRING = 11;
    /** Cell: int handle of the set, 0 for the empty one. */
    static final int MULTISET = 12;

    private static final int KIND_BITS = 4;

    final KeyLayout key;
    final int keyOffset;
    /** Offset of the handle of the key's tail, or -1. */
    final int tailOffset;
    /** For each value column: {@code offset of its cell << 4 | kind}. */
    final int[] cells;
    /** For each value column: {@code offset of its presence byte << 3 | bit}, or -1. */
    final int[] presence;

    final int width;
    final int chunkBytes;
    final int rowsPerChunk;
    final int slotBits;
    final int slotMask;

    RowFormat(SummaryLayout layout, boolean nested) {
        key = new KeyLayout(layout.keys());
        int at = nested ? 4 : 0;
        keyOffset = at;
        at += key.fixedBytes();
        tailOffset = key.strings() > 0 ? at : -1;
        at += key.strings() > 0 ? 4 : 0;

        List<ValueColumn> columns = layout.values();
        cells = new int[columns.size()];
        presence = new int[columns.size()];
        int bits = 0;
        for (int i = 0; i < cells.length; i++) {
            presence[i] = hasPresence(kind(columns.get(i).type())) ? (at << 3) + bits++ : -1;
        }
        at += (bits + 7) >>> 3;
        for (int i = 0; i < cells.length; i++) {
            int kind = kind(columns.get(i).type());
            cells[i] = at << KIND_BITS | kind;
            at += bytes(kind);
        }
        width = Math.max(at, 1);
        // A row of a thousand columns may be larger than a chunk is by default; it gets a chunk of its own.
        chunkBytes = Math.max(ChunkedBytes.CHUNK_BYTES, width);
        rowsPerChunk = chunkBytes / width;
        slotBits = 32 - Integer.numberOfLeadingZeros(rowsPerChunk - 1);
        slotMask = (1 << slotBits) - 1;
    }

    static int kind(int cell) {
        return cell & ((1 << KIND_BITS) - 1);
    }

    static int offset(int cell) {
        return cell >>> KIND_BITS;
    }

    private static int kind(AggregateType type) {
        return switch (type) {
            case SUMINT32 -> SUM_INT32;
            case SUMINT64, SUMCURRENCY -> SUM_INT64;
            case SUMFLOAT, SUMDOUBLE -> SUM_DOUBLE;
            case COUNT -> COUNT;
            case MININT64, MINTIMESTAMP -> MIN_INT64;
            case MAXINT64, MAXTIMESTAMP -> MAX_INT64;
            case MINDOUBLE -> MIN_DOUBLE;
            case MAXDOUBLE -> MAX_DOUBLE;
            case FIRSTINT64 -> FIRST_INT64;
            case LASTINT64 -> LAST_INT64;
            case FIRSTSTRING -> FIRST_STRING;
            case LASTSTRING -> LAST_STRING;
            case MULTISET64 -> MULTISET;
        };
    }

    private static boolean hasPresence(int kind) {
        return kind >= MIN_INT64 && kind <= LAST_INT64;
    }

    private static int bytes(int kind) {
        return switch (kind) {
            case SUM_INT32, MULTISET -> 4;
            case FIRST_INT64, LAST_INT64 -> 16;
            case FIRST_STRING, LAST_STRING -> 12;
            default -> 8;
        };
    }
}
