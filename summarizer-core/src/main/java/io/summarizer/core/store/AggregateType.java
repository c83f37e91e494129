package io.summarizer.core.store;

/** Type of a value column: an aggregate that takes one observation at a time, in any order. */
public enum AggregateType {
    SUMINT32(Operand.LONG),
    SUMINT64(Operand.LONG),
    SUMFLOAT(Operand.DOUBLE),
    SUMDOUBLE(Operand.DOUBLE),
    /** The operand is in millionths. */
    SUMCURRENCY(Operand.LONG),
    /** Counts observations; the operand's value does not matter. */
    COUNT(Operand.LONG),
    MININT64(Operand.LONG),
    MAXINT64(Operand.LONG),
    MINDOUBLE(Operand.DOUBLE),
    MAXDOUBLE(Operand.DOUBLE),
    /** The operand is in µs since the epoch. */
    MINTIMESTAMP(Operand.LONG),
    MAXTIMESTAMP(Operand.LONG),
    /**
     * Keeps the observation with the smallest arrival stamp; if a message has several observations, the first of them.
     */
    FIRSTSTRING(Operand.STRING),
    /**
     * Keeps the observation with the largest arrival stamp; if a message has several observations, the last of them.
     */
    LASTSTRING(Operand.STRING),
    FIRSTINT64(Operand.LONG),
    LASTINT64(Operand.LONG),
    /** The operand is the 64-bit hash of the element, made by the parser worker. */
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
