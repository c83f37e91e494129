package io.summarizer.core.export;

/** What an export says of a {@code multiset64}. */
public enum Distinct {
    /** The estimated number of distinct values, an integer. */
    ESTIMATE,
    /** The set itself, in the text form of PostgreSQL's {@code hll}. */
    HLL,
    /** The estimate, and beside it a column {@code NAME_hll} with the set. */
    BOTH
}
