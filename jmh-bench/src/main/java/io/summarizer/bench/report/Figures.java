package io.summarizer.bench.report;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Reports the figures of a section to {@link SectionProcess}, as lines on standard output. */
public final class Figures {
    @SuppressWarnings("unused") // never read; keeps the object reachable
    private static volatile @Nullable Object kept;

    private Figures() {}

    /** Reports one figure. */
    public static void report(String name, double value, String unit) {
        System.out.printf(
                Locale.ROOT,
                "%s%s\t%s\t%s%n",
                SectionProcess.MARK,
                name,
                String.format(Locale.ROOT, Math.abs(value) >= 1_000 ? "%.0f" : "%.3f", value),
                unit);
        System.out.flush();
    }

    /** Bytes in use on the heap after garbage collection. */
    public static long liveBytes() {
        Runtime runtime = Runtime.getRuntime();
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 3; i++) {
            System.gc();
            least = Math.min(least, runtime.totalMemory() - runtime.freeMemory());
        }
        return least;
    }

    /**
     * Keeps an object reachable until this call, so that a measurement made before this call includes the object's
     * memory.
     */
    public static void keep(Object object) {
        kept = object;
        kept = null;
    }

    /** Bytes that this thread has allocated so far. */
    public static long allocatedBytes() {
        return ((com.sun.management.ThreadMXBean) java.lang.management.ManagementFactory.getThreadMXBean())
                .getThreadAllocatedBytes(Thread.currentThread().getId());
    }

    /**
     * Processor time of this thread so far. Other programs on the machine distort this time less than they distort
     * elapsed time.
     */
    public static long cpuNanos() {
        return java.lang.management.ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }
}
