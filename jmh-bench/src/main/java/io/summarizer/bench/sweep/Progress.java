package io.summarizer.bench.sweep;

import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Prints the progress of a sweep: a line for each run. On a terminal, the last line is a bar, which is redrawn. Used by
 * one thread.
 */
public record Progress(PrintStream out, boolean terminal) {
    private static final int BAR_COLUMNS = 24;
    private static final String CLEAR = "\r\033[K";

    /**
     * Reports the start of a visit.
     *
     * @param left number of remaining visits, including this visit; empty when unknown
     */
    void visiting(Visit visit, int made, Optional<Integer> left, double secondsLeft) {
        String line = bar(made, left) + time(secondsLeft) + " left: " + visit.point() + ", run " + visit.run();
        if (terminal) {
            out.print(CLEAR + line);
            out.flush();
        } else {
            out.println(line);
        }
    }

    /** Reports the end of a visit. */
    void visited(List<Row> rows) {
        if (terminal) {
            out.print(CLEAR);
        }
        for (Row row : rows) {
            out.println("  " + told(row));
        }
        out.flush();
    }

    private String bar(int made, Optional<Integer> left) {
        if (left.isEmpty()) {
            return "visit " + (made + 1) + ", ";
        }
        int all = made + left.get();
        String count = made + 1 + " of " + all + ", ";
        if (!terminal) {
            return count;
        }
        int full = all == 0 ? BAR_COLUMNS : made * BAR_COLUMNS / all;
        return "█".repeat(full) + "░".repeat(BAR_COLUMNS - full) + " " + count;
    }

    private static String time(double seconds) {
        return seconds < 90
                ? Math.max(0, Math.round(seconds)) + " s"
                : String.format(Locale.ROOT, "%d min", Math.round(seconds / 60));
    }

    private static String told(Row row) {
        if (!row.isOk()) {
            return row.point() + ": " + row.status();
        }
        double events = row.figure(Metric.EVENTS_PER_S).orElse(0);
        double cpu = row.figure(Metric.CPU_S_PER_MILLION).orElse(0);
        if (row.kind() == Kind.THROUGHPUT) {
            return String.format(
                    Locale.ROOT,
                    "%s: %,.0f events/s, %.2f CPU s per million, %.1f bytes allocated for each, parse queue %s, owners' %s",
                    row.point(),
                    events,
                    cpu,
                    row.figure(Metric.ALLOC_BYTES_PER_EVENT).orElse(0),
                    percent(row, Metric.PARSE_FILL),
                    percent(row, Metric.OWNER_FILL));
        }
        return String.format(
                Locale.ROOT,
                "%s at %,d events/s: visible within %.1f ms p50, %.1f ms p99, %.1f ms p99.9; %.2f CPU s per million",
                row.point(),
                row.offeredPerS(),
                row.figure(Metric.LATENCY_P50_US).orElse(0) / 1e3,
                row.figure(Metric.LATENCY_P99_US).orElse(0) / 1e3,
                row.figure(Metric.LATENCY_P999_US).orElse(0) / 1e3,
                cpu);
    }

    private static String percent(Row row, Metric fill) {
        return row.figure(fill).isEmpty()
                ? "none"
                : String.format(Locale.ROOT, "%.0f %%", 100 * row.figure(fill).getAsDouble());
    }
}
