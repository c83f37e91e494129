package io.summarizer.core.store;

import io.summarizer.core.bytes.ByteAccount;
import io.summarizer.core.bytes.Bytes;
import io.summarizer.core.bytes.Refusals;
import io.summarizer.core.sketch.MultisetArena;
import io.summarizer.core.snapshot.ChunkedBytes;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Adds observations to the cells of a row, for every type of aggregate. Cells refer to texts and sets, which are in the
 * regions of their store. {@link RowCode} knows the places of cells and calls these methods.
 *
 * <p>Integer sums are exact, whatever the order of updates. A sum that no longer fits its cell gets 128 bits in the
 * arena of texts, and stays there. A sum can overflow 128 bits only if it comes from a crafted file. In this case, the
 * sum stays at its bound, and each lost observation is counted. In the same way, a sum of doubles stays at ±{@link
 * Double#MAX_VALUE}. Operands that are doubles must be finite.
 *
 * <p>In all methods, {@code row} is the writable chunk that holds the row. {@code cell} is the offset of the cell in
 * this chunk. {@code flag} and {@code mask} name the bit that tells whether a minimum, maximum, first or last has an
 * observation. A method that takes an {@link UpdateRun} has the same result as one call for each record of the run,
 * unless a fault ends the method. Its parameter {@code op} is the distance from the start of each record to the op of
 * the column in that record. When the {@link ByteAccount} allows no more bytes, a longer text or a larger set is
 * refused, and the account counts the refusal.
 *
 * <p>The stores that share {@link StoreTables} share this object. Used on their thread, after {@link #enter}. Methods
 * are small enough to be inlined into generated code.
 *
 * <p>This class has more than 500 lines, because generated code calls one object for all types of aggregates.
 */
public final class Cells {
    final ByteArena texts = new ByteArena();
    /** For each value column, the arena of the column's sets, as in {@link StoreTables}. */
    final @Nullable MultisetArena[] sets;

    private final Refusals refusals;
    /** The regions by number; null where a number is free. */
    private @Nullable Region[] regions = new Region[1];
    /** For each chunk of rows, the number of its region. */
    private int[] regionOfChunk = new int[4];
    /** Number of the chunk whose rows are updated. Its region is looked up only when a text or set needs memory. */
    private int chunk;

    /** The texts and sets of one store, which are released together, and its lost observations. */
    static final class Region {
        private final ByteArena.Region texts;
        private final MultisetArena.Region[] sets;
        /** Number of observations that were lost because a sum was at its bound. */
        long saturations;

        private Region(ByteAccount account, MultisetArena[] arenas) {
            texts = new ByteArena.Region(account);
            sets = Arrays.stream(arenas).map(arena -> arena.newRegion(account)).toArray(MultisetArena.Region[]::new);
        }

        /** Bytes of texts and sets. */
        long bytesUsed() {
            long bytes = texts.bytesUsed();
            for (MultisetArena.Region region : sets) {
                bytes += region.bytesUsed();
            }
            return bytes;
        }
    }

    /** If the value of a 64-bit cell is below this bound, the lower half of the value is a handle. */
    private static final long HANDLES_END = Long.MIN_VALUE + (1L << 32);

    /**
     * Cells without regions.
     *
     * @param sets for each value column, the arena of the column's sets
     */
    Cells(@Nullable MultisetArena[] sets, Refusals refusals) {
        this.sets = sets;
        this.refusals = refusals;
    }

    /**
     * Adds a region without texts and sets; returns its number. {@code account} will count the bytes of texts and sets,
     * and is asked before a text or set grows.
     */
    int add(ByteAccount account, MultisetArena[] arenas) {
        int number = 0;
        while (number < regions.length && regions[number] != null) {
            number++;
        }
        if (number == regions.length) {
            regions = Arrays.copyOf(regions, 2 * number);
        }
        regions[number] = new Region(account, arenas);
        return number;
    }

    Region region(int number) {
        Region region = regions[number];
        assert region != null : "region " + number + " was released";
        return region;
    }

    /** The rows of a new chunk will have their texts and sets in the region with this number. */
    void assign(int chunk, int number) {
        if (chunk >= regionOfChunk.length) {
            regionOfChunk = Arrays.copyOf(regionOfChunk, Math.max(2 * regionOfChunk.length, chunk + 1));
        }
        regionOfChunk[chunk] = number;
    }

    /** The number of the region of a chunk of rows. */
    int regionOf(int chunk) {
        return regionOfChunk[chunk];
    }

    /** The calls from now on are about rows of this chunk. */
    void enter(int chunk) {
        this.chunk = chunk;
    }

    /** The present region of one of the arenas. */
    MultisetArena.Region setsOf(int arena) {
        return present().sets[arena];
    }

    private Region present() {
        return region(regionOfChunk[chunk]);
    }

    /** Releases all texts and sets of a region, as {@link ChunkedBytes#release}. */
    void release(int number, MultisetArena[] arenas) {
        Region region = region(number);
        texts.release(region.texts);
        for (int i = 0; i < arenas.length; i++) {
            arenas[i].release(region.sets[i]);
        }
        regions[number] = null;
    }

    /** Stores the tail of a key; returns its handle. */
    int putTail(byte[] source, int offset, int length) {
        return texts.put(present().texts, 0, source, offset, length);
    }

    /**
     * Adds to a sumint32, which is a cell of 32 bits. As long as the sum fits, the lowest bit is 0, and the upper 31
     * bits are the sum. Otherwise, the lowest bit is 1, and the upper 31 bits are the handle of a 128-bit sum in the
     * arena. The addition is refused when the arena must not grow.
     */
    public void addInt32(byte[] row, int cell, long operand) {
        if (!tryAddInt32(row, cell, operand)) {
            refusals.add();
        }
    }

    private boolean tryAddInt32(byte[] row, int cell, long operand) {
        int present = Bytes.getInt(row, cell);
        if ((present & 1) == 0) {
            long sum = (present >> 1) + operand; // does not fit 31 bits after an overflow, either
            if (sum << 33 >> 33 == sum) {
                Bytes.putInt(row, cell, (int) sum << 1);
                return true;
            }
            if (!ByteArena.hasRoomForWide(present().texts)) {
                return false;
            }
        }
        addWide(wideOfInt32(row, cell), operand, operand >> 63);
        return true;
    }

    /** Does {@link #addInt32(byte[], int, long)} for all operands of a run, in their order. */
    public void addInt32(byte[] row, int cell, UpdateRun run, int op) {
        long sum = run.sum(op);
        if (sum != UpdateRun.NO_SUM && tryAddInt32(row, cell, sum)) {
            return;
        }
        for (int i = 0; i < run.count(); i++) {
            if (!tryAddInt32(row, cell, run.operand(i, op))) {
                refusals.add();
                run.refuse(i);
            }
        }
    }

    /** Returns the handle of the 128-bit sum of a sumint32; moves the sum to the arena if necessary. */
    private int wideOfInt32(byte[] row, int cell) {
        int present = Bytes.getInt(row, cell);
        if ((present & 1) != 0) {
            return present >>> 1;
        }
        int handle = texts.putWide(present().texts, present >> 1, present >> 31);
        Bytes.putInt(row, cell, handle << 1 | 1);
        return handle;
    }

    /**
     * Adds to a sumint64 or sumcurrency, which is a cell of 64 bits. When the sum does not fit the cell, the sum goes
     * to the arena as a 128-bit sum. The lower half of the cell then holds the handle of this sum. The upper half of
     * the cell then equals the upper half of the least int64, as a mark. A 64-bit sum with this upper half would look
     * like a handle, so it also goes to the arena. The addition is refused when the arena must not grow.
     */
    public void addInt64(byte[] row, int cell, long operand) {
        if (!tryAddInt64(row, cell, operand)) {
            refusals.add();
        }
    }

    private boolean tryAddInt64(byte[] row, int cell, long operand) {
        long present = Bytes.getLong(row, cell);
        long sum = present + operand;
        if (((present ^ sum) & (operand ^ sum)) < 0 || Math.min(present, sum) < HANDLES_END) {
            if (!isHandle(present) && !ByteArena.hasRoomForWide(present().texts)) {
                return false;
            }
            addWide(wideOfInt64(row, cell), operand, operand >> 63);
        } else {
            Bytes.putLong(row, cell, sum);
        }
        return true;
    }

    /** Does {@link #addInt64(byte[], int, long)} for all operands of a run, in their order. */
    public void addInt64(byte[] row, int cell, UpdateRun run, int op) {
        long sum = run.sum(op);
        if (sum != UpdateRun.NO_SUM && tryAddInt64(row, cell, sum)) {
            return;
        }
        for (int i = 0; i < run.count(); i++) {
            if (!tryAddInt64(row, cell, run.operand(i, op))) {
                refusals.add();
                run.refuse(i);
            }
        }
    }

    /** Returns the handle of the 128-bit sum of a sumint64 or sumcurrency; moves the sum to the arena if necessary. */
    private int wideOfInt64(byte[] row, int cell) {
        long present = Bytes.getLong(row, cell);
        if (isHandle(present)) {
            return (int) present;
        }
        int handle = texts.putWide(present().texts, present, present >> 63);
        Bytes.putLong(row, cell, Long.MIN_VALUE + handle);
        return handle;
    }

    /** Whether the cell of a sumint64 or sumcurrency has a handle in its lower half; otherwise, the cell has a sum. */
    static boolean isHandle(long cell) {
        return cell < HANDLES_END;
    }

    /**
     * Adds 128 bits to a sum in the arena. A sum at a bound has lost observations, so it must stay there: if one of the
     * two sums is at a bound, the result is at this bound. If the two sums are at different bounds, the result is at
     * the upper bound.
     */
    private void addWide(int handle, long low, long high) {
        long presentLow = texts.low(handle);
        long presentHigh = texts.high(handle);
        long sumLow = presentLow + low;
        long sumHigh = presentHigh + high + (Long.compareUnsigned(sumLow, low) < 0 ? 1 : 0);
        boolean stuck = isBound(presentLow, presentHigh);
        boolean bound = isBound(low, high);
        if (stuck || bound || ((presentHigh ^ sumHigh) & (high ^ sumHigh)) < 0) {
            present().saturations += (low | high) == 0 || (bound && (presentLow | presentHigh) == 0) ? 0 : 1;
            sumHigh = stuck && bound ? Math.max(presentHigh, high) : stuck ? presentHigh : high;
            sumHigh = sumHigh < 0 ? Long.MIN_VALUE : Long.MAX_VALUE;
            sumLow = sumHigh < 0 ? 0 : -1;
        }
        texts.setWide(handle, sumLow, sumHigh);
    }

    /** Whether these 128 bits are the least or the greatest integer. */
    private static boolean isBound(long low, long high) {
        long sign = high >> 63;
        return (high ^ sign) == Long.MAX_VALUE && (low ^ sign) == -1;
    }

    /** Adds to a sum of doubles. */
    public void addDouble(byte[] row, int cell, double operand) {
        putDouble(row, cell, sum(getDouble(row, cell), operand));
    }

    /** Does {@link #addDouble(byte[], int, double)} for all operands of a run, in their order. */
    public void addDouble(byte[] row, int cell, UpdateRun run, int op) {
        double sum = getDouble(row, cell);
        for (int i = 0; i < run.count(); i++) {
            sum = sum(sum, run.operandDouble(i, op));
        }
        putDouble(row, cell, sum);
    }

    /** Adds a sum of another store, given in 128 bits, to a sumint32. */
    void mergeInt32(byte[] row, int cell, long low, long high) {
        if (high == low >> 63) {
            addInt32(row, cell, low);
        } else {
            addWide(wideOfInt32(row, cell), low, high);
        }
    }

    /** Adds a sum of another store, given in 128 bits, to a sumint64 or sumcurrency. */
    void mergeInt64(byte[] row, int cell, long low, long high) {
        if (high == low >> 63) {
            addInt64(row, cell, low);
        } else {
            addWide(wideOfInt64(row, cell), low, high);
        }
    }

    /** Adds a count of another store; the result is at most the greatest int64. */
    void mergeCount(byte[] row, int cell, long other) {
        long present = Bytes.getLong(row, cell);
        long sum = present + other;
        boolean overflows = ((present ^ sum) & (other ^ sum)) < 0;
        present().saturations += overflows ? 1 : 0;
        Bytes.putLong(row, cell, overflows ? Long.MAX_VALUE : sum);
    }

    /** Adds a sum of doubles of another store. */
    void mergeDouble(byte[] row, int cell, double other) {
        if (Math.abs(other) != Double.MAX_VALUE) {
            addDouble(row, cell, other);
            return;
        }
        double present = getDouble(row, cell);
        present().saturations += present == 0 ? 0 : 1;
        putDouble(row, cell, Math.abs(present) == Double.MAX_VALUE ? Math.max(present, other) : other);
    }

    /** Adds one to a count; the result is at most the greatest int64. */
    public static void increment(byte[] row, int cell) {
        addToCount(row, cell, 1);
    }

    /** Adds the number of records of a run to a count; the result is at most the greatest int64. */
    public static void increment(byte[] row, int cell, UpdateRun run) {
        addToCount(row, cell, run.count());
    }

    private static void addToCount(byte[] row, int cell, int more) {
        long sum = Bytes.getLong(row, cell) + more;
        Bytes.putLong(row, cell, sum < 0 ? Long.MAX_VALUE : sum);
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

    /** Does {@link #addToSet(int, byte[], int, long)} for all hashes of a run. */
    public void addToSet(int column, byte[] row, int cell, UpdateRun run, int op) {
        for (int i = 0; i < run.count(); i++) {
            long before = refusals.count();
            addToSet(column, row, cell, run.operand(i, op));
            if (refusals.count() != before) {
                run.refuse(i);
            }
        }
    }

    /** Keeps the smallest integer or time. */
    public static void min(byte[] row, int cell, int flag, int mask, long operand) {
        if (isFirst(row, flag, mask) || operand < Bytes.getLong(row, cell)) {
            Bytes.putLong(row, cell, operand);
        }
    }

    /** Does {@link #min(byte[], int, int, int, long)} for all operands of a run, in their order. */
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

    /** Does {@link #max(byte[], int, int, int, long)} for all operands of a run, in their order. */
    public static void max(byte[] row, int cell, int flag, int mask, UpdateRun run, int op) {
        for (int i = 0; i < run.count(); i++) {
            max(row, cell, flag, mask, run.operand(i, op));
        }
    }

    /** Keeps the smallest double; -0.0 is less than 0.0. */
    public static void minDouble(byte[] row, int cell, int flag, int mask, double operand) {
        putDouble(row, cell, isFirst(row, flag, mask) ? operand : Math.min(getDouble(row, cell), operand));
    }

    /** Does {@link #minDouble(byte[], int, int, int, double)} for all operands of a run, in their order. */
    public static void minDouble(byte[] row, int cell, int flag, int mask, UpdateRun run, int op) {
        for (int i = 0; i < run.count(); i++) {
            minDouble(row, cell, flag, mask, run.operandDouble(i, op));
        }
    }

    /** Keeps the largest double; 0.0 is greater than -0.0. */
    public static void maxDouble(byte[] row, int cell, int flag, int mask, double operand) {
        putDouble(row, cell, isFirst(row, flag, mask) ? operand : Math.max(getDouble(row, cell), operand));
    }

    /** Does {@link #maxDouble(byte[], int, int, int, double)} for all operands of a run, in their order. */
    public static void maxDouble(byte[] row, int cell, int flag, int mask, UpdateRun run, int op) {
        for (int i = 0; i < run.count(); i++) {
            maxDouble(row, cell, flag, mask, run.operandDouble(i, op));
        }
    }

    /** Keeps the integer with the smallest stamp. When stamps are equal, the integer applied first stays. */
    public static void first(byte[] row, int cell, int flag, int mask, long stamp, long operand) {
        if (isFirst(row, flag, mask) || stamp < Bytes.getLong(row, cell)) {
            Bytes.putLong(row, cell, stamp);
            Bytes.putLong(row, cell + 8, operand);
        }
    }

    /** Does {@link #first(byte[], int, int, int, long, long)} for all operands of a run, in their order. */
    public static void first(byte[] row, int cell, int flag, int mask, UpdateRun run, int op) {
        for (int i = 0; i < run.count(); i++) {
            first(row, cell, flag, mask, run.stamp(i), run.operand(i, op));
        }
    }

    /** Keeps the integer with the largest stamp. When stamps are equal, the integer applied last stays. */
    public static void last(byte[] row, int cell, int flag, int mask, long stamp, long operand) {
        if (isFirst(row, flag, mask) || stamp >= Bytes.getLong(row, cell)) {
            Bytes.putLong(row, cell, stamp);
            Bytes.putLong(row, cell + 8, operand);
        }
    }

    /** Does {@link #last(byte[], int, int, int, long, long)} for all operands of a run, in their order. */
    public static void last(byte[] row, int cell, int flag, int mask, UpdateRun run, int op) {
        for (int i = 0; i < run.count(); i++) {
            last(row, cell, flag, mask, run.stamp(i), run.operand(i, op));
        }
    }

    /**
     * Keeps the text with the smallest stamp. When stamps are equal, the text applied first stays.
     *
     * @param length length of the text; with {@link UpdateBatch#TOO_LONG}, the text is refused
     */
    public void firstText(byte[] row, int cell, long stamp, byte[] source, int offset, int length) {
        if (length < 0 || Bytes.getInt(row, cell + 8) == 0 || stamp < Bytes.getLong(row, cell)) {
            putText(row, cell, stamp, source, offset, length);
        }
    }

    /**
     * Keeps the text with the largest stamp. When stamps are equal, the text applied last stays.
     *
     * @param length length of the text; with {@link UpdateBatch#TOO_LONG}, the text is refused
     */
    public void lastText(byte[] row, int cell, long stamp, byte[] source, int offset, int length) {
        if (length < 0 || Bytes.getInt(row, cell + 8) == 0 || stamp >= Bytes.getLong(row, cell)) {
            putText(row, cell, stamp, source, offset, length);
        }
    }

    private void putText(byte[] row, int cell, long stamp, byte[] source, int offset, int length) {
        if (length < 0 || !texts.hasRoom(present().texts, Bytes.getInt(row, cell + 8), length)) {
            refusals.add();
            return;
        }
        Bytes.putLong(row, cell, stamp);
        Bytes.putInt(row, cell + 8, texts.put(present().texts, Bytes.getInt(row, cell + 8), source, offset, length));
    }

    private static boolean isFirst(byte[] row, int flag, int mask) {
        if ((row[flag] & mask) != 0) {
            return false;
        }
        row[flag] |= (byte) mask;
        return true;
    }

    private double sum(double present, double operand) {
        assert Double.isFinite(operand);
        double sum = present + operand;
        return Math.abs(present) == Double.MAX_VALUE || Double.isInfinite(sum) ? saturated(present, operand) : sum;
    }

    private double saturated(double present, double operand) {
        present().saturations += operand == 0 ? 0 : 1;
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
