package io.summarizer.bench.sweep;

import java.util.Locale;

/** Kind of a measurement. */
public enum Kind {
    /** Events per second when only the server limits the sender. */
    THROUGHPUT,
    /** Time from the moment at which an event was due until a pull shows the event, at an offered rate. */
    LATENCY;

    /** The name in files of results. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns the kind with this name. */
    static Kind of(String word) {
        return valueOf(word.toUpperCase(Locale.ROOT));
    }
}
