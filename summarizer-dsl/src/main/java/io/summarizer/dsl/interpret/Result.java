package io.summarizer.dsl.interpret;

import io.summarizer.core.ledger.NullReason;
import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/**
 * The result of an expression. Immutable.
 *
 * @param value a BigInteger (also for times and durations, in µs, and amounts, in millionths), a Double, a Boolean, a
 *     String or null
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

    /** The string, or null when the value is no string. */
    public @Nullable String text() {
        return value instanceof String text ? text : null;
    }

    /** The 64 bits for a record: the bits of an integer or a double, or 0 or 1 for a boolean. Any other value has 0. */
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
