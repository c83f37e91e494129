package io.summarizer.dsl.check;

import static io.summarizer.dsl.check.Assignability.isInteger;

import io.summarizer.core.store.AggregateType;
import io.summarizer.core.store.KeyType;
import io.summarizer.core.text.DecimalText;
import io.summarizer.dsl.diagnose.Diagnostics;
import io.summarizer.dsl.diagnose.Span;
import io.summarizer.dsl.model.Expression;
import io.summarizer.dsl.model.Expression.Binary;
import io.summarizer.dsl.model.Expression.BinaryOperator;
import io.summarizer.dsl.model.Expression.DecimalLiteral;
import io.summarizer.dsl.model.Expression.DurationLiteral;
import io.summarizer.dsl.model.Expression.Function;
import io.summarizer.dsl.model.Expression.IntLiteral;
import io.summarizer.dsl.model.Expression.StringLiteral;
import io.summarizer.dsl.model.Expression.Type;
import io.summarizer.dsl.parse.Ast;
import io.summarizer.dsl.runtime.Numbers;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.IdentityHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Computes numbers and durations that do not depend on an event, and warns when such a constant makes an expression
 * null. For one mapping. One thread.
 */
final class Constants {
    private static final String NULL = ", which gives null";

    private static final BigInteger MICROS_PER_MILLI = BigInteger.valueOf(1000);

    private final Diagnostics diagnostics;
    private final IdentityHashMap<Expression, BigInteger> computed = new IdentityHashMap<>();
    private final IdentityHashMap<Expression, Double> doubles = new IdentityHashMap<>();

    Constants(Diagnostics diagnostics) {
        this.diagnostics = diagnostics;
    }

    /**
     * The value of {@code expression}; null when the value depends on the event, or is neither an integer nor a
     * duration.
     */
    @Nullable
    BigInteger value(Expression expression) {
        if (expression instanceof IntLiteral literal) {
            BigInteger bits = BigInteger.valueOf(literal.value());
            return literal.type() == Type.UINT ? bits.add(BigInteger.TWO.pow(Long.SIZE)) : bits;
        }
        return expression instanceof DurationLiteral literal
                ? BigInteger.valueOf(literal.micros())
                : computed.get(expression);
    }

    /** The value of a number as a double; null when the value depends on the event. */
    private @Nullable Double number(Expression expression) {
        if (expression instanceof DecimalLiteral literal) {
            double value = literal.value().doubleValue();
            return Double.isInfinite(value) ? null : (Double) value;
        }
        BigInteger whole = isInteger(expression.type()) ? value(expression) : null;
        return whole == null ? doubles.get(expression) : (Double) whole.doubleValue();
    }

    /** Evaluates {@code -operand}. */
    void negated(Span span, Expression operand, Expression result) {
        BigInteger value = value(operand);
        Double number = result.type() == Type.DOUBLE ? number(operand) : null;
        if (number != null) {
            doubles.put(result, -number);
        }
        if (isUnsigned(value)) {
            unsigned(span);
        } else if (value != null && isWhole(result)) {
            keep(span, result, value.negate());
        }
    }

    /** Evaluates arithmetic. */
    void computed(Ast.BinaryExpr expr, Binary result) {
        BigInteger left = value(result.left());
        BigInteger right = value(result.right());
        boolean divides = result.operator() == BinaryOperator.DIVIDE || result.operator() == BinaryOperator.REMAINDER;
        if (divides && isZero(result.right(), right)) {
            diagnostics.warning(expr.at(), "this divides by zero" + NULL);
            return;
        }
        if (isUnsigned(left) || isUnsigned(right)) {
            unsigned(expr.at());
        } else if (!isWhole(result)) {
            computedDouble(expr.at(), result);
        } else if (left != null && right != null) {
            keep(
                    expr.at(),
                    result,
                    switch (result.operator()) {
                        case ADD -> left.add(right);
                        case SUBTRACT -> left.subtract(right);
                        case MULTIPLY -> left.multiply(right);
                        default -> left.remainder(right);
                    });
        }
    }

    private void computedDouble(Span span, Binary result) {
        Double left = number(result.left());
        Double right = number(result.right());
        if (left == null || right == null) {
            return;
        }
        double value = switch (result.operator()) {
            case ADD -> left + right;
            case SUBTRACT -> left - right;
            case MULTIPLY -> left * right;
            case DIVIDE -> left / right;
            default -> left % right;
        };
        if (Double.isFinite(value)) {
            doubles.put(result, value);
        } else if (Double.isInfinite(value)) {
            diagnostics.warning(span, "this is beyond the range of doubles" + NULL);
        }
    }

    private void unsigned(Span span) {
        diagnostics.warning(span, "arithmetic is signed and does not take an integer of 2^63 or more" + NULL);
    }

    private void keep(Span span, Expression result, BigInteger value) {
        if (value.bitLength() < Long.SIZE) {
            computed.put(result, value);
        } else {
            diagnostics.warning(
                    span,
                    "this is " + value + " and overflows 64 bits" + NULL,
                    result.type() == Type.INT
                            ? new String[] {"with a point, as `1.0`, a number is a double"}
                            : new String[0]);
        }
    }

    /** Warns where a key column cannot hold a constant. */
    void key(Span span, KeyType type, Expression constant) {
        BigInteger value = value(constant);
        if (value == null || !isInteger(constant.type())) {
            return;
        }
        boolean fits = switch (type) {
            case INT32 -> value.bitLength() < Integer.SIZE;
            case INT64 -> value.bitLength() < Long.SIZE;
            case UINT32 -> value.signum() >= 0 && value.bitLength() <= Integer.SIZE;
            case UINT64 -> value.signum() >= 0;
            default -> true;
        };
        if (!fits) {
            diagnostics.warning(span, "`" + type.keyword() + "` does not hold " + value + ", so that the key is null");
        }
    }

    /** Warns where a column does not take a constant. */
    void update(Span span, AggregateType type, Expression constant) {
        if (constant.type() == Type.NULL) {
            diagnostics.warning(span, "this is always null, so that nothing is added");
            return;
        }
        switch (type) {
            case SUMCURRENCY -> {
                if (constant instanceof StringLiteral literal && !isNumber(literal.value())) {
                    diagnostics.warning(span, "this is no number, so that nothing is added");
                } else if (isNoAmount(constant)) {
                    diagnostics.warning(
                            span,
                            "a `sumcurrency` does not take so large an amount, so that nothing is added",
                            "one amount is at least -9223372036854.775807 and at most 9223372036854.775807");
                }
            }
            case SUMINT32, SUMINT64, MININT64, MAXINT64, FIRSTINT64, LASTINT64 -> {
                if (isUnsigned(value(constant))) {
                    diagnostics.warning(
                            span,
                            "`" + type.keyword()
                                    + "` does not take an integer of 2^63 or more, so that nothing is added");
                }
            }
            default -> {}
        }
    }

    private static boolean isNumber(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return new DecimalText().scan(bytes, 0, bytes.length);
    }

    /** Whether a constant is a number that is no amount of currency, because it is too large. */
    private boolean isNoAmount(Expression constant) {
        if (constant instanceof StringLiteral literal) {
            byte[] bytes = literal.value().getBytes(StandardCharsets.UTF_8);
            DecimalText decimal = new DecimalText();
            return decimal.scan(bytes, 0, bytes.length) && decimal.toScaled(6) == DecimalText.TOO_LARGE;
        }
        if (constant instanceof DecimalLiteral literal) {
            return Numbers.toMicros(literal.value()) == Numbers.NO_AMOUNT;
        }
        BigInteger whole = isInteger(constant.type()) ? value(constant) : null;
        Double number = whole == null ? number(constant) : null;
        return whole != null
                ? Numbers.toMicros(new BigDecimal(whole)) == Numbers.NO_AMOUNT
                : number != null && Numbers.toMicros(number) == Numbers.NO_AMOUNT;
    }

    /** Whether a conversion of a number to {@code function} is not null; true when the number is no constant. */
    boolean fits(Function function, Expression argument) {
        BigInteger whole = isInteger(argument.type()) ? value(argument) : null;
        Double number = whole == null ? number(argument) : null;
        return switch (function) {
            case INT64 -> whole != null ? !isUnsigned(whole) : number == null || Numbers.isWithinLong(number);
            case TIMESTAMP ->
                whole != null
                        ? whole.multiply(MICROS_PER_MILLI).bitLength() < Long.SIZE
                        : number == null || Numbers.isWithinTimes(Numbers.millisToMicros(number));
            default -> true;
        };
    }

    private static boolean isWhole(Expression result) {
        return result.type() == Type.INT || result.type() == Type.DURATION;
    }

    private static boolean isUnsigned(@Nullable BigInteger value) {
        return value != null && value.bitLength() >= Long.SIZE;
    }

    private boolean isZero(Expression divisor, @Nullable BigInteger value) {
        Double number = number(divisor);
        return number == null ? value != null && value.signum() == 0 : number == 0;
    }
}
