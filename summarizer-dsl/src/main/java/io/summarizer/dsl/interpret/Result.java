package io.summarizer.dsl.interpret;

import io.summarizer.core.ledger.NullReason;
import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/**
 * The result of an expression. Immutable.
 *
 * @param value a BigInteger, a Double, a Boolean, a String or null. Times and durations are BigIntegers in µs, amounts
 *     are BigIntegers in millionths
 * @param reason the first failure in the expression, or null
 * @param sample the text that could not be read as a number or time, or null
 * @param abandoned whether an {@code extract} in the expression was abandoned
 */
public record Result(
        @Nullable Object value,
        @Nullable NullReason reason,
        @Nullable String sample,
        boolean abandoned) {
    /** Whether there is no value. */
    public boolean isNull() {
        return value == null;
    }

    /** Whether the result is a condition that holds. */
    public boolean holds() {
        return Boolean.TRUE.equals(value);
    }

    /** The string, or null when the value is not a string. */
    public @Nullable String text() {
        return value instanceof String text ? text : null;
    }

    /** The 64 bits for a record: the bits of an integer or a double, 1 for true, and 0 for all other values. */
    public long bits() {
        return bits(value);
    }

    static long bits(@Nullable Object value) {
        if (value instanceof Double number) {
            return Double.doubleToRawLongBits(number);
        }
        return value instanceof BigInteger integer ? integer.longValue() : Boolean.TRUE.equals(value) ? 1 : 0;
    }
}
