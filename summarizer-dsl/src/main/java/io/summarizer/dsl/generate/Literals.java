package io.summarizer.dsl.generate;

import io.summarizer.dsl.model.Expression;
import io.summarizer.dsl.model.Expression.Type;
import io.summarizer.dsl.model.Expression.UnaryOperator;
import io.summarizer.dsl.runtime.LongTable;
import org.jspecify.annotations.Nullable;

/** Converts literals to entries of the tables that {@code in} uses. */
final class Literals {
    /**
     * A double can represent each integer up to this bound. Therefore, a double equals such an integer if and only if
     * it equals the integer after conversion to a double.
     */
    private static final long EXACT_DOUBLES = 1L << 53;

    private Literals() {}

    /**
     * The table entry for a literal, as text; null when the literal cannot be in a table. A value of {@code type}
     * equals the literal if and only if their entries are equal.
     */
    static @Nullable String of(Type type, Expression element) {
        boolean negative = element instanceof Expression.Unary unary && unary.operator() == UnaryOperator.NEGATE;
        Expression literal = negative ? ((Expression.Unary) element).operand() : element;
        if (literal instanceof Expression.StringLiteral text) {
            return type == Type.STRING ? text.value().length() + ":" + text.value() : null;
        }
        if (literal instanceof Expression.DecimalLiteral decimal && type == Type.DOUBLE) {
            double value = decimal.value().doubleValue();
            return LongTable.key(negative ? -value : value) + ",";
        }
        long value;
        if (literal instanceof Expression.IntLiteral integer) {
            value = integer.value();
        } else if (literal instanceof Expression.DurationLiteral duration) {
            value = duration.micros();
        } else {
            return null;
        }
        if (value < 0) {
            return null;
        }
        long signed = negative ? -value : value;
        return switch (type) {
            case INT, TIMESTAMP, DURATION -> signed + ",";
            case UINT -> signed < 0 ? null : signed + ",";
            case DOUBLE -> value > EXACT_DOUBLES ? null : LongTable.key((double) signed) + ",";
            default -> null;
        };
    }
}
