package io.summarizer.bench.sweep;

import java.util.Locale;

/** Figures that are measured, in the order of the columns of results. */
public enum Metric {
    EVENTS(0),
    SECONDS(3),
    EVENTS_PER_S(0),
    CPU_S_PER_MILLION(4),
    ALLOC_BYTES_PER_EVENT(2),
    GC_PAUSES(0),
    GC_PAUSE_MS(3),
    GC_PAUSE_MAX_MS(3),
    /** Occupied share of the parse queue, averaged over all samples. */
    PARSE_FILL(4),
    /** Share of samples in which the parse queue was at least 90 % full. */
    PARSE_FULL_SHARE(4),
    /** Share of samples in which the parse queue was empty. */
    PARSE_EMPTY_SHARE(4),
    /**
     * Occupied share of the owners' queues, averaged over all samples. Like the next two figures, it is a mean over all
     * owners' queues.
     */
    OWNER_FILL(4),
    OWNER_FULL_SHARE(4),
    OWNER_EMPTY_SHARE(4),
    LATENCY_P50_US(0),
    LATENCY_P90_US(0),
    LATENCY_P99_US(0),
    LATENCY_P999_US(0),
    LATENCY_MAX_US(0);

    private final int decimals;

    Metric(int decimals) {
        this.decimals = decimals;
    }

    /** The name of its column. */
    public String column() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Formats a value. */
    String text(double value) {
        return String.format(Locale.ROOT, "%." + decimals + "f", value);
    }
}
