package io.summarizer.core.store;

import io.summarizer.core.bytes.Bytes;
import io.summarizer.core.sketch.MultisetArena;
import io.summarizer.core.store.SummaryLayout.ValueColumn;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * How one observation is added to a cell of a row, for every type of aggregate; and the arenas of one store that cells
 * refer to. {@link RowCode} knows which cell lies where and calls these.
 *
 * <p>Whatever the order of updates: an integer sum that would leave int64 stays at the bound it reached and each
 * observation lost to that is counted; a sum of doubles does the same at ±{@link Double#MAX_VALUE}. Doubles must be
 * finite. A {@code row} is the chunk that holds the row, writable; a {@code cell} the offset of the cell in it; {@code
 * flag} and {@code mask} name the bit that says whether a minimum, maximum, first or last saw anything; an {@code op} is how
 * far the column's ops are from the starts of a run's records. A run comes to the same as its records one by one,
 * unless a fault ends it.
 *
 * <p>Belongs to its store and its store's thread. Methods are small enough to be inlined into generated code.
 */
public final class Cells {
    final ByteArena texts = new ByteArena();
    /** For each value column its sets, or null; columns of the same parameters share one. */
    final @Nullable MultisetArena[] sets;
    /** Value columns that have sets. */
    final int[] setColumns;
    /** The sets of each of them. */
    final MultisetArena[] setsByNumber;
    /** The same, each once. */
    final MultisetArena[] arenas;
    /** What views of rows need to find their sets. */
    final List<FrozenSet> frozenSets;

    private long saturations;

    Cells(List<ValueColumn> columns) {
        sets = new MultisetArena[columns.size()];
        for (int i = 0; i < sets.length; i++) {
            ValueColumn column = columns.get(i);
            if (column.type() != AggregateType.MULTISET64) {
                continue;
            }
            for (int j = 0; j < i && sets[i] == null; j++) {
                ValueColumn other = columns.get(j);
                if (sets[j] != null && other.log2m() == column.log2m() && other.regwidth() == column.regwidth()) {
                    sets[i] = sets[j];
                }
            }
            if (sets[i] == null) {
                sets[i] = new MultisetArena(column.log2m(), column.regwidth());
            }
        }
        setColumns = IntStream.range(0, sets.length)
                .filter(column -> sets[column] != null)
                .toArray();
        setsByNumber = new MultisetArena[setColumns.length];
        for (int i = 0; i < setsByNumber.length; i++) {
            setsByNumber[i] = Objects.requireNonNull(sets[setColumns[i]]);
        }
        List<MultisetArena> distinct = Arrays.stream(setsByNumber).distinct().toList();
        arenas = distinct.toArray(MultisetArena[]::new);
        frozenSets = IntStream.range(0, setColumns.length)
                .mapToObj(i ->
                        new FrozenSet(setColumns[i], distinct.indexOf(setsByNumber[i]), setsByNumber[i].parameters()))
                .toList();
    }

    /**
     * What a view knows of a column's sets without their arena, which would keep its chunks beyond the cut.
     *
     * @param column the value column
     * @param arena number of its arena among {@link #arenas}
     */
    record FrozenSet(int column, int arena, MultisetArena.Parameters parameters) {}

    /** Observations lost because a sum stood at its bound. */
    long saturations() {
        return saturations;
    }

    /** Bytes of texts and sets. */
    long bytesUsed() {
        long bytes = texts.allocatedBytes();
        for (MultisetArena arena : arenas) {
            bytes += arena.bytesUsed();
        }
        return bytes;
    }

    /**
     * Adds to a sumint32: a 32-bit cell whose lowest bit tells what the upper 31 are, the sum itself, or the handle of an
     * exact 64-bit cell in the arena, where a sum goes once it does not fit.
     */
    public void addInt32(byte[] row, int cell, long operand) {
        int present = Bytes.getInt(row, cell);
        if ((present & 1) == 0) {
            long sum = sum(present >> 1, operand);
            if (sum << 33 >> 33 == sum) {
                Bytes.putInt(row, cell, (int) sum << 1);
            } else {
                Bytes.putInt(row, cell, texts.putLong(sum) << 1 | 1);
            }
        } else {
            int handle = present >>> 1;
            texts.setLong(handle, sum(texts.getLong(handle), operand));
        }
    }

    /** As {@link #addInt32(byte[], int, long)}, the operands of a run in their order. */
    public void addInt32(byte[] row, int cell, UpdateRun run, int op) {
        int present = Bytes.getInt(row, cell);
        boolean spilled = (present & 1) != 0;
        int handle = present >>> 1;
        long sum = sum(spilled ? texts.getLong(handle) : present >> 1, run, op);
        if (spilled) {
            texts.setLong(handle, sum);
        } else if (sum << 33 >> 33 == sum) {
            Bytes.putInt(row, cell, (int) sum << 1);
        } else {
            Bytes.putInt(row, cell, texts.putLong(sum) << 1 | 1);
        }
    }

    /** Adds to a sumint64 or sumcurrency. */
    public void addInt64(byte[] row, int cell, long operand) {
        Bytes.putLong(row, cell, sum(Bytes.getLong(row, cell), operand));
    }

    /** As {@link #addInt64(byte[], int, long)}, the operands of a run in their order. */
    public void addInt64(byte[] row, int cell, UpdateRun run, int op) {
        Bytes.putLong(row, cell, sum(Bytes.getLong(row, cell), run, op));
    }

    /** Adds to a sum of doubles. */
    public void addDouble(byte[] row, int cell, double operand) {
        putDouble(row, cell, sum(getDouble(row, cell), operand));
    }

    /** As {@link #addDouble(byte[], int, double)}, the operands of a run in their order. */
    public void addDouble(byte[] row, int cell, UpdateRun run, int op) {
        double sum = getDouble(row, cell);
        for (int i = 0; i < run.count(); i++) {
            sum = sum(sum, run.operandDouble(i, op));
        }
        putDouble(row, cell, sum);
    }

    /** Adds what a sumint32 of another store came to. */
    void mergeInt32(byte[] row, int cell, long other) {
        if (!isBound(other)) {
            addInt32(row, cell, other);
            return;
        }
        int present = Bytes.getInt(row, cell);
        if ((present & 1) == 0) {
            Bytes.putInt(row, cell, texts.putLong(merged(present >> 1, other)) << 1 | 1);
        } else {
            int handle = present >>> 1;
            texts.setLong(handle, merged(texts.getLong(handle), other));
        }
    }

    /** Adds what a sumint64, sumcurrency or count of another store came to. */
    void mergeInt64(byte[] row, int cell, long other) {
        Bytes.putLong(row, cell, merged(Bytes.getLong(row, cell), other));
    }

    /** Adds what a sum of doubles of another store came to. */
    void mergeDouble(byte[] row, int cell, double other) {
        if (Math.abs(other) != Double.MAX_VALUE) {
            addDouble(row, cell, other);
            return;
        }
        double present = getDouble(row, cell);
        saturations += present == 0 ? 0 : 1;
        putDouble(row, cell, Math.abs(present) == Double.MAX_VALUE ? Math.max(present, other) : other);
    }

    /** Counts one more. */
    public static void increment(byte[] row, int cell) {
        Bytes.putLong(row, cell, Bytes.getLong(row, cell) + 1);
    }

    /** Counts all records of a run. */
    public static void increment(byte[] row, int cell, UpdateRun run) {
        Bytes.putLong(row, cell, Bytes.getLong(row, cell) + run.count());
    }

    /** Adds a hash to the set of column {@code column}. */
    public void addToSet(int column, byte[] row, int cell, long hash) {
        MultisetArena arena = sets[column];
        assert arena != null : "column " + column + " is no multiset";
        int present = Bytes.getInt(row, cell);
        int handle = arena.add(present, hash);
        if (handle != present) {
            Bytes.putInt(row, cell, handle);
        }
    }

    /** As {@link #addToSet(int, byte[], int, long)}, the hashes of a run. */
    public void addToSet(int column, byte[] row, int cell, UpdateRun run, int op) {
        for (int i = 0; i < run.count(); i++) {
            addToSet(column, row, cell, run.operand(i, op));
        }
    }

    /** Keeps the smallest integer or time. */
    public static void min(byte[] row, int cell, int flag, int mask, long operand) {
        if (isFirst(row, flag, mask) || operand < Bytes.getLong(row, cell)) {
            Bytes.putLong(row, cell, operand);
        }
    }

    /** As {@link #min(byte[], int, int, int, long)}, the operands of a run in their order. */
    public static void min(byte[] row, int cell, int flag, int mask, UpdateRun run, int op) {
        for (int i = 0; i < run.count(); i++) {
            min(row, cell, flag, mask, run.operand(i, op));
        }
    }

    /** Keeps the largest integer or time. */
    public static void max(byte[] row, int cell, int flag, int mask, long operand) {
        if (isFirst(row, flag, mask) || operand > Bytes.getLong(row, cell)) {
            Bytes.putLong(row, cell, operand);
        }
    }

    /** As {@link #max(byte[], int, int, int, long)}, the operands of a run in their order. */
    public static void max(byte[] row, int cell, int flag, int mask, UpdateRun run, int op) {
        for (int i = 0; i < run.count(); i++) {
            max(row, cell, flag, mask, run.operand(i, op));
        }
    }

    /** Keeps the smallest double; -0.0 is less than 0.0. */
    public static void minDouble(byte[] row, int cell, int flag, int mask, double operand) {
        putDouble(row, cell, isFirst(row, flag, mask) ? operand : Math.min(getDouble(row, cell), operand));
    }

    /** As {@link #minDouble(byte[], int, int, int, double)}, the operands of a run in their order. */
    public static void minDouble(byte[] row, int cell, int flag, int mask, UpdateRun run, int op) {
        for (int i = 0; i < run.count(); i++) {
            minDouble(row, cell, flag, mask, run.operandDouble(i, op));
        }
    }

    /** Keeps the largest double; 0.0 is greater than -0.0. */
    public static void maxDouble(byte[] row, int cell, int flag, int mask, double operand) {
        putDouble(row, cell, isFirst(row, flag, mask) ? operand : Math.max(getDouble(row, cell), operand));
    }

    /** As {@link #maxDouble(byte[], int, int, int, double)}, the operands of a run in their order. */
    public static void maxDouble(byte[] row, int cell, int flag, int mask, UpdateRun run, int op) {
        for (int i = 0; i < run.count(); i++) {
            maxDouble(row, cell, flag, mask, run.operandDouble(i, op));
        }
    }

    /** Keeps the integer with the smallest stamp; of equal ones, the earlier applied. */
    public static void first(byte[] row, int cell, int flag, int mask, long stamp, long operand) {
        if (isFirst(row, flag, mask) || stamp < Bytes.getLong(row, cell)) {
            Bytes.putLong(row, cell, stamp);
            Bytes.putLong(row, cell + 8, operand);
        }
    }

    /** As {@link #first(byte[], int, int, int, long, long)}, the operands of a run in their order. */
    public static void first(byte[] row, int cell, int flag, int mask, UpdateRun run, int op) {
        for (int i = 0; i < run.count(); i++) {
            first(row, cell, flag, mask, run.stamp(i), run.operand(i, op));
        }
    }

    /** Keeps the integer with the largest stamp; of equal ones, the later applied. */
    public static void last(byte[] row, int cell, int flag, int mask, long stamp, long operand) {
        if (isFirst(row, flag, mask) || stamp >= Bytes.getLong(row, cell)) {
            Bytes.putLong(row, cell, stamp);
            Bytes.putLong(row, cell + 8, operand);
        }
    }

    /** As {@link #last(byte[], int, int, int, long, long)}, the operands of a run in their order. */
    public static void last(byte[] row, int cell, int flag, int mask, UpdateRun run, int op) {
        for (int i = 0; i < run.count(); i++) {
            last(row, cell, flag, mask, run.stamp(i), run.operand(i, op));
        }
    }

    /** Keeps the text with the smallest stamp; of equal ones, the earlier applied. */
    public void firstText(byte[] row, int cell, long stamp, byte[] source, int offset, int length) {
        if (Bytes.getInt(row, cell + 8) == 0 || stamp < Bytes.getLong(row, cell)) {
            putText(row, cell, stamp, source, offset, length);
        }
    }

    /** Keeps the text with the largest stamp; of equal ones, the later applied. */
    public void lastText(byte[] row, int cell, long stamp, byte[] source, int offset, int length) {
        if (Bytes.getInt(row, cell + 8) == 0 || stamp >= Bytes.getLong(row, cell)) {
            putText(row, cell, stamp, source, offset, length);
        }
    }

    private void putText(byte[] row, int cell, long stamp, byte[] source, int offset, int length) {
        Bytes.putLong(row, cell, stamp);
        Bytes.putInt(row, cell + 8, texts.put(Bytes.getInt(row, cell + 8), source, offset, length));
    }

    private static boolean isFirst(byte[] row, int flag, int mask) {
        if ((row[flag] & mask) != 0) {
            return false;
        }
        row[flag] |= (byte) mask;
        return true;
    }

    private long sum(long present, UpdateRun run, int op) {
        long sum = present;
        for (int i = 0; i < run.count(); i++) {
            sum = sum(sum, run.operand(i, op));
        }
        return sum;
    }

    private double sum(double present, double operand) {
        assert Double.isFinite(operand);
        double sum = present + operand;
        return Math.abs(present) == Double.MAX_VALUE || Double.isInfinite(sum) ? saturated(present, operand) : sum;
    }

    private long sum(long present, long operand) {
        long sum = present + operand;
        boolean stuck = isBound(present);
        return stuck || ((present ^ sum) & (operand ^ sum)) < 0 ? saturated(present, operand, stuck) : sum;
    }

    /**
     * The sum of two sums. One that stands at a bound is there because observations were lost to it, so it stays there
     * whichever of the two is the present one; of both bounds, the upper.
     */
    private long merged(long present, long other) {
        if (!isBound(other)) {
            return sum(present, other);
        }
        saturations += present == 0 ? 0 : 1;
        return isBound(present) ? Math.max(present, other) : other;
    }

    private static boolean isBound(long sum) {
        return (sum ^ (sum >> 63)) == Long.MAX_VALUE;
    }

    private long saturated(long present, long operand, boolean stuck) {
        saturations += operand == 0 ? 0 : 1;
        if (stuck) {
            return present;
        }
        return operand < 0 ? Long.MIN_VALUE : Long.MAX_VALUE;
    }

    private double saturated(double present, double operand) {
        saturations += operand == 0 ? 0 : 1;
        return Math.abs(present) == Double.MAX_VALUE ? present : Math.copySign(Double.MAX_VALUE, operand);
    }

    /** The double whose bits lie at {@code offset}. */
    public static double getDouble(byte[] bytes, int offset) {
        return Double.longBitsToDouble(Bytes.getLong(bytes, offset));
    }

    private static void putDouble(byte[] bytes, int offset, double value) {
        Bytes.putLong(bytes, offset, Double.doubleToRawLongBits(value));
    }
}
