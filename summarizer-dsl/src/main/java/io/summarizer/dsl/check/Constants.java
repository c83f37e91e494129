package io.summarizer.dsl.check;

import static io.summarizer.dsl.check.Assignability.isInteger;

import io.summarizer.core.store.KeyType;
import io.summarizer.dsl.diagnose.Diagnostics;
import io.summarizer.dsl.diagnose.Span;
import io.summarizer.dsl.model.Expression;
import io.summarizer.dsl.model.Expression.Binary;
import io.summarizer.dsl.model.Expression.BinaryOperator;
import io.summarizer.dsl.model.Expression.DecimalLiteral;
import io.summarizer.dsl.model.Expression.DurationLiteral;
import io.summarizer.dsl.model.Expression.IntLiteral;
import io.summarizer.dsl.model.Expression.Type;
import io.summarizer.dsl.parse.Ast;
import java.math.BigInteger;
import java.util.IdentityHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Computes integers and durations that do not depend on an event, and warns when such a constant makes an expression
 * null. For one mapping. One thread.
 */
final class Constants {
    private static final String NULL = ", which gives null";

    private final Diagnostics diagnostics;
    private final IdentityHashMap<Expression, BigInteger> computed = new IdentityHashMap<>();

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

    /** Evaluates {@code -operand}. */
    void negated(Span span, Expression operand, Expression result) {
        BigInteger value = value(operand);
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
        if (!isWhole(result)) {
            return;
        }
        if (isUnsigned(left) || isUnsigned(right)) {
            unsigned(expr.at());
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

    private void unsigned(Span span) {
        diagnostics.warning(span, "integer arithmetic is signed and does not take an integer of 2^63 or more" + NULL);
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

    private static boolean isWhole(Expression result) {
        return result.type() == Type.INT || result.type() == Type.DURATION;
    }

    private static boolean isUnsigned(@Nullable BigInteger value) {
        return value != null && value.bitLength() >= Long.SIZE;
    }

    private static boolean isZero(Expression divisor, @Nullable BigInteger value) {
        return divisor instanceof DecimalLiteral literal
                ? literal.value().signum() == 0
                : value != null && value.signum() == 0;
    }
}
