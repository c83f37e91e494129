package io.summarizer.dsl.check;

import io.summarizer.core.store.AggregateType;
import io.summarizer.core.store.KeyType;
import io.summarizer.dsl.model.Expression.Type;

/** Decides which types of expressions a column accepts. Every column accepts {@code null}. */
final class Assignability {
    /** Advice for a duration. */
    static final String SECONDS = "a duration divided by a duration is a number: `x / 1s` counts seconds";

    private Assignability() {}

    /**
     * Whether a key column accepts a value of this type. At run time, a value that does not fit the column's width
     * becomes null, and a counter is increased.
     */
    static boolean takes(KeyType key, Type type) {
        return switch (key) {
            case INT32, INT64, UINT32, UINT64 -> isInteger(type);
            case BOOL -> type == Type.BOOL;
            case STRING -> type == Type.STRING;
            case TIMESTAMP -> type == Type.TIMESTAMP;
        };
    }

    /** Whether an aggregate takes a value of this type. */
    static boolean takes(AggregateType aggregate, Type type) {
        return switch (aggregate) {
            case SUMINT32, SUMINT64, MININT64, MAXINT64, FIRSTINT64, LASTINT64 -> isInteger(type);
            case SUMFLOAT, SUMDOUBLE, MINDOUBLE, MAXDOUBLE -> isNumber(type);
            case SUMCURRENCY -> isNumber(type) || type == Type.STRING;
            case COUNT -> true;
            case MINTIMESTAMP, MAXTIMESTAMP -> type == Type.TIMESTAMP;
            case FIRSTSTRING, LASTSTRING -> type == Type.STRING;
            case MULTISET64 -> isInteger(type) || type == Type.STRING || type == Type.TIMESTAMP || type == Type.BOOL;
        };
    }

    /** A text that names the types that an aggregate accepts. */
    static String taken(AggregateType aggregate) {
        return switch (aggregate) {
            case SUMINT32, SUMINT64, MININT64, MAXINT64, FIRSTINT64, LASTINT64 -> "integers";
            case SUMFLOAT, SUMDOUBLE, MINDOUBLE, MAXDOUBLE -> "numbers";
            case SUMCURRENCY -> "numbers and strings that hold numbers";
            case COUNT -> "anything";
            case MINTIMESTAMP, MAXTIMESTAMP -> "timestamps";
            case FIRSTSTRING, LASTSTRING -> "strings";
            case MULTISET64 -> "integers, strings, timestamps and bools";
        };
    }

    /** A text that names the types that a key takes. */
    static String taken(KeyType key) {
        return switch (key) {
            case INT32, INT64, UINT32, UINT64 -> "integers";
            case BOOL -> "bools";
            case STRING -> "strings";
            case TIMESTAMP -> "timestamps";
        };
    }

    static boolean isInteger(Type type) {
        return type == Type.INT || type == Type.UINT;
    }

    static boolean isNumber(Type type) {
        return isInteger(type) || type == Type.DOUBLE;
    }

    /** Advice on how to convert type {@code given} to type {@code wanted}, or an empty text. */
    static String conversion(String wanted, Type given) {
        if (given == Type.COMPOSITE || given == Type.NULL) {
            return "";
        }
        if (given == Type.DURATION) {
            return SECONDS;
        }
        return switch (wanted) {
            case "integers" ->
                given == Type.BOOL ? "`if(x, 1, 0)` makes an integer of a bool" : "`int64(x)` makes an integer of it";
            case "numbers", "numbers and strings that hold numbers" ->
                given == Type.BOOL
                        ? "`if(x, 1, 0)` makes an integer of a bool"
                        : given == Type.STRING
                                ? "`double(x)` reads a number from a string"
                                : "`int64(x)` makes an integer of it";
            case "strings" -> "`string(x)` makes a string of it";
            case "timestamps" -> given == Type.BOOL ? "" : "`timestamp(x)` reads ISO 8601 text and epoch milliseconds";
            case "bools" -> "compare it, as `x != 0`";
            default -> given == Type.DOUBLE ? "`string(x)` makes a string of it, `int64(x)` an integer" : "";
        };
    }
}
