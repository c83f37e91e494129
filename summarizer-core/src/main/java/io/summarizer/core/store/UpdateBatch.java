package io.summarizer.core.store;

import io.summarizer.core.bytes.Bytes;
import java.util.Arrays;

/**
 * A batch of updates that a parser worker sends to an owner through the owner's queue. The worker has decoded, filtered
 * and evaluated the events, so the owner only has to look up rows and to add to them.
 *
 * <p>A record has the key of one row of one top-level summary, and the observations for this row:
 * <pre>
 *   int length | short summary | short mapping | long hash | long stamp | key | op*
 *   key:  fixed bytes by KeyLayout | when it has strings: int tailLength, tail
 *   op:   short column             | long operand (a long, or a double's bits)
 *         short column             | int length, UTF-8 bytes            (string operands)
 *         short ENTER | nested     | long hash | key | op* | short LEAVE (a nested row)
 * </pre>
 * A key or text that is longer than its bound is left out. The length of the key's tail, or of the text, is then {@link
 * #TOO_LONG}, and no bytes follow. The key gets no row, and the text is not stored.
 *
 * <p>If a record is to be applied only when its event is new, a <em>guard</em> comes before the record. Up to the
 * stamp, a guard has the same form as a record:
 * <pre>
 *   int 40 | short ~table | short 0 | int first | int 0 | long stamp | long high | long low
 * </pre>
 * {@code table} is the table of ids that decides whether the event is new. {@code high} and {@code low} are the hash of
 * the event's id and the row's key. In the guard of the first record that the mapping makes from the event, {@code
 * first} is 1. In other guards, {@code first} is 0. A record that is applied in any case has no guard, so guards do not
 * make this record larger or slower.
 *
 * <p>All numbers are little-endian and unaligned. One thread writes a batch and then hands the batch over. Batches are
 * reused without allocation.
 */
public final class UpdateBatch {
    /**
     * A bit of an op's column. If the bit is set, the op enters a row of a nested summary, and the other bits are the
     * position of this summary.
     */
    public static final int ENTER = 0x4000;
    /** The column of an op that ends the innermost nested row. */
    public static final int LEAVE = 0x7fff;
    /** Takes the place of a length when the key's tail, or the text, was too long and was left out. */
    public static final int TOO_LONG = -1;
    /** Offset of the summary's number within a record. */
    public static final int SUMMARY_OFFSET = 4;
    /** Offset within a record of the number of the mapping that made the record. */
    public static final int MAPPING_OFFSET = 6;
    /** Offset of the key's hash within a record. */
    public static final int HASH_OFFSET = 8;
    /** Offset of the arrival stamp within a record. */
    public static final int STAMP_OFFSET = 16;
    /** Offset of the key within a record. */
    public static final int KEY_OFFSET = 24;

    /** Length of a guard; its record follows it. */
    public static final int GUARD_BYTES = 40;
    /** Offset within a guard of the int {@code first}. */
    private static final int GUARD_FIRST_OFFSET = 8;
    /** Offset within a guard of the first half of the hash. */
    private static final int GUARD_HIGH_OFFSET = 24;
    /** Offset within a guard of the second half of the hash. */
    private static final int GUARD_LOW_OFFSET = 32;

    /** Length of the largest array that every JVM can make. */
    private static final int MAX_BYTES = Integer.MAX_VALUE - 8;

    private final int capacity;
    private byte[] bytes;
    private int limit;
    /** Start of the record being written, or -1 between records. */
    private int record = -1;

    private int records;
    /**
     * The end of the records that {@link #dropRecordsOf} always keeps. {@link #keptRecords} is the number of these
     * records.
     */
    private int kept;

    private int keptRecords;
    /** Whether a guard precedes the record being written. */
    private boolean guarded;

    /** A batch with a capacity of {@code capacity} bytes at first. It grows when records need more. */
    public UpdateBatch(int capacity) {
        this.capacity = Math.max(capacity, 256);
        bytes = new byte[this.capacity];
    }

    /**
     * The numbers of a summary and of a mapping, packed into one int; a record has this int at {@link #SUMMARY_OFFSET}.
     */
    public static int target(int summary, int mapping) {
        assert summary >>> 15 == 0 && mapping >>> 16 == 0 : "summary " + summary + " mapping " + mapping;
        return mapping << 16 | summary;
    }

    /** The hash of the key of the record at {@code record}. */
    public static long hash(byte[] bytes, int record) {
        return Bytes.getLong(bytes, record + HASH_OFFSET);
    }

    /** The summary of the record that starts at {@code record}. */
    public static int summary(byte[] bytes, int record) {
        return Bytes.getShort(bytes, record + SUMMARY_OFFSET);
    }

    /** The mapping that made the record that starts at {@code record}. */
    public static int mapping(byte[] bytes, int record) {
        return Bytes.getShort(bytes, record + MAPPING_OFFSET) & 0xffff;
    }

    /** The records, from 0 to {@link #limit()}. */
    public byte[] bytes() {
        return bytes;
    }

    /** End of the written bytes. Between records, this is the end of the last complete record. */
    public int limit() {
        return limit;
    }

    /** Bytes of memory that this batch takes. */
    public long heldBytes() {
        return bytes.length;
    }

    /** Number of complete records, without guards. */
    public int records() {
        return records;
    }

    /** Starts a record as {@link #beginRow(int, int, KeyBuffer, long, long)} does, for mapping 0. */
    public void beginRow(int summary, KeyBuffer key, long hash, long stamp) {
        beginRow(summary, 0, key, hash, stamp);
    }

    /**
     * Starts a record of top-level summary {@code summary}, for the row with this key.
     *
     * @param mapping number of the mapping that makes the record, among all mappings of the plan
     */
    public void beginRow(int summary, int mapping, KeyBuffer key, long hash, long stamp) {
        record = limit;
        ensure(KEY_OFFSET + 4 + key.length());
        Bytes.putInt(bytes, limit + SUMMARY_OFFSET, target(summary, mapping));
        Bytes.putLong(bytes, limit + HASH_OFFSET, hash);
        Bytes.putLong(bytes, limit + STAMP_OFFSET, stamp);
        limit += KEY_OFFSET;
        putKey(key);
    }

    /**
     * Starts a record without a header and key. From {@link #limit()} on, the caller writes the header and the key into
     * bytes that it {@link #reserve}d.
     */
    public void beginRow() {
        record = limit;
    }

    /**
     * The bytes of the batch, grown so that {@code more} bytes fit after {@link #limit()}. The result may be another
     * array than before.
     */
    public byte[] reserve(int more) {
        ensure(more);
        return bytes;
    }

    /**
     * Adds a guard before the next record; {@link #identify} completes it. The guard's stamp is the stamp of the event
     * for the table of ids; the record's stamp may have another unit.
     *
     * @param table table of the ids that decide whether the event is new
     * @param first whether the next record is the first record that the mapping makes from the event
     */
    public void guard(int table, boolean first, long stamp) {
        ensure(GUARD_BYTES);
        Bytes.putInt(bytes, limit, GUARD_BYTES);
        Bytes.putInt(bytes, limit + SUMMARY_OFFSET, ~table & 0xffff);
        Bytes.putLong(bytes, limit + GUARD_FIRST_OFFSET, first ? 1 : 0);
        Bytes.putLong(bytes, limit + STAMP_OFFSET, stamp);
        limit += GUARD_BYTES;
        guarded = true;
    }

    /** Completes the guard of the current record with the hash of the event's id and the row's key. */
    public void identify(long high, long low) {
        assert guarded && record >= 0;
        Bytes.putLong(bytes, record - GUARD_BYTES + GUARD_HIGH_OFFSET, high);
        Bytes.putLong(bytes, record - GUARD_BYTES + GUARD_LOW_OFFSET, low);
    }

    /** Whether a guard precedes the current record. */
    public boolean isGuarded() {
        return guarded;
    }

    /**
     * Adds a copy of the guard that starts at {@code at} in {@code from}. The copy comes before a record that continues
     * the guarded record.
     */
    public void guardAgain(byte[] from, int at) {
        ensure(GUARD_BYTES);
        System.arraycopy(from, at, bytes, limit, GUARD_BYTES);
        Bytes.putLong(bytes, limit + GUARD_FIRST_OFFSET, 0);
        limit += GUARD_BYTES;
        guarded = true;
    }

    /** Whether a guard starts at {@code at}. */
    public static boolean isGuard(byte[] bytes, int at) {
        return bytes[at + SUMMARY_OFFSET + 1] < 0;
    }

    /** The table of ids of a guard. */
    public static int tableOf(byte[] bytes, int guard) {
        return ~Bytes.getShort(bytes, guard + SUMMARY_OFFSET);
    }

    /** Whether a guard precedes the first record that the mapping makes from the event. */
    public static boolean isFirst(byte[] bytes, int guard) {
        return Bytes.getInt(bytes, guard + GUARD_FIRST_OFFSET) != 0;
    }

    /** The first half of a guard's hash. */
    public static long highOf(byte[] bytes, int guard) {
        return Bytes.getLong(bytes, guard + GUARD_HIGH_OFFSET);
    }

    /** The second half of a guard's hash. */
    public static long lowOf(byte[] bytes, int guard) {
        return Bytes.getLong(bytes, guard + GUARD_LOW_OFFSET);
    }

    /** Sets the end of the written bytes. */
    public void limit(int limit) {
        assert limit >= this.limit && limit <= bytes.length;
        this.limit = limit;
    }

    /** Start of the current record. */
    public int row() {
        return record;
    }

    /** Ends the current record. */
    public void endRow() {
        Bytes.putInt(bytes, record, limit - record);
        record = -1;
        guarded = false;
        records++;
    }

    /**
     * Makes {@link #dropRecordsOf} keep all records that the batch has now. This is necessary because messages of
     * another source may have the same stamps.
     */
    public void keepRecords() {
        kept = limit;
        keptRecords = records;
    }

    /**
     * Removes all records with this stamp that were added since {@link #keepRecords}, and the current record if there
     * is one. The records with this stamp must be the last records.
     */
    public void dropRecordsOf(long stamp) {
        int end = (record >= 0 ? record : limit) - (guarded ? GUARD_BYTES : 0);
        int at = kept;
        int before = keptRecords;
        while (at < end) {
            int start = isGuard(bytes, at) ? at + GUARD_BYTES : at;
            if (Bytes.getLong(bytes, start + STAMP_OFFSET) == stamp) {
                break;
            }
            before++;
            at = start + Bytes.getInt(bytes, start);
        }
        limit = at;
        records = before;
        record = -1;
        guarded = false;
    }

    /** Number of bytes of the current record so far. */
    public int rowBytes() {
        return limit - record;
    }

    /** Adds an observation to a column whose operand is a long. */
    public void addLong(int column, long operand) {
        ensure(10);
        Bytes.putShort(bytes, limit, (short) column);
        Bytes.putLong(bytes, limit + 2, operand);
        limit += 10;
    }

    /** Adds an observation to a column whose operand is a string. */
    public void addString(int column, byte[] source, int offset, int length) {
        ensure(6L + length);
        Bytes.putShort(bytes, limit, (short) column);
        Bytes.putInt(bytes, limit + 2, length);
        System.arraycopy(source, offset, bytes, limit + 6, length);
        limit += 6 + length;
    }

    /** Adds an observation that is an oversized text. */
    public void addTooLong(int column) {
        ensure(6);
        Bytes.putShort(bytes, limit, (short) column);
        Bytes.putInt(bytes, limit + 2, TOO_LONG);
        limit += 6;
    }

    /**
     * Number of bytes after the length field at {@code at}, which belongs to a text or to the tail of a key. The number
     * is 0 when the bytes were left out.
     */
    public static int textBytes(byte[] bytes, int at) {
        return Math.max(0, Bytes.getInt(bytes, at));
    }

    /** Enters the row with this key in the nested summary {@code nested} of the current row. */
    public void enter(int nested, KeyBuffer key, long hash) {
        ensure(14 + key.length());
        Bytes.putShort(bytes, limit, (short) (ENTER | nested));
        Bytes.putLong(bytes, limit + 2, hash);
        limit += 10;
        putKey(key);
    }

    /** Leaves the nested row that was entered last. */
    public void leave() {
        ensure(2);
        Bytes.putShort(bytes, limit, (short) LEAVE);
        limit += 2;
    }

    /** Empties the batch for reuse; releases an array that grew beyond the batch's capacity. */
    public void clear() {
        if (bytes.length > capacity) {
            bytes = new byte[capacity];
        }
        limit = 0;
        record = -1;
        guarded = false;
        records = 0;
        kept = 0;
        keptRecords = 0;
    }

    private void putKey(KeyBuffer key) {
        int fixed = key.layout().fixedBytes();
        System.arraycopy(key.bytes(), 0, bytes, limit, fixed);
        limit += fixed;
        if (key.layout().strings() > 0) {
            int tail = key.isTooLong() ? 0 : key.length() - fixed;
            Bytes.putInt(bytes, limit, key.isTooLong() ? TOO_LONG : tail);
            System.arraycopy(key.bytes(), fixed, bytes, limit + 4, tail);
            limit += 4 + tail;
        }
    }

    private void ensure(long more) {
        if (more > bytes.length - limit) {
            bytes = Arrays.copyOf(bytes, grown(bytes.length, limit + more));
        }
    }

    /** The new size for an array that has {@code size} bytes and needs at least {@code needed} bytes. */
    static int grown(int size, long needed) {
        if (needed > MAX_BYTES) {
            throw new IllegalStateException(
                    "a batch of updates cannot have " + needed + " bytes, at most " + MAX_BYTES);
        }
        return (int) Math.max(needed, Math.min(MAX_BYTES, 2L * size));
    }
}
