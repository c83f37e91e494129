package io.summarizer.server.cli;

import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.LongFunction;

/**
 * A line with the progress of a long command, shown only when standard error is a terminal. Used by one thread. The
 * thread may call {@link #update} at any rate, because the line is drawn only ten times a second.
 */
final class ProgressBar implements AutoCloseable {
    private static final long INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final int BAR_COLUMNS_MAX = 30;

    private final Terminal terminal;
    private final String label;
    private final long total;
    private final LongFunction<String> unit;
    private final long start = System.nanoTime();
    private long drawn = start;
    private boolean visible;

    /**
     * Makes a progress bar.
     *
     * @param total the final value of {@link #update}; 0 when it is unknown
     * @param unit formats amounts
     */
    ProgressBar(Terminal terminal, String label, long total, LongFunction<String> unit) {
        this.terminal = terminal;
        this.label = label;
        this.total = total;
        this.unit = unit;
    }

    /** Sets the amount done. */
    void update(long done) {
        long now = System.nanoTime();
        if (terminal.errIsTerminal() && now - drawn >= INTERVAL_NANOS) {
            drawn = now;
            visible = true;
            terminal.err().print("\r" + line(done, (now - start) / 1e9) + "\033[K");
        }
    }

    /** Returns the line to show when {@code done} was processed in this number of seconds. */
    String line(long done, double seconds) {
        String rate = unit.apply(Math.round(done / Math.max(seconds, 1e-9))) + "/s";
        if (total <= 0) {
            return String.format(Locale.ROOT, "%s  %s  %s", label, unit.apply(done), rate);
        }
        double fraction = Math.min(1, (double) done / total);
        int columns = Math.max(0, Math.min(BAR_COLUMNS_MAX, terminal.columns() - label.length() - 50));
        int full = (int) Math.round(fraction * columns);
        String eta = fraction > 0 ? "ETA " + Units.duration(seconds / fraction - seconds) : "";
        return String.format(
                Locale.ROOT,
                "%s  %s%s %3.0f %%  %s of %s  %s  %s",
                label,
                "█".repeat(full),
                "░".repeat(columns - full),
                fraction * 100,
                unit.apply(done),
                unit.apply(total),
                rate,
                eta);
    }

    /** Erases the line. */
    @Override
    public void close() {
        if (visible) {
            terminal.err().print("\r\033[K");
            terminal.err().flush();
            visible = false;
        }
    }
}
