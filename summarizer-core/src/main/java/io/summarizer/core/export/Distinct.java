package io.summarizer.core.export;

/** The form of a {@code multiset64} in an export. */
public enum Distinct {
    /** The estimated number of distinct values, an integer. */
    ESTIMATE,
    /** The set itself, in the text form of PostgreSQL's {@code hll}. */
    HLL,
    /** The estimate, followed by a column {@code NAME_hll} with the set. */
    BOTH
}
