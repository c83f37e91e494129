package io.summarizer.core.export;

import io.summarizer.core.bytes.Bytes;
import java.util.Arrays;

/**
 * Keeps the first {@code limit} of the offered rows, in the order of their sort keys; rows with equal keys are in the
 * order of their places. The rows lie in a binary heap with the last row on top. An offered row that comes before this
 * last row replaces it. The heap is sorted in place after all rows were offered. Cost: one comparison for a row that is
 * not taken, O(log limit) for a row that is taken. Memory: 24 bytes for each row held, plus its key if the key is
 * longer than 16 bytes; 8 bytes for each row after all rows are in order. Belongs to one export.
 */
final class SortedRows {
    private static final long ROW_BYTES = 24;
    /** Bytes of the header of an array and the reference to it. */
    private static final long REST_BYTES = 24;

    private final long limit;
    private final ExportMemory memory;
    /** The first and second eight bytes of each key, compared unsigned. */
    private long[] firsts = new long[64];

    private long[] seconds = new long[64];
    private long[] places = new long[64];
    /** The rest of each key after its first 16 bytes; all empty while no key is longer. */
    private byte[][] rests = NO_RESTS;

    private int size;
    private long restBytes;
    /** Bytes taken from the memory. */
    private long taken;
    /** Number of rows that are not in order yet; negative before the ordering begins. */
    private int unsorted = -1;

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
        if (size == limit) {
            if (limit == 0 || compare(first, second, key, place, 0) >= 0) {
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

    /**
     * Puts up to {@code rows} further rows in order; returns true when all rows are in order. Offer no row after the
     * first call, because the keys are dropped.
     */
    boolean sort(int rows) {
        if (unsorted < 0) {
            unsorted = size;
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
        if (bytes(capacity, withRests ? capacity : 0) > memory.exportBytesMax()) {
            // The last growth may be small, so that rows can use all of the allowed memory.
            long perRow = ROW_BYTES + (withRests ? REST_BYTES : 0);
            long most = (memory.exportBytesMax() - restBytes) / perRow;
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
        int order = Long.compareUnsigned(first, firsts[other]);
        if (order == 0) {
            order = Long.compareUnsigned(second, seconds[other]);
        }
        if (order == 0 && (key.length() > 16 || restLength(other) > 0)) {
            byte[] rest = rests.length == 0 ? NO_REST : rests[other];
            int from = Math.min(16, key.length());
            order = Arrays.compareUnsigned(key.bytes(), from, key.length(), rest, 0, rest.length);
        }
        return order == 0 ? Long.compare(place, places[other]) : order;
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
