package io.summarizer.dsl.generate;

import io.summarizer.dsl.codegen.Java;
import io.summarizer.dsl.codegen.JavaClass;
import io.summarizer.dsl.codegen.JavaText;
import io.summarizer.dsl.codegen.Place;
import io.summarizer.dsl.codegen.Value;
import io.summarizer.dsl.model.Expression;
import io.summarizer.dsl.model.Expression.Type;
import io.summarizer.dsl.plan.CurrencyOperand;
import io.summarizer.dsl.runtime.Numbers;

/** Writes amounts of currency, in millionths. */
final class AmountExpressions extends Expressions {
    AmountExpressions(JavaClass owner, Leaves leaves, NullSites sites, ExpressionGenerator all) {
        super(owner, leaves, sites, all);
    }

    /**
     * The value, in millionths, of a number or numeric string. The value is exact if the expression only reads, chooses
     * or negates a number, without other arithmetic. For an amount that does not fit, the value is {@link
     * Numbers#NO_AMOUNT}, which stays the same when it is negated.
     */
    Value micros(Expression expression, Place place) {
        return apart(expression, "long", place, inner -> amount(expression, inner));
    }

    private Value amount(Expression expression, Place place) {
        if (CurrencyOperand.isTransparent(expression)) {
            if (expression instanceof Expression.Unary unary) {
                Value operand = micros(unary.operand(), place);
                return new Value("-" + Java.atom(operand.value()), operand.isNull());
            }
            Expression.Call call = (Expression.Call) expression;
            return call.function() == Expression.Function.IF
                    ? choose("long", call, this::micros, place)
                    : firstPresent("long", call, this::micros, place);
        }
        if (expression instanceof Expression.DecimalLiteral literal) {
            return Value.present(JavaText.literal(Numbers.toMicros(literal.value())));
        }
        if (expression instanceof Expression.Field field && leaves.hasMicros(field)) {
            return leaves.micros(field, place);
        }
        owner.use(Numbers.class);
        return switch (expression.type()) {
            case NULL -> Value.NULL;
            case STRING -> scanned(expression, "true", "decimal.toScaled(6)", "long", place);
            case DOUBLE ->
                toMicros("Numbers.toMicros", all.doubles.number(expression, place), "number", "double", place);
            case UINT ->
                toMicros(
                        "Numbers.unsignedToMicros",
                        all.integers.integer(expression, Type.UINT, place),
                        "integer",
                        "long",
                        place);
            default -> toMicros("Numbers.toMicros", all.integers.signed(expression, place), "integer", "long", place);
        };
    }

    private static Value toMicros(String function, Value value, String wish, String type, Place place) {
        if (value.isNeverNull() || type.equals("long")) {
            return new Value(function + "(" + value.value() + ")", value.isNull());
        }
        // When the result is null, the double may be NaN or infinite.
        Value held = place.hold(type, wish, value);
        return new Value(
                place.declare("long", "micros", held.isNull() + " ? 0L : " + function + "(" + held.value() + ")"),
                held.isNull());
    }
}
