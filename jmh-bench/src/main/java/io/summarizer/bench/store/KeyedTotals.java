package io.summarizer.bench.store;

import java.util.Map;

/** Counts events and adds up their amounts, by key. One thread. */
interface KeyedTotals {
    /** Adds the events from {@code from} (inclusive) to {@code to} (exclusive). */
    void add(KeyedEvents events, int from, int to);

    /** Returns count and sum by the text of the key, for checks. */
    Map<String, Totals> totals();

    /** A row. */
    record Totals(long count, long amount) {}
}
