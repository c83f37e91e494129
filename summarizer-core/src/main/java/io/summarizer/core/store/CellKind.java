package io.summarizer.core.store;

/** The contents of a cell of a row. Several types of aggregate share a kind. */
public enum CellKind {
    /** An int with the sum, or with a handle when the sum does not fit the cell; see {@link Cells#addInt32}. */
    SUM_INT32(4, false),
    /** A long with the sum, or with a handle when the sum does not fit the cell; see {@link Cells#addInt64}. */
    SUM_INT64(8, false),
    SUM_DOUBLE(8, false),
    COUNT(8, false),
    MIN_INT64(8, true),
    MAX_INT64(8, true),
    MIN_DOUBLE(8, true),
    MAX_DOUBLE(8, true),
    /** A long stamp and a long value. */
    FIRST_INT64(16, true),
    LAST_INT64(16, true),
    /** A long stamp, and an int handle of the text; the handle is 0 before the first observation. */
    FIRST_STRING(12, false),
    LAST_STRING(12, false),
    /** An int handle of the set; the handle of the empty set is 0. */
    MULTISET(4, false);

    private final int bytes;
    private final boolean flagged;

    CellKind(int bytes, boolean flagged) {
        this.bytes = bytes;
        this.flagged = flagged;
    }

    /** The kind of cell of an aggregate. */
    static CellKind of(AggregateType type) {
        return switch (type) {
            case SUMINT32 -> SUM_INT32;
            case SUMINT64, SUMCURRENCY -> SUM_INT64;
            case SUMFLOAT, SUMDOUBLE -> SUM_DOUBLE;
            case COUNT -> COUNT;
            case MININT64, MINTIMESTAMP -> MIN_INT64;
            case MAXINT64, MAXTIMESTAMP -> MAX_INT64;
            case MINDOUBLE -> MIN_DOUBLE;
            case MAXDOUBLE -> MAX_DOUBLE;
            case FIRSTINT64 -> FIRST_INT64;
            case LASTINT64 -> LAST_INT64;
            case FIRSTSTRING -> FIRST_STRING;
            case LASTSTRING -> LAST_STRING;
            case MULTISET64 -> MULTISET;
        };
    }

    /** Bytes of the cell. */
    public int bytes() {
        return bytes;
    }

    /** Whether a bit of the row tells if the cell has an observation. */
    public boolean isFlagged() {
        return flagged;
    }
}
