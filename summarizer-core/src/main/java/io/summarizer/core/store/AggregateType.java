package io.summarizer.core.store;

/** The type of a value column: an aggregate that takes one observation at a time, in any order. */
public enum AggregateType {
    SUMINT32(Operand.LONG),
    SUMINT64(Operand.LONG),
    SUMFLOAT(Operand.DOUBLE),
    SUMDOUBLE(Operand.DOUBLE),
    /** Adds amounts of currency; the operand is in millionths. */
    SUMCURRENCY(Operand.LONG),
    /** Counts observations, whatever the operand. */
    COUNT(Operand.LONG),
    MININT64(Operand.LONG),
    MAXINT64(Operand.LONG),
    MINDOUBLE(Operand.DOUBLE),
    MAXDOUBLE(Operand.DOUBLE),
    /** The operand is in µs since the epoch. */
    MINTIMESTAMP(Operand.LONG),
    MAXTIMESTAMP(Operand.LONG),
    /**
     * Keeps the observation with the smallest arrival stamp. If a message has several observations, the first one
     * counts.
     */
    FIRSTSTRING(Operand.STRING),
    /**
     * Keeps the observation with the largest arrival stamp. If a message has several observations, the last one counts.
     */
    LASTSTRING(Operand.STRING),
    FIRSTINT64(Operand.LONG),
    LASTINT64(Operand.LONG),
    /**
     * Estimates the number of distinct elements. The operand is the 64-bit hash of an element; the parser worker
     * computes it.
     */
    MULTISET64(Operand.LONG);

    /** The form of an observation in an {@link UpdateBatch}. */
    public enum Operand {
        LONG,
        DOUBLE,
        STRING
    }

    private final Operand operand;

    AggregateType(Operand operand) {
        this.operand = operand;
    }

    /** The form of an observation of this type. */
    public Operand operand() {
        return operand;
    }

    /** The name in the language. */
    public String keyword() {
        return name().toLowerCase(java.util.Locale.ROOT);
    }
}
