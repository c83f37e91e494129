package io.summarizer.dsl.generate;

import io.summarizer.dsl.codegen.Java;
import io.summarizer.dsl.codegen.JavaClass;
import io.summarizer.dsl.codegen.JavaText;
import io.summarizer.dsl.codegen.Place;
import io.summarizer.dsl.codegen.Value;
import io.summarizer.dsl.model.Expression;
import io.summarizer.dsl.model.Expression.BinaryOperator;
import io.summarizer.dsl.model.Expression.Type;
import io.summarizer.dsl.runtime.Numbers;

/** Writes numbers as a {@code double}. */
final class DoubleExpressions extends Expressions {
    DoubleExpressions(JavaClass owner, Leaves leaves, NullSites sites, ExpressionGenerator all) {
        super(owner, leaves, sites, all);
    }

    /** A number of any type as a double. */
    Value number(Expression expression, Place place) {
        return switch (expression.type()) {
            case NULL -> new Value("0.0", "true");
            case INT, DURATION, TIMESTAMP -> asDouble(all.integers.integer(expression, expression.type(), place));
            case UINT -> {
                owner.use(Numbers.class);
                Value integer = all.integers.integer(expression, Type.UINT, place);
                yield new Value("Numbers.unsignedToDouble(" + integer.value() + ")", integer.isNull());
            }
            default -> apart(expression, "double", place, inner -> doubleNumber(expression, inner));
        };
    }

    private static Value asDouble(Value integer) {
        return new Value("(double) " + Java.atom(integer.value()), integer.isNull());
    }

    private Value doubleNumber(Expression expression, Place place) {
        if (expression instanceof Expression.DecimalLiteral literal) {
            return Value.present(JavaText.literal(literal.value().doubleValue()));
        }
        if (expression instanceof Expression.Field field) {
            return leaves.field(field, place);
        }
        if (expression instanceof Expression.Unary unary) {
            Value operand = number(unary.operand(), place);
            return new Value("-" + Java.atom(operand.value()), operand.isNull());
        }
        if (expression instanceof Expression.Binary binary) {
            Value quotient = binary(
                    "double",
                    inner -> factor(binary.left(), inner),
                    inner -> factor(binary.right(), inner),
                    // The operands are finite, so the result is infinite or NaN only after an overflow or a division by
                    // zero.
                    (a, b) -> "!Double.isFinite(" + a + " " + binary.operator().symbol() + " " + b + ")",
                    (a, b) -> a + " " + binary.operator().symbol() + " " + b,
                    (a, b) ->
                            binary.operator() == BinaryOperator.DIVIDE || binary.operator() == BinaryOperator.REMAINDER
                                    ? b + " == 0.0 ? " + DIVISION + " : " + RANGE
                                    : RANGE,
                    place);
            return quotient;
        }
        if (expression instanceof Expression.Call call) {
            return switch (call.function()) {
                case IF -> choose("double", call, this::number, place);
                case COALESCE -> firstPresent("double", call, this::number, place);
                case DOUBLE -> toDouble(call.arguments().get(0), place);
                default -> throw unsupported(expression);
            };
        }
        throw unsupported(expression);
    }

    /** An operand of arithmetic, as a double. An unsigned operand still has to fit int64. */
    private Value factor(Expression expression, Place place) {
        return expression.type() == Type.UINT
                ? asDouble(all.integers.signed(expression, place))
                : number(expression, place);
    }

    private Value toDouble(Expression argument, Place place) {
        return switch (argument.type()) {
            case STRING ->
                scanned(argument, "!Double.isInfinite(decimal.toDouble())", "decimal.toDouble()", "double", place);
            case TIMESTAMP -> {
                Value micros = all.integers.integer(argument, place);
                yield new Value(Java.atom(micros.value()) + " / 1000.0", micros.isNull());
            }
            case BOOL -> asDouble(all.conditions.bit(argument, place));
            default -> number(argument, place);
        };
    }
}
