package io.summarizer.flink.record;

import io.summarizer.core.bytes.Bytes;
import io.summarizer.core.store.UpdateBatch;
import java.util.Arrays;

/**
 * A form of the records of an {@link UpdateBatch} in which the bytes that records have in common are stored once.
 *
 * <p>Records of the same summary, mapping and length have the same <em>shape</em>. Records of a shape with the same
 * hash, and therefore as a rule with the same key, are a <em>run</em>. At most offsets, all records of a shape have the
 * same byte, for example in column numbers and in the leading zeros of numbers. The form stores such bytes once for
 * each shape. At other offsets, only the records of a run have the same byte, for example in the key. The form stores
 * such bytes once for each run:
 * <pre>
 *   shape*
 *   shape: record                        the first record; its length comes first
 *        | int runs
 *        | (byte, byte)*                 two masks for each 8 bytes of a record: a set bit of the first mask means that
 *                                        the first records of runs differ at this offset; of the second, that the
 *                                        records of a run differ
 *        | varint*                       number of records of each run
 *        | byte*                         for each offset whose bit is set in the first mask only: the byte of each run
 *        | byte*                         for each offset whose bit is set in the second mask: the byte of each record
 * </pre>
 *
 * <p>The only information that is lost is the order of some records. Records of one key and shape stay in their order,
 * and so do records of one key and message. The order of other records decides nothing but the last digits of sums of
 * doubles, and, once a bound is reached, which keys get rows. The first and last values follow the stamps of messages.
 * Records of one key and shape follow each other in the result, so an owner looks up their row once and adds up their
 * operands ({@link io.summarizer.core.pipeline.UpdateApplier}).
 */
final class CombinedUpdates {
    private CombinedUpdates() {}

    /** Combines records. One thread. Reused without allocation, unless a batch is larger than all batches before. */
    static final class Combiner {
        /**
         * Maximum number of earlier records of one message with which a record is compared. A message with more records
         * is not combined.
         */
        private static final int SAME_STAMP_MAX = 32;

        /** Larger batches are not combined; so this is a bound on the memory of a combiner. */
        private static final int PLAIN_BYTES_MAX = 1 << 20;

        /** After so many records, batches with too many shapes are recognized early. */
        private static final int TRIED_RECORDS = 64;

        private static final int TABLE_MIN = 256;

        /** Ends a list of records, or of runs. */
        private static final int END = -1;

        private byte[] to = {};
        private int length;

        /** The start of each record, and the next record of its run. */
        private int[] starts = new int[256];

        private int[] nextRecord = new int[256];
        private int records;

        /** For each run: its first and last record, the number of records, and the next run of its shape. */
        private int[] firsts = new int[256];

        private int[] lasts = new int[256];
        private int[] counts = new int[256];
        private int[] nextRun = new int[256];
        private int runs;

        /** The first and the last run of each shape. */
        private int[] firstRuns = new int[256];

        private int[] lastRuns = new int[256];
        private int shapes;

        /**
         * Two hash tables with open addressing. Both have the same size, a power of two. A value is the index of a run
         * or of a shape, plus one; 0 is a free slot.
         */
        private int[] runTable = new int[2 * TABLE_MIN];

        private int[] shapeTable = new int[2 * TABLE_MIN];

        /** The size of the part of both tables that is in use, minus one. */
        private int tableMask;

        /** The start of each record of the current shape. The records of a run follow each other. */
        private int[] ofShape = new int[256];

        /** The start of the first record of each run of the current shape. */
        private int[] ofRuns = new int[256];

        /** For each offset of the current shape, a byte that is not 0 if the bytes differ within the shape. */
        private byte[] inShape = new byte[256];

        /** The same for bytes that differ within a run. */
        private byte[] inRun = new byte[256];

        /**
         * Combines the records of a batch.
         *
         * @return the number of bytes in {@link #bytes()}; -1 when the batch should stay as it is: when it is large,
         *     when the records have too little in common, when a message has many records, or when the order of records
         *     matters
         */
        int combine(UpdateBatch batch) {
            if (batch.limit() > PLAIN_BYTES_MAX) {
                return -1;
            }
            prepare(batch.records(), batch.limit());
            if (!divide(batch.bytes(), batch.limit()) || isTooVarious()) {
                return -1;
            }
            length = 0;
            for (int shape = 0; shape < shapes; shape++) {
                write(shape, batch.bytes());
            }
            return length < batch.limit() ? length : -1;
        }

        private boolean isTooVarious() {
            return 2 * shapes > records;
        }

        /** The array that has the combined records. The next call of {@link #combine} may replace it. */
        byte[] bytes() {
            return to;
        }

        private void prepare(int count, int plain) {
            if (count > starts.length) {
                int size = Integer.highestOneBit(count) * 2;
                starts = new int[size];
                nextRecord = new int[size];
                firsts = new int[size];
                lasts = new int[size];
                counts = new int[size];
                nextRun = new int[size];
                firstRuns = new int[size];
                lastRuns = new int[size];
                ofShape = new int[size];
                ofRuns = new int[size];
                runTable = new int[2 * size];
                shapeTable = new int[2 * size];
            }
            // A small batch uses only a part of the tables, because clearing them costs time.
            tableMask = Math.max(TABLE_MIN, Integer.highestOneBit(Math.max(1, count - 1)) * 4) - 1;
            Arrays.fill(runTable, 0, tableMask + 1, 0);
            Arrays.fill(shapeTable, 0, tableMask + 1, 0);
            // Each record of a shape takes at most its own bytes. The shape also has the first record, masks, and
            // numbers.
            int most = 2 * plain + plain / 4 + 16 * count;
            if (most > to.length) {
                to = new byte[most];
            }
            records = 0;
            runs = 0;
            shapes = 0;
        }

        /** Divides the records into runs and shapes; returns false when the batch should stay as it is. */
        private boolean divide(byte[] bytes, int end) {
            int sameStamp = 0;
            long stampBefore = 0;
            for (int at = 0; at < end; at += Bytes.getInt(bytes, at)) {
                if (UpdateBatch.isGuard(bytes, at)) {
                    return false; // the order decides which one of two records with the same id counts
                }
                long stamp = Bytes.getLong(bytes, at + UpdateBatch.STAMP_OFFSET);
                sameStamp = stamp == stampBefore && records > 0 ? sameStamp + 1 : 0;
                stampBefore = stamp;
                if (sameStamp > 0 && (sameStamp > SAME_STAMP_MAX || isOfOtherShape(bytes, at, sameStamp))) {
                    return false;
                }
                add(bytes, at);
                if (records == TRIED_RECORDS && isTooVarious()) {
                    return false;
                }
            }
            return true;
        }

        /**
         * Whether a record has the same hash and the same summary as an earlier record, but another shape. The method
         * compares the record only with its nearest predecessors; {@code before} is their number. The order of two such
         * records matters when they have the same stamp.
         */
        private boolean isOfOtherShape(byte[] bytes, int at, int before) {
            long hash = hash(bytes, at);
            for (int i = records - before; i < records; i++) {
                if (hash(bytes, starts[i]) == hash
                        && UpdateBatch.summary(bytes, starts[i]) == UpdateBatch.summary(bytes, at)
                        && !isSameShape(bytes, starts[i], at)) {
                    return true;
                }
            }
            return false;
        }

        private void add(byte[] bytes, int at) {
            int record = records++;
            starts[record] = at;
            nextRecord[record] = END;
            long hash = hash(bytes, at);
            int mask = tableMask;
            int slot = (int) (hash >>> 32) & mask;
            for (; runTable[slot] != 0; slot = (slot + 1) & mask) {
                int run = runTable[slot] - 1;
                int first = starts[firsts[run]];
                if (hash(bytes, first) == hash && isSameShape(bytes, first, at)) {
                    nextRecord[lasts[run]] = record;
                    lasts[run] = record;
                    counts[run]++;
                    return;
                }
            }
            int run = runs++;
            runTable[slot] = run + 1;
            firsts[run] = record;
            lasts[run] = record;
            counts[run] = 1;
            nextRun[run] = END;
            addToShape(bytes, run, at);
        }

        private void addToShape(byte[] bytes, int run, int at) {
            int mask = tableMask;
            int mixed = (Bytes.getInt(bytes, at) * 31 + target(bytes, at)) * 0x9E3779B9;
            int slot = mixed >>> 16 & mask;
            for (; shapeTable[slot] != 0; slot = (slot + 1) & mask) {
                int shape = shapeTable[slot] - 1;
                if (isSameShape(bytes, starts[firsts[firstRuns[shape]]], at)) {
                    nextRun[lastRuns[shape]] = run;
                    lastRuns[shape] = run;
                    return;
                }
            }
            int shape = shapes++;
            shapeTable[slot] = shape + 1;
            firstRuns[shape] = run;
            lastRuns[shape] = run;
        }

        private static long hash(byte[] bytes, int record) {
            return Bytes.getLong(bytes, record + UpdateBatch.HASH_OFFSET);
        }

        private static int target(byte[] bytes, int record) {
            return Bytes.getInt(bytes, record + UpdateBatch.SUMMARY_OFFSET);
        }

        private static boolean isSameShape(byte[] bytes, int one, int other) {
            return Bytes.getInt(bytes, one) == Bytes.getInt(bytes, other) && target(bytes, one) == target(bytes, other);
        }

        private void write(int shape, byte[] bytes) {
            int first = starts[firsts[firstRuns[shape]]];
            int size = Bytes.getInt(bytes, first);
            System.arraycopy(bytes, first, to, length, size);
            length += size;
            int runsAt = length;
            length += Integer.BYTES;
            if (size > inShape.length) {
                inShape = new byte[size];
                inRun = new byte[size];
            } else {
                Arrays.fill(inShape, 0, size, (byte) 0);
                Arrays.fill(inRun, 0, size, (byte) 0);
            }
            int recordCount = 0;
            int runCount = 0;
            for (int run = firstRuns[shape]; run != END; run = nextRun[run]) {
                int start = starts[firsts[run]];
                ofRuns[runCount++] = start;
                ofShape[recordCount++] = start;
                differ(bytes, first, start, size, inShape);
                for (int record = nextRecord[firsts[run]]; record != END; record = nextRecord[record]) {
                    ofShape[recordCount++] = starts[record];
                    differ(bytes, start, starts[record], size, inRun);
                }
            }
            Bytes.putInt(to, runsAt, runCount);
            writeMasks(size);
            for (int run = firstRuns[shape]; run != END; run = nextRun[run]) {
                length = putVarint(to, length, counts[run]);
            }
            for (int offset = 0; offset < size; offset++) {
                if (inRun[offset] == 0 && inShape[offset] != 0) {
                    writeBytes(bytes, offset, ofRuns, runCount);
                }
            }
            for (int offset = 0; offset < size; offset++) {
                if (inRun[offset] != 0) {
                    writeBytes(bytes, offset, ofShape, recordCount);
                }
            }
        }

        /** Marks the offsets at which two records differ. */
        private static void differ(byte[] bytes, int one, int other, int size, byte[] marks) {
            int offset = 0;
            for (; offset + Long.BYTES <= size; offset += Long.BYTES) {
                long difference = Bytes.getLong(bytes, one + offset) ^ Bytes.getLong(bytes, other + offset);
                Bytes.putLong(marks, offset, Bytes.getLong(marks, offset) | difference);
            }
            for (; offset < size; offset++) {
                marks[offset] |= (byte) (bytes[one + offset] ^ bytes[other + offset]);
            }
        }

        private void writeMasks(int size) {
            for (int offset = 0; offset < size; offset += Byte.SIZE) {
                int shapeMask = 0;
                int runMask = 0;
                for (int bit = 0; bit < Byte.SIZE && offset + bit < size; bit++) {
                    shapeMask |= inShape[offset + bit] != 0 ? 1 << bit : 0;
                    runMask |= inRun[offset + bit] != 0 ? 1 << bit : 0;
                }
                to[length++] = (byte) shapeMask;
                to[length++] = (byte) runMask;
            }
        }

        private void writeBytes(byte[] bytes, int offset, int[] records, int count) {
            byte[] to = this.to;
            int at = length;
            for (int i = 0; i < count; i++) {
                to[at + i] = bytes[records[i] + offset];
            }
            length = at + count;
        }
    }

    /** Restores records that {@link Combiner} combined. One thread. */
    static final class Expander {
        private byte[] from = {};
        private int at;
        private byte[] to = {};

        /** For each run of the current shape: the start of its first record, and the number of its records. */
        private int[] starts = new int[256];

        private int[] counts = new int[256];

        /**
         * Writes the records of combined updates to the start of {@code to}.
         *
         * @return the number of bytes written
         * @throws IndexOutOfBoundsException for some of the bytes that no combiner wrote
         */
        int expand(byte[] from, int length, byte[] to) {
            this.from = from;
            this.to = to;
            at = 0;
            int end = 0;
            while (at < length) {
                end = expandShape(end);
            }
            return end;
        }

        private int expandShape(int start) {
            int first = at;
            int size = Bytes.getInt(from, first);
            int runs = Bytes.getInt(from, first + size);
            int masks = first + size + Integer.BYTES;
            at = masks + (size + Byte.SIZE - 1) / Byte.SIZE * 2;
            if (runs > starts.length) {
                starts = new int[Integer.highestOneBit(runs) * 2];
                counts = new int[starts.length];
            }
            int end = start;
            for (int run = 0; run < runs; run++) {
                counts[run] = varint();
                starts[run] = end;
                System.arraycopy(from, first, to, end, size);
                end += counts[run] * size;
            }
            for (int offset = 0; offset < size; offset++) {
                int mask = masks + offset / Byte.SIZE * 2;
                if (((from[mask] & ~from[mask + 1]) >>> offset % Byte.SIZE & 1) != 0) {
                    for (int run = 0; run < runs; run++) {
                        to[starts[run] + offset] = from[at++];
                    }
                }
            }
            for (int run = 0; run < runs; run++) {
                for (int i = 1; i < counts[run]; i++) {
                    System.arraycopy(to, starts[run], to, starts[run] + i * size, size);
                }
            }
            for (int offset = 0; offset < size; offset++) {
                if ((from[masks + offset / Byte.SIZE * 2 + 1] >>> offset % Byte.SIZE & 1) != 0) {
                    for (int place = start + offset; place < end; place += size) {
                        to[place] = from[at++];
                    }
                }
            }
            return end;
        }

        private int varint() {
            int value = 0;
            for (int shift = 0; ; shift += 7) {
                byte next = from[at++];
                value |= (next & 0x7f) << shift;
                if (next >= 0) {
                    return value;
                }
            }
        }
    }

    private static int putVarint(byte[] to, int at, int value) {
        int left = value;
        int end = at;
        for (; left > 0x7f; left >>>= 7) {
            to[end++] = (byte) (left | 0x80);
        }
        to[end++] = (byte) left;
        return end;
    }
}
