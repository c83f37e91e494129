package io.summarizer.core.store;

import io.summarizer.core.bytes.Bytes;
import java.util.Arrays;

/**
 * Records of one key that have the same columns in the same places, so that a column's operands of all of them can be added up
 * before its cell is written. Filled and used by one owner, and used again; holds on to the bytes of the batch it was filled
 * from last.
 */
public final class UpdateRun {
    /** Bytes of an op whose operand is a long or a double: those of a run have no others. */
    public static final int OP_BYTES = Short.BYTES + Long.BYTES;

    private byte[] bytes = {};
    private int[] starts = {};
    private int first;
    private int end;
    /** A bit for each record that something of was refused. */
    private long[] refused = {};

    /** From a record's start to its first op. */
    private int ops;

    /** Takes the records of these bytes whose starts lie in {@code starts} from {@code first} on to before {@code end}. */
    public void set(byte[] bytes, int[] starts, int first, int end) {
        this.bytes = bytes;
        this.starts = starts;
        this.first = first;
        this.end = end;
        if (refused.length * Long.SIZE < end - first) {
            refused = new long[(end - first + Long.SIZE - 1) / Long.SIZE];
        }
    }

    /** Says that something of a record was refused. */
    void refuse(int number) {
        refused[number >>> 6] |= 1L << number;
    }

    /** Whether something of a record was refused; says so once. */
    public boolean takeRefused(int number) {
        boolean is = (refused[number >>> 6] >>> number & 1) != 0;
        refused[number >>> 6] &= ~(1L << number);
        return is;
    }

    /** Forgets which records something was refused of: of a run that was not applied to its end. */
    public void forgetRefused() {
        Arrays.fill(refused, 0);
    }

    /** Number of records. */
    public int count() {
        return end - first;
    }

    /** Where in the bytes a record starts. */
    int record(int number) {
        return starts[first + number];
    }

    byte[] bytes() {
        return bytes;
    }

    /** Says how far from a record's start its first op is. */
    void ops(int ops) {
        this.ops = ops;
    }

    /** How far from a record's start its first op is. */
    public int ops() {
        return ops;
    }

    /** How far from a record's start its end is. */
    public int end() {
        return Bytes.getInt(bytes, starts[first]);
    }

    /** The column of the op so far from a record's start. */
    public int column(int op) {
        return Bytes.getShort(bytes, starts[first] + op);
    }

    /** Operand of the op so far from a record's start, in this record. */
    long operand(int number, int op) {
        return Bytes.getLong(bytes, starts[first + number] + op + Short.BYTES);
    }

    /** In place of a sum that does not fit int64. */
    static final long NO_SUM = Long.MIN_VALUE;

    /** The operands of all records added up, or {@link #NO_SUM} where some of them, in their order, do not fit int64. */
    long sum(int op) {
        long sum = 0;
        long overflows = 0;
        for (int i = 0; i < count(); i++) {
            long operand = operand(i, op);
            long next = sum + operand;
            overflows |= (sum ^ next) & (operand ^ next);
            sum = next;
        }
        return overflows < 0 ? NO_SUM : sum;
    }

    /** As {@link #operand}, of a column whose operand is a double. */
    double operandDouble(int number, int op) {
        return Double.longBitsToDouble(operand(number, op));
    }

    /** Arrival stamp of this record. */
    long stamp(int number) {
        return Bytes.getLong(bytes, starts[first + number] + UpdateBatch.STAMP_OFFSET);
    }
}
