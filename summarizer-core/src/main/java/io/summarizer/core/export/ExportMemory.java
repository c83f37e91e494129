package io.summarizer.core.export;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The memory in which exports sort or group rows. It has a bound for each export, and a bound for all exports together.
 * Thread-safe.
 */
public final class ExportMemory {
    private static final int SORT_SHARE = 32;
    private static final int SHARE = 20;
    private static final long SORT_BYTES_MIN = 16L << 20;

    private final Work work;
    private final boolean inPasses;
    private final long exportBytesMax;
    private final long bytesMax;
    private final AtomicLong taken = new AtomicLong();

    /**
     * The work for which an export needs the memory. Each kind of work has texts that tell users what to do when there
     * is too little memory.
     */
    enum Work {
        SORT(
                "sorting so many rows",
                "ask for fewer by limit= or where=, or pull without order_by and sort there",
                "sorting"),
        GROUP(
                "keeping so many groups",
                "group by fewer columns, choose rows by where=, or raise http.rollup-memory",
                "groups"),
        /** Like GROUP, but in a command that does not read the configuration. */
        GROUP_ALONE("keeping so many groups", "group by fewer columns, or choose rows by where", "groups");

        private final String what;
        private final String advice;
        private final String use;

        Work(String what, String advice, String use) {
            this.what = what;
            this.advice = advice;
            this.use = use;
        }
    }

    ExportMemory(Work work, long exportBytesMax, long bytesMax) {
        this(work, false, exportBytesMax, bytesMax);
    }

    private ExportMemory(Work work, boolean inPasses, long exportBytesMax, long bytesMax) {
        this.work = work;
        this.inPasses = inPasses;
        this.exportBytesMax = exportBytesMax;
        this.bytesMax = bytesMax;
    }

    /**
     * A memory for sorting. The size of the heap determines the bounds. Each export may take a 32nd of the heap, but at
     * least 16 MiB. All exports together may take a twentieth of the heap.
     */
    public static ExportMemory forSorting() {
        long heap = Runtime.getRuntime().maxMemory();
        long each = Math.max(SORT_BYTES_MIN, heap / SORT_SHARE);
        return new ExportMemory(Work.SORT, each, Math.max(each, heap / SHARE));
    }

    /**
     * A memory for sorting in passes, for one export at a time. It has the size that {@link #forSorting} allows for one
     * export. If the rows do not fit, the export makes several passes over all rows, and each pass writes the rows that
     * are next in order.
     */
    public static ExportMemory forPasses() {
        return forPasses(Math.max(SORT_BYTES_MIN, Runtime.getRuntime().maxMemory() / SORT_SHARE));
    }

    static ExportMemory forPasses(long bytesMax) {
        return new ExportMemory(Work.SORT, true, bytesMax, bytesMax);
    }

    /**
     * A memory for the groups of rollups. One export may take at most half of this memory. So an export to a slow
     * client cannot hold all of it.
     */
    public static ExportMemory forGroups(long bytesMax) {
        return new ExportMemory(Work.GROUP, bytesMax / 2, bytesMax);
    }

    /** A memory for the groups of the only export of a process: half of the heap. */
    public static ExportMemory forGroups() {
        long half = Runtime.getRuntime().maxMemory() / 2;
        return new ExportMemory(Work.GROUP_ALONE, half, half);
    }

    /** Whether an export sorts in passes if its rows do not fit. */
    boolean isForPasses() {
        return inPasses;
    }

    /** Bytes in use. */
    public long taken() {
        return taken.get();
    }

    /**
     * Takes further bytes for an export.
     *
     * @throws CsvQueryException when the export would exceed its bound, or when other exports use the memory; no bytes
     *     are taken then
     */
    void take(long has, long more) throws CsvQueryException {
        if (has + more > exportBytesMax) {
            throw new CsvQueryException(
                    CsvQueryException.Reason.TOO_LARGE,
                    work.what + " takes more than " + (exportBytesMax >> 20) + " MiB; " + work.advice);
        }
        long before = taken.getAndUpdate(bytes -> bytes + more > bytesMax ? bytes : bytes + more);
        if (before + more > bytesMax) {
            throw new CsvQueryException(
                    CsvQueryException.Reason.BUSY, "other pulls hold the memory for " + work.use + "; try again");
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
