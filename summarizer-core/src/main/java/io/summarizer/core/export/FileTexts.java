package io.summarizer.core.export;

import java.io.IOException;
import java.util.Arrays;
import java.util.function.BooleanSupplier;

/**
 * Texts of rows in files, for an export in sorted order. The files are read from front to back, and the text of each
 * row is kept in memory. Then the texts are copied to the output in the sorted order. If the texts of all rows take too
 * much memory, they are handled in batches. For each batch, the files are read again. Memory: the texts, and 12 bytes
 * for each row of the batch. Belongs to one export.
 */
final class FileTexts implements AutoCloseable {
    private static final int FIRST_BYTES = 64 * 1024;
    /** Maximum number of bytes of texts. An array may also have the row that exceeds it. */
    private static final int BYTES_MAX = 1 << 30;

    private static final int ROW_BYTES = Long.BYTES + Integer.BYTES;

    private final RowScan scan;
    private final CsvRowWriter writer;
    private final SortedRows sorted;
    private final ExportMemory memory;
    private final CsvBuffer buffer = new CsvBuffer(this::append);

    /** End of the complete batch in {@link #sorted}. */
    private int end;
    /** End of the batch that is being read, or 0. */
    private int filling;
    /** The places of those rows of the batch that are in files, in ascending order. */
    private long[] places = {};
    /** For each of these rows, the end of its text. */
    private int[] ends = {};

    private int read;
    private byte[] texts = {};
    private int bytes;
    private long taken;

    /**
     * No texts.
     *
     * @param sorted all rows in order
     * @param scan a walk over these rows; only this object uses it
     * @param memory the memory in which the rows and the texts lie
     */
    FileTexts(RowScan scan, CsvRowWriter writer, SortedRows sorted, ExportMemory memory) {
        this.scan = scan;
        this.writer = writer;
        this.sorted = sorted;
        this.memory = memory;
    }

    /**
     * Reads the batch that has row number {@code next}, if this batch was not read before.
     *
     * @param pauses called after each row that is read
     * @return false when {@code pauses} returned true before the batch was complete; the next call then continues the
     *     batch
     */
    boolean fill(int next, BooleanSupplier pauses) throws IOException, CsvQueryException {
        while (next >= end) {
            if (filling == 0) {
                begin(next, sorted.size());
            }
            while (read < places.length) {
                scan.seekInFile(places[read]);
                writer.write(scan.rows(), buffer);
                buffer.flush();
                if (bytes > room() && read > 0) {
                    // Begins again with half of the rows read so far, which fit easily.
                    begin(next, next + Math.max(1, read / 2));
                    continue;
                }
                account();
                ends[read++] = bytes;
                if (read < places.length && pauses.getAsBoolean()) {
                    return false;
                }
            }
            end = filling;
            filling = 0;
        }
        return true;
    }

    private void begin(int next, int to) throws CsvQueryException {
        scan.restart();
        filling = to;
        places = new long[0];
        ends = new int[0];
        int count = 0;
        for (int i = next; i < to; i++) {
            count += scan.isInFile(sorted.place(i)) ? 1 : 0;
        }
        places = new long[count];
        account();
        ends = new int[count];
        int at = 0;
        for (int i = next; i < to; i++) {
            if (scan.isInFile(sorted.place(i))) {
                places[at++] = sorted.place(i);
            }
        }
        Arrays.sort(places);
        read = 0;
        bytes = 0;
    }

    private void append(byte[] more, int offset, int length) throws IOException {
        if (length > texts.length - bytes) {
            long larger = Math.min(room(), Math.max(FIRST_BYTES, texts.length * 3L / 2));
            texts = Arrays.copyOf(texts, Math.toIntExact(Math.max(larger, (long) bytes + length)));
        }
        System.arraycopy(more, offset, texts, bytes, length);
        bytes += length;
    }

    /** Maximum number of bytes of texts; a single row may have more. */
    private long room() {
        long room = memory.exportBytesMax() - sorted.bytesTaken() - (long) places.length * ROW_BYTES;
        return Math.max(0, Math.min(BYTES_MAX, room));
    }

    /** Takes the memory that is in use. What the last row has beyond the bound is not counted. */
    private void account() throws CsvQueryException {
        long used = Math.min(
                memory.exportBytesMax() - sorted.bytesTaken(), (long) places.length * ROW_BYTES + texts.length);
        if (used > taken) {
            memory.take(0, used - taken);
            taken = used;
        }
    }

    /** Writes the text of row number {@code i}. The row has to be in a file, and in the current batch. */
    void write(int i, CsvBuffer out) throws IOException {
        int row = Arrays.binarySearch(places, sorted.place(i));
        int from = row == 0 ? 0 : ends[row - 1];
        out.putRaw(texts, from, ends[row] - from);
    }

    /** Releases the memory and the file. */
    @Override
    public void close() {
        scan.close();
        memory.giveBack(taken);
        taken = 0;
    }
}
