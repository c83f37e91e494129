package io.summarizer.dsl.interpret;

import io.summarizer.dsl.model.Expression;
import io.summarizer.dsl.model.Expression.BinaryOperator;
import io.summarizer.dsl.model.Expression.Function;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The meaning of expressions, written once more and as plainly as possible: boxed values, big numbers, without regard
 * to speed. Whole numbers and times are BigIntegers; a double field is the BigDecimal of its text until something
 * computes with it.
 */
final class NaiveEvaluator {

    private final Map<String, Object> event;

    NaiveEvaluator(Map<String, Object> event) {
        this.event = event;
    }

    /** The value in the expression's own type. */
    @Nullable
    Object eval(Expression expression) {
        return as(expression.type(), raw(expression));
    }

    private static @Nullable Object as(Expression.Type type, @Nullable Object value) {
        return type == Expression.Type.DOUBLE && value != null ? (Object) ((Number) value).doubleValue() : value;
    }

    private @Nullable Object raw(Expression expression) {
        if (expression instanceof Expression.IntLiteral literal) {
            return literal.type() == Expression.Type.UINT
                    ? new BigInteger(Long.toUnsignedString(literal.value()))
                    : BigInteger.valueOf(literal.value());
        } else if (expression instanceof Expression.DecimalLiteral literal) {
            return literal.value();
        } else if (expression instanceof Expression.StringLiteral literal) {
            return literal.value();
        } else if (expression instanceof Expression.BoolLiteral literal) {
            return literal.value();
        } else if (expression instanceof Expression.DurationLiteral literal) {
            return BigInteger.valueOf(literal.micros());
        } else if (expression instanceof Expression.Field field) {
            return event.get(field.path().get(0).name());
        } else if (expression instanceof Expression.Unary unary) {
            return unary(unary);
        } else if (expression instanceof Expression.Binary binary) {
            return binary(binary);
        } else if (expression instanceof Expression.In in) {
            return in(in);
        } else if (expression instanceof Expression.Call call) {
            return call(call);
        }
        return null;
    }

    private @Nullable Object unary(Expression.Unary unary) {
        Object value = eval(unary.operand());
        if (value == null) {
            return null;
        }
        if (value instanceof Boolean truth) {
            return !truth;
        }
        return value instanceof Double number ? (Object) (-number) : fit(((BigInteger) value).negate(), value);
    }

    /** The result, or null when it or one of its operands does not fit int64. */
    private static @Nullable Object fit(BigInteger result, Object... operands) {
        for (Object operand : operands) {
            if (((BigInteger) operand).bitLength() > 63) {
                return null;
            }
        }
        return result.bitLength() > 63 ? null : result;
    }

    private @Nullable Object binary(Expression.Binary binary) {
        Object a = eval(binary.left());
        Object b = eval(binary.right());
        BinaryOperator operator = binary.operator();
        if (operator == BinaryOperator.AND || operator == BinaryOperator.OR) {
            Boolean decisive = operator == BinaryOperator.OR;
            if (decisive.equals(a) || decisive.equals(b)) {
                return decisive;
            }
        }
        if (a == null || b == null) {
            return null;
        }
        return switch (operator) {
            case OR -> false;
            case AND -> true;
            case EQ -> compare(a, b) == 0;
            case NE -> compare(a, b) != 0;
            case LT -> compare(a, b) < 0;
            case LE -> compare(a, b) <= 0;
            case GT -> compare(a, b) > 0;
            case GE -> compare(a, b) >= 0;
            case CONCAT -> (String) a + b;
            default -> binary.type() == Expression.Type.DOUBLE ? doubles(operator, a, b) : integers(operator, a, b);
        };
    }

    private static int compare(Object a, Object b) {
        if (a instanceof Boolean x) {
            return Boolean.compare(x, (Boolean) b);
        }
        if (a instanceof String x) {
            int[] left = x.codePoints().toArray();
            int[] right = ((String) b).codePoints().toArray();
            return java.util.Arrays.compare(left, right);
        }
        return exact(a).compareTo(exact(b));
    }

    private static BigDecimal exact(Object number) {
        return number instanceof BigInteger integer ? new BigDecimal(integer) : new BigDecimal((Double) number);
    }

    private static @Nullable Object integers(BinaryOperator operator, Object left, Object right) {
        BigInteger a = (BigInteger) left;
        BigInteger b = (BigInteger) right;
        return switch (operator) {
            case ADD -> fit(a.add(b), a, b);
            case SUBTRACT -> fit(a.subtract(b), a, b);
            case MULTIPLY -> fit(a.multiply(b), a, b);
            case REMAINDER -> b.signum() == 0 ? null : fit(a.remainder(b), a, b);
            default -> throw new AssertionError();
        };
    }

    private static @Nullable Object doubles(BinaryOperator operator, Object left, Object right) {
        for (Object operand : List.of(left, right)) {
            if (operand instanceof BigInteger integer && integer.bitLength() > 63) {
                return null;
            }
        }
        double a = ((Number) left).doubleValue();
        double b = ((Number) right).doubleValue();
        double result = switch (operator) {
            case ADD -> a + b;
            case SUBTRACT -> a - b;
            case MULTIPLY -> a * b;
            case DIVIDE -> a / b;
            case REMAINDER -> a % b;
            default -> throw new AssertionError();
        };
        return Double.isFinite(result) ? result : null;
    }

    private @Nullable Object in(Expression.In in) {
        Object value = eval(in.operand());
        boolean unknown = false;
        for (Expression element : in.elements()) {
            Object other = eval(element);
            if (value == null || other == null) {
                unknown = true;
            } else if (compare(value, other) == 0) {
                return true;
            }
        }
        return unknown ? null : false;
    }

    private @Nullable Object call(Expression.Call call) {
        List<Expression> arguments = call.arguments();
        if (call.function() == Function.IF) {
            return convert(call.type(), arguments.get(Boolean.TRUE.equals(eval(arguments.get(0))) ? 1 : 2));
        }
        if (call.function() == Function.COALESCE) {
            return arguments.stream()
                    .map(argument -> convert(call.type(), argument))
                    .filter(Objects::nonNull)
                    .findFirst()
                    .orElse(null);
        }
        List<@Nullable Object> values = new ArrayList<>();
        arguments.forEach(argument -> values.add(eval(argument)));
        if (call.function() == Function.HAS) {
            return values.get(0) != null;
        }
        Object first = values.get(0);
        if (first == null) {
            return null;
        }
        return switch (call.function()) {
            case LEN -> BigInteger.valueOf(((String) first).codePoints().count());
            case LOWER -> ((String) first).toLowerCase(Locale.ROOT);
            case UPPER -> ((String) first).toUpperCase(Locale.ROOT);
            case STRING -> first.toString();
            case SUBSTR ->
                substring(
                        (String) first,
                        ((BigInteger) Objects.requireNonNull(values.get(1))).intValue(),
                        ((BigInteger) Objects.requireNonNull(values.get(2))).intValue());
            case INT64 ->
                first instanceof Boolean truth
                        ? BigInteger.valueOf(truth ? 1 : 0)
                        : first instanceof String text ? integerOf(text) : fit((BigInteger) first, first);
            case DOUBLE -> first instanceof String text ? doubleOf(text) : (Object) ((Number) first).doubleValue();
            case TIMESTAMP -> fit(((BigInteger) first).multiply(BigInteger.valueOf(1000)));
            case BUCKET -> {
                BigInteger width = (BigInteger) Objects.requireNonNull(values.get(1));
                BigInteger time = (BigInteger) first;
                yield fit(time.subtract(time.mod(width)));
            }
            default -> throw new AssertionError();
        };
    }

    private @Nullable Object convert(Expression.Type type, Expression argument) {
        return as(type, eval(argument));
    }

    private static String substring(String text, int from, int length) {
        int[] codePoints = text.codePoints().toArray();
        StringBuilder result = new StringBuilder();
        for (int position = 1; position <= codePoints.length; position++) {
            if (position >= from && position < from + length) {
                result.appendCodePoint(codePoints[position - 1]);
            }
        }
        return result.toString();
    }

    private static @Nullable BigInteger integerOf(String text) {
        try {
            BigInteger value = new BigDecimal(text).toBigIntegerExact();
            return value.bitLength() > 63 ? null : value;
        } catch (ArithmeticException | NumberFormatException e) {
            return null;
        }
    }

    private static @Nullable Double doubleOf(String text) {
        try {
            return new BigDecimal(text).doubleValue();
        } catch (NumberFormatException e) {
            return null;
        }
    }

    /**
     * The amount that a currency adds for its operand, in millionths: null when it does not fit; the least int64 does
     * not.
     */
    @Nullable
    BigInteger micros(Expression expression) {
        BigInteger amount = amount(expression);
        return amount == null || amount.abs().bitLength() > 63 ? null : amount;
    }

    private @Nullable BigInteger amount(Expression expression) {
        if (expression instanceof Expression.Unary unary) {
            BigInteger micros = amount(unary.operand());
            return micros == null ? null : micros.negate();
        }
        if (expression instanceof Expression.Call call && call.function() == Function.IF) {
            return amount(call.arguments()
                    .get(Boolean.TRUE.equals(eval(call.arguments().get(0))) ? 1 : 2));
        }
        if (expression instanceof Expression.Call call && call.function() == Function.COALESCE) {
            return call.arguments().stream()
                    .map(this::amount)
                    .filter(Objects::nonNull)
                    .findFirst()
                    .orElse(null);
        }
        Object value = raw(expression);
        if (value == null) {
            return null;
        }
        BigDecimal exact = value instanceof BigDecimal text ? text : exact(value);
        return exact.setScale(6, RoundingMode.HALF_UP).unscaledValue();
    }
}
