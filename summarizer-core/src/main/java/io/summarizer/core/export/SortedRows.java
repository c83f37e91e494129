package io.summarizer.core.export;

import io.summarizer.core.bytes.Bytes;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the first {@code limit} of the offered rows, in the order of their sort keys. Rows with equal keys are in the
 * order of their places. The rows are in a binary heap with the last row on top. When the heap is full, an offered row
 * that comes before this last row replaces it. After all rows were offered, the heap is sorted in place. Cost: one
 * comparison for a row that is not taken, O(log limit) for a row that is taken. Memory: 24 bytes for each held row,
 * plus the key if the key is longer than 16 bytes. After the sort, the memory is 8 bytes for each row. Belongs to one
 * export.
 *
 * <p>If not all rows fit in the {@linkplain ExportMemory#isForPasses memory of an export in passes}, the object holds
 * the first rows in the order. After they were written, {@link #nextPass} drops them. The caller then offers all rows
 * again, and the object holds the rows that follow.
 */
final class SortedRows {
    private static final int ROWS_MIN = 64;
    private static final long ROW_BYTES = 24;
    /** Bytes for the header of an array, and for the reference to the array. */
    private static final long REST_BYTES = 24;

    private final ExportMemory memory;
    /** Largest number of rows to hold. With passes, this number decreases to the number of rows that fit. */
    private long limit;
    /** Whether rows are left for further passes when the memory is full. */
    private final boolean inPasses;
    /** Bytes for the rows without their texts. With passes, this is half of the memory; the rest is for the texts. */
    private final long bytesMax;
    /** Whether rows were left to further passes. */
    private boolean full;
    /** The first and second eight bytes of each key, compared unsigned. */
    private long[] firsts = new long[ROWS_MIN];

    private long[] seconds = new long[ROWS_MIN];
    private long[] places = new long[ROWS_MIN];
    /**
     * For each row, the bytes of its key after the first 16. The array is empty until there is a key of more than 16
     * bytes.
     */
    private byte[][] rests = NO_RESTS;

    private int size;
    private long restBytes;
    /** Bytes taken from the memory. */
    private long taken;
    /** The last row of the previous pass; null in the first pass. */
    private @Nullable Row before;
    /** The last row of this pass; set when the ordering begins. */
    private @Nullable Row last;
    /** Number of rows that are not in order yet; negative before the ordering begins. */
    private int unsorted = -1;

    /** A row with its key, as in the arrays. */
    private static final class Row {
        final long first;
        final long second;
        final byte[] rest;
        final long place;

        Row(long first, long second, byte[] rest, long place) {
            this.first = first;
            this.second = second;
            this.rest = rest;
            this.place = place;
        }
    }

    private static final byte[] NO_REST = {};
    private static final byte[][] NO_RESTS = {};
    private static final long[] NO_KEYS = {};

    /**
     * Empty rows.
     *
     * @param memory the memory in which the rows lie
     */
    SortedRows(long limit, ExportMemory memory) {
        this.limit = limit;
        this.memory = memory;
        inPasses = memory.isForPasses() && limit == Long.MAX_VALUE;
        bytesMax = inPasses ? memory.exportBytesMax() / 2 : memory.exportBytesMax();
    }

    /** Releases the memory. */
    void close() {
        memory.giveBack(taken);
        taken = 0;
    }

    /**
     * Offers a row.
     *
     * @param place identifies the row; unique
     * @throws CsvQueryException when the rows to be held take too much memory
     */
    void offer(SortKey key, long place) throws CsvQueryException {
        long first = word(key, 0);
        long second = word(key, 8);
        Row before = this.before;
        if (before != null && compare(first, second, key, place, before) <= 0) {
            return;
        }
        if (inPasses) {
            makeRoomForRests(key);
            if (size < limit && !fits(key)) {
                full = true;
                limit = size;
            }
        }
        if (size == limit) {
            if (limit == 0 || compare(first, second, key, place, 0) >= 0) {
                return;
            }
            if (full && !makeRoom(key, first, second, place)) {
                return;
            }
            byte[] rest = rest(key);
            account(rest.length - restLength(0));
            place(0, first, second, place, rest);
            siftDown(0, size);
            return;
        }
        byte[] rest = rest(key);
        grow();
        account(rest.length);
        place(size, first, second, place, rest);
        siftUp(size++);
    }

    /** Whether one more row fits. Always true for the first row, so that each pass has at least one row. */
    private boolean fits(SortKey key) {
        return size == 0 || bytesWith(key, Math.max(firsts.length, size + 1)) <= bytesMax;
    }

    /**
     * Makes room when the first key of more than 16 bytes comes. From then on, each held row needs more memory, for the
     * part of its key after the first 16 bytes. So this method drops rows from the end until the others fit.
     */
    private void makeRoomForRests(SortKey key) {
        int most =
                (int) Math.max(1, Math.min(Integer.MAX_VALUE, (bytesMax - restLength(key)) / (ROW_BYTES + REST_BYTES)));
        if (rests.length > 0 || restLength(key) == 0 || firsts.length <= most) {
            return;
        }
        while (size > most) {
            removeLast();
        }
        firsts = Arrays.copyOf(firsts, most);
        seconds = Arrays.copyOf(seconds, most);
        places = Arrays.copyOf(places, most);
    }

    /**
     * Makes room for a new row, which the caller puts in place of the last held row. For this, drops rows from the end
     * until the memory has room for the other held rows and the new row. Returns false when the new row comes after all
     * held rows.
     */
    private boolean makeRoom(SortKey key, long first, long second, long place) {
        while (size > 1 && bytesWith(key, firsts.length) - restLength(0) > bytesMax) {
            removeLast();
            if (compare(first, second, key, place, 0) >= 0) {
                return false;
            }
        }
        return true;
    }

    private long bytesWith(SortKey key, int capacity) {
        boolean withRests = rests.length > 0 || restLength(key) > 0;
        return bytes(capacity, withRests ? capacity : 0) + restLength(key);
    }

    private void removeLast() {
        restBytes -= restLength(0);
        size--;
        swap(0, size);
        if (rests.length > 0) {
            rests[size] = NO_REST;
        }
        siftDown(0, size);
        limit = size;
        full = true;
    }

    private static int restLength(SortKey key) {
        return Math.max(0, key.length() - 16);
    }

    /**
     * Begins the next pass, for the rows that follow the held rows. Returns false when no rows follow. Call this method
     * when all held rows are in order.
     */
    boolean nextPass() {
        if (!full) {
            return false;
        }
        before = last;
        full = false;
        limit = Long.MAX_VALUE;
        unsorted = -1;
        size = 0;
        restBytes = 0;
        memory.giveBack(taken);
        taken = 0;
        firsts = new long[ROWS_MIN];
        seconds = new long[ROWS_MIN];
        places = new long[ROWS_MIN];
        return true;
    }

    /**
     * Sorts up to {@code rows} further rows. Returns true when all rows are in order. The first call drops the keys, so
     * do not offer rows after it.
     */
    boolean sort(int rows) {
        if (unsorted < 0) {
            unsorted = size;
            last = size == 0 ? null : new Row(firsts[0], seconds[0], rests.length == 0 ? NO_REST : rests[0], places[0]);
        }
        for (int moved = 0; moved < rows && unsorted > 1; moved++) {
            unsorted--;
            swap(0, unsorted);
            siftDown(0, unsorted);
        }
        if (unsorted > 1) {
            return false;
        }
        dropKeys();
        return true;
    }

    private void dropKeys() {
        firsts = NO_KEYS;
        seconds = NO_KEYS;
        rests = NO_RESTS;
        long kept = Math.min(taken, (long) places.length * Long.BYTES);
        memory.giveBack(taken - kept);
        taken = kept;
    }

    /** Bytes taken from the memory. */
    long bytesTaken() {
        return taken;
    }

    /** Rows held. */
    int size() {
        return size;
    }

    /** The place of row number {@code i} in the order. */
    long place(int i) {
        return places[i];
    }

    private void account(long moreRest) throws CsvQueryException {
        restBytes += moreRest;
        reserve(bytes(firsts.length, rests.length));
    }

    private long bytes(int rows, int rowsWithRest) {
        return rows * ROW_BYTES + restBytes + rowsWithRest * REST_BYTES;
    }

    private void reserve(long bytes) throws CsvQueryException {
        if (bytes > taken) {
            memory.take(taken, bytes - taken);
            taken = bytes;
        }
    }

    private void grow() throws CsvQueryException {
        if (size < firsts.length) {
            return;
        }
        int capacity = (int) Math.min(Math.min(limit, Integer.MAX_VALUE - 8), 1L + size + (size >> 1));
        boolean withRests = rests.length > 0;
        if (bytes(capacity, withRests ? capacity : 0) > bytesMax) {
            // The last step of growth may be small, so that rows can use all of the allowed memory.
            long perRow = ROW_BYTES + (withRests ? REST_BYTES : 0);
            long most = (bytesMax - restBytes) / perRow;
            capacity = (int) Math.max(size + 1L, Math.min(capacity, most));
        }
        reserve(bytes(capacity, withRests ? capacity : 0));
        firsts = Arrays.copyOf(firsts, capacity);
        seconds = Arrays.copyOf(seconds, capacity);
        places = Arrays.copyOf(places, capacity);
        if (withRests) {
            growRests(capacity);
        }
    }

    private void growRests(int capacity) {
        int before = rests.length;
        rests = Arrays.copyOf(rests, capacity);
        Arrays.fill(rests, before, capacity, NO_REST);
    }

    private byte[] rest(SortKey key) {
        if (key.length() <= 16) {
            return NO_REST;
        }
        if (rests.length == 0) {
            growRests(firsts.length);
        }
        return Arrays.copyOfRange(key.bytes(), 16, key.length());
    }

    private int restLength(int i) {
        return rests.length == 0 ? 0 : rests[i].length;
    }

    private static long word(SortKey key, int from) {
        byte[] bytes = key.bytes();
        int left = key.length() - from;
        if (left >= 8) {
            return Long.reverseBytes(Bytes.getLong(bytes, from));
        }
        long word = 0;
        for (int i = 0; i < left; i++) {
            word |= (bytes[from + i] & 0xffL) << (56 - 8 * i);
        }
        return word;
    }

    private int compare(long first, long second, SortKey key, long place, int other) {
        return compare(
                first,
                second,
                key,
                place,
                firsts[other],
                seconds[other],
                rests.length == 0 ? NO_REST : rests[other],
                places[other]);
    }

    private static int compare(long first, long second, SortKey key, long place, Row other) {
        return compare(first, second, key, place, other.first, other.second, other.rest, other.place);
    }

    private static int compare(
            long first,
            long second,
            SortKey key,
            long place,
            long otherFirst,
            long otherSecond,
            byte[] otherRest,
            long otherPlace) {
        int order = Long.compareUnsigned(first, otherFirst);
        if (order == 0) {
            order = Long.compareUnsigned(second, otherSecond);
        }
        if (order == 0 && (key.length() > 16 || otherRest.length > 0)) {
            int from = Math.min(16, key.length());
            order = Arrays.compareUnsigned(key.bytes(), from, key.length(), otherRest, 0, otherRest.length);
        }
        return order == 0 ? Long.compare(place, otherPlace) : order;
    }

    private boolean isBefore(int a, int b) {
        int order = Long.compareUnsigned(firsts[a], firsts[b]);
        if (order == 0) {
            order = Long.compareUnsigned(seconds[a], seconds[b]);
        }
        if (order == 0 && rests.length > 0) {
            order = Arrays.compareUnsigned(rests[a], rests[b]);
        }
        return order == 0 ? places[a] < places[b] : order < 0;
    }

    private void place(int at, long first, long second, long place, byte[] rest) {
        firsts[at] = first;
        seconds[at] = second;
        places[at] = place;
        if (rests.length > 0) {
            rests[at] = rest;
        }
    }

    private void siftUp(int from) {
        int at = from;
        while (at > 0) {
            int parent = (at - 1) >>> 1;
            if (!isBefore(parent, at)) {
                return;
            }
            swap(at, parent);
            at = parent;
        }
    }

    private void siftDown(int from, int end) {
        int at = from;
        for (int child = 2 * at + 1; child < end; child = 2 * at + 1) {
            if (child + 1 < end && isBefore(child, child + 1)) {
                child++;
            }
            if (!isBefore(at, child)) {
                return;
            }
            swap(at, child);
            at = child;
        }
    }

    private void swap(int a, int b) {
        long first = firsts[a];
        firsts[a] = firsts[b];
        firsts[b] = first;
        long second = seconds[a];
        seconds[a] = seconds[b];
        seconds[b] = second;
        long place = places[a];
        places[a] = places[b];
        places[b] = place;
        if (rests.length > 0) {
            byte[] rest = rests[a];
            rests[a] = rests[b];
            rests[b] = rest;
        }
    }
}
