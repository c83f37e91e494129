package io.summarizer.bench.advice;

import java.util.Locale;

/** What somebody may want of a configuration. */
public enum Goal {
    /** Most events a second. */
    THROUGHPUT("most events a second"),
    /** Shortest time until an event can be pulled. */
    LATENCY("shortest time until an event is seen"),
    /** Least work for an event. */
    CPU("least CPU for an event");

    private final String words;

    Goal(String words) {
        this.words = words;
    }

    /** In words. */
    public String words() {
        return words;
    }

    /** The name on the command line. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
