package io.summarizer.core.export;

import java.util.concurrent.atomic.AtomicLong;

/** The memory in which exports sort: one bound for each export, and one for all exports together. Thread-safe. */
public final class SortMemory {
    private static final int EXPORT_SHARE = 32;
    private static final int SHARE = 20;
    private static final long EXPORT_BYTES_MIN = 16L << 20;

    private final long exportBytesMax;
    private final long bytesMax;
    private final AtomicLong taken = new AtomicLong();

    SortMemory(long exportBytesMax, long bytesMax) {
        this.exportBytesMax = exportBytesMax;
        this.bytesMax = bytesMax;
    }

    /**
     * Makes a memory whose bounds follow from the heap. Each export may take a 32nd of the heap, but at least 16 MiB.
     * All exports together may take a twentieth of the heap.
     */
    public static SortMemory ofHeap() {
        long heap = Runtime.getRuntime().maxMemory();
        long each = Math.max(EXPORT_BYTES_MIN, heap / EXPORT_SHARE);
        return new SortMemory(each, Math.max(each, heap / SHARE));
    }

    /** Bytes in use. */
    public long taken() {
        return taken.get();
    }

    /**
     * Takes further bytes for an export.
     *
     * @throws CsvQueryException when the export would exceed its bound, or when other exports use the memory; no bytes
     *     are taken in these cases
     */
    void take(long has, long more) throws CsvQueryException {
        if (has + more > exportBytesMax) {
            throw new CsvQueryException(
                    CsvQueryException.Reason.TOO_LARGE,
                    "sorting so many rows takes more than " + (exportBytesMax >> 20)
                            + " MiB; ask for fewer by limit= or where=, or pull without order_by and sort there");
        }
        long before = taken.getAndUpdate(bytes -> bytes + more > bytesMax ? bytes : bytes + more);
        if (before + more > bytesMax) {
            throw new CsvQueryException(
                    CsvQueryException.Reason.BUSY, "other pulls are sorting in all the memory that there is for it");
        }
    }

    /** Maximum number of bytes of one export. */
    long exportBytesMax() {
        return exportBytesMax;
    }

    void giveBack(long bytes) {
        taken.addAndGet(-bytes);
    }
}
