package io.summarizer.core.store;

import io.summarizer.core.bytes.Bytes;
import io.summarizer.core.store.AggregateType.Operand;
import io.summarizer.core.store.SummaryLayout.ValueColumn;
import java.util.Arrays;
import java.util.List;

/**
 * The layout of the records of an {@link UpdateBatch} for one summary: where the parts of a record are. Immutable. It
 * needs no store, so a walk over records does not wait for cache misses of stores.
 */
public final class RecordFormat {
    private final int fixedBytes;
    private final boolean hasTail;
    /** For each value column, whether its operands may be in an {@link UpdateRun}, which takes no texts. */
    private final boolean[] addable;

    private final RecordFormat[] nested;

    RecordFormat(SummaryLayout layout) {
        KeyLayout key = new KeyLayout(layout.keys());
        fixedBytes = key.fixedBytes();
        hasTail = key.strings() > 0;
        List<ValueColumn> columns = layout.values();
        addable = new boolean[columns.size()];
        for (int i = 0; i < addable.length; i++) {
            addable[i] = columns.get(i).type().operand() != Operand.STRING;
        }
        nested = layout.nested().stream().map(RecordFormat::new).toArray(RecordFormat[]::new);
    }

    /** Whether two keys with equal fixed parts have the same strings. */
    boolean isSameTail(byte[] bytes, int key, int other) {
        return !hasTail
                || Arrays.equals(
                        bytes,
                        key + fixedBytes,
                        key + keyLength(bytes, key),
                        bytes,
                        other + fixedBytes,
                        other + keyLength(bytes, other));
    }

    /**
     * Whether a record may be in an {@link UpdateRun}: no operand is a text, and each column occurs at most once. If
     * so, the run can be applied column by column or record by record, with the same result.
     */
    public boolean isFitForRun(byte[] bytes, int offset) {
        int end = offset + Bytes.getInt(bytes, offset);
        long seen = 0;
        for (int at = offset + opsOf(bytes, offset); at < end; at += UpdateRun.OP_BYTES) {
            int column = Bytes.getShort(bytes, at);
            long bit = 1L << column; // columns 64 apart share a bit, which is safe
            if (column < 0 || column >= addable.length || !addable[column] || (seen & bit) != 0) {
                return false;
            }
            seen |= bit;
        }
        return true;
    }

    /**
     * Whether a record has the same columns in the same places as another record. The caller has checked that both
     * records have the same key, and that {@link #isFitForRun} is true for the other record.
     */
    public boolean isOfRun(byte[] bytes, int offset, int other) {
        int end = Bytes.getInt(bytes, offset);
        int differences = end ^ Bytes.getInt(bytes, other);
        if (differences == 0) {
            for (int at = opsOf(bytes, offset); at < end; at += UpdateRun.OP_BYTES) {
                differences |= Bytes.getShort(bytes, offset + at) ^ Bytes.getShort(bytes, other + at);
            }
        }
        return differences == 0;
    }

    /** Distance from the start of a record to its first op. */
    int opsOf(byte[] bytes, int record) {
        return UpdateBatch.KEY_OFFSET + keyLength(bytes, record + UpdateBatch.KEY_OFFSET);
    }

    /** Bytes of a key, with its strings. */
    int keyLength(byte[] bytes, int key) {
        return hasTail ? fixedBytes + Integer.BYTES + UpdateBatch.textBytes(bytes, key + fixedBytes) : fixedBytes;
    }

    /** The place after an operand of a value column. */
    int operandEnd(int column, byte[] bytes, int operand) {
        return operand + (addable[column] ? Long.BYTES : Integer.BYTES + UpdateBatch.textBytes(bytes, operand));
    }

    /** The place after the LEAVE of a nested block in this format. The hash of the block's key is at {@code hash}. */
    int blockEnd(byte[] bytes, int hash) {
        int key = hash + Long.BYTES;
        int at = key + keyLength(bytes, key);
        while (true) {
            int column = Bytes.getShort(bytes, at);
            at += Short.BYTES;
            if (column == UpdateBatch.LEAVE) {
                return at;
            }
            at = column < UpdateBatch.ENTER
                    ? operandEnd(column, bytes, at)
                    : nested[column & ~UpdateBatch.ENTER].blockEnd(bytes, at);
        }
    }
}
