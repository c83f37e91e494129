package io.summarizer.bench.sweep;

import java.util.Locale;

/** What a run measures. */
public enum Kind {
    /** Events a second when the sender is held up by the server alone. */
    THROUGHPUT,
    /** From when an event was due to when a pull shows it, at a rate that is offered. */
    LATENCY;

    /** As in files of results. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The kind of this word. */
    static Kind of(String word) {
        for (Kind kind : values()) {
            if (kind.word().equals(word)) {
                return kind;
            }
        }
        throw new IllegalArgumentException("no kind of run: " + word);
    }
}
