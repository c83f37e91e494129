package io.summarizer.core.store;

import io.summarizer.core.bytes.Bytes;
import java.util.Arrays;

/**
 * A run of records of one key that have the same columns at the same offsets. Therefore, all operands of a column can
 * be added up before the cell of the column is written. One owner fills a run and reuses it. The run refers to the
 * bytes of the batch from which it was filled last.
 */
public final class UpdateRun {
    /** Bytes of an op whose operand is a long or a double; runs have only such ops. */
    public static final int OP_BYTES = Short.BYTES + Long.BYTES;

    private byte[] bytes = {};
    private int[] starts = {};
    private int first;
    private int end;
    /** A bit for each record, set when a part of the record was refused. */
    private long[] refused = {};

    /** Distance from a record's start to its first op. */
    private int ops;

    /**
     * Fills the run with the records that start at {@code starts[first]} to {@code starts[end - 1]} in {@code bytes}.
     */
    public void set(byte[] bytes, int[] starts, int first, int end) {
        this.bytes = bytes;
        this.starts = starts;
        this.first = first;
        this.end = end;
        if (refused.length * Long.SIZE < end - first) {
            refused = new long[(end - first + Long.SIZE - 1) / Long.SIZE];
        }
    }

    /** Notes that a part of record {@code number} was refused. */
    void refuse(int number) {
        refused[number >>> 6] |= 1L << number;
    }

    /** Whether a part of a record was refused. This call forgets the refusal. */
    public boolean takeRefused(int number) {
        boolean is = (refused[number >>> 6] >>> number & 1) != 0;
        refused[number >>> 6] &= ~(1L << number);
        return is;
    }

    /** Forgets all refusals. Called for a run that was not applied to its end. */
    public void forgetRefused() {
        Arrays.fill(refused, 0);
    }

    /** Number of records. */
    public int count() {
        return end - first;
    }

    /** Start of a record in the bytes. */
    int record(int number) {
        return starts[first + number];
    }

    byte[] bytes() {
        return bytes;
    }

    /** Sets the distance from a record's start to its first op. */
    void ops(int ops) {
        this.ops = ops;
    }

    /** Distance from a record's start to its first op. */
    public int ops() {
        return ops;
    }

    /** Distance from a record's start to its end. */
    public int end() {
        return Bytes.getInt(bytes, starts[first]);
    }

    /** The column of the op at this distance from a record's start. */
    public int column(int op) {
        return Bytes.getShort(bytes, starts[first] + op);
    }

    /** Operand of the op at this distance from the start of record {@code number}. */
    long operand(int number, int op) {
        return Bytes.getLong(bytes, starts[first + number] + op + Short.BYTES);
    }

    /** Stands for a sum that does not fit int64. */
    static final long NO_SUM = Long.MIN_VALUE;

    /** The sum of the operands of all records, or {@link #NO_SUM} when a step of the addition overflows int64. */
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

    /** Operand as from {@link #operand}, for a column whose operands are doubles. */
    double operandDouble(int number, int op) {
        return Double.longBitsToDouble(operand(number, op));
    }

    /** Arrival stamp of record {@code number}. */
    long stamp(int number) {
        return Bytes.getLong(bytes, starts[first + number] + UpdateBatch.STAMP_OFFSET);
    }
}
