package io.summarizer.bench.advice;

import java.util.Locale;

/** Goal of a configuration. */
public enum Goal {
    /** Most events per second. */
    THROUGHPUT("most events a second"),
    /** Shortest time until an event can be pulled. */
    LATENCY("shortest time until an event is seen"),
    /** Least work per event. */
    CPU("least CPU for an event");

    private final String words;

    Goal(String words) {
        this.words = words;
    }

    /** The name in words. */
    public String words() {
        return words;
    }

    /** The name on the command line. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
