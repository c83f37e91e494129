package io.summarizer.dsl.generate;

import io.summarizer.core.text.TimestampText;
import io.summarizer.core.time.CalendarUnit;
import io.summarizer.core.time.Windows;
import io.summarizer.dsl.codegen.Java;
import io.summarizer.dsl.codegen.JavaClass;
import io.summarizer.dsl.codegen.JavaText;
import io.summarizer.dsl.codegen.Place;
import io.summarizer.dsl.codegen.Value;
import io.summarizer.dsl.model.Expression;
import io.summarizer.dsl.model.Expression.BinaryOperator;
import io.summarizer.dsl.model.Expression.Type;
import io.summarizer.dsl.runtime.Conversions;
import io.summarizer.dsl.runtime.Numbers;
import io.summarizer.dsl.runtime.Texts;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;

/** Writes whole numbers, times and durations, as a {@code long}. */
final class IntegerExpressions extends Expressions {
    IntegerExpressions(JavaClass owner, Leaves leaves, NullSites sites, ExpressionGenerator all) {
        super(owner, leaves, sites, all);
    }

    /**
     * The value of an expression for a column. A value that does not fit the column becomes null, and the failure is
     * counted.
     */
    Value within(Value value, String least, String greatest, Place place) {
        return checked(value, held -> Java.or(held + " < " + least, held + " > " + greatest), held -> held, place);
    }

    /** A whole number as {@code type}. A number that does not fit becomes null, and the failure is counted. */
    Value integer(Expression expression, Type type, Place place) {
        if (expression.type() == Type.NULL) {
            return Value.NULL;
        }
        return apart(expression, "long", place, inner -> {
            Value own = integer(expression, inner);
            boolean unsigned = expression.type() == Type.UINT;
            // From INT to UINT, and from UINT to INT, the values that do not fit are those with the highest bit set.
            return unsigned == (type == Type.UINT) ? own : checked(own, held -> held + " < 0L", held -> held, inner);
        });
    }

    Value signed(Expression expression, Place place) {
        return integer(expression, Type.INT, place);
    }

    /** A whole number in its own type. */
    Value integer(Expression expression, Place place) {
        if (expression instanceof Expression.IntLiteral literal) {
            return Value.present(JavaText.literal(literal.value()));
        }
        if (expression instanceof Expression.DurationLiteral literal) {
            return Value.present(JavaText.literal(literal.micros()));
        }
        if (expression instanceof Expression.Field field) {
            return leaves.field(field, place);
        }
        if (expression instanceof Expression.BuiltinValue) {
            return leaves.builtin(expression, place);
        }
        if (expression instanceof Expression.Unary unary) {
            return checked(
                    signed(unary.operand(), place),
                    held -> held + " == Long.MIN_VALUE",
                    held -> "-" + Java.atom(held),
                    place);
        }
        if (expression instanceof Expression.Binary binary) {
            return integerArithmetic(binary, place);
        }
        if (expression instanceof Expression.Call call) {
            return integerCall(call, place);
        }
        throw unsupported(expression);
    }

    private Value integerArithmetic(Expression.Binary binary, Place place) {
        owner.use(Numbers.class);
        return binary(
                "long",
                inner -> signed(binary.left(), inner),
                inner -> signed(binary.right(), inner),
                (a, b) -> switch (binary.operator()) {
                    case ADD -> "Numbers.addOverflows(" + a + ", " + b + ")";
                    case SUBTRACT -> "Numbers.subtractOverflows(" + a + ", " + b + ")";
                    case MULTIPLY -> "Numbers.multiplyOverflows(" + a + ", " + b + ")";
                    case REMAINDER -> b + " == 0L";
                    default -> throw unsupported(binary);
                },
                (a, b) -> a + " " + binary.operator().symbol() + " " + b,
                (a, b) -> binary.operator() == BinaryOperator.REMAINDER ? DIVISION : RANGE,
                place);
    }

    private Value integerCall(Expression.Call call, Place place) {
        List<Expression> arguments = call.arguments();
        Type type = call.type();
        return switch (call.function()) {
            case IF -> choose("long", call, (argument, inner) -> integer(argument, type, inner), place);
            case COALESCE -> firstPresent("long", call, (argument, inner) -> integer(argument, type, inner), place);
            case LEN -> length(arguments.get(0), place);
            case HASH64 -> all.hashes.hash(arguments, place);
            case INT64 -> toInt64(arguments.get(0), place);
            case TIMESTAMP -> toTimestamp(arguments.get(0), place);
            case BUCKET -> {
                if (arguments.get(1) instanceof Expression.WindowLiteral literal) {
                    yield window(arguments.get(0), literal, place);
                }
                owner.use(Numbers.class);
                yield binary(
                        "long",
                        inner -> integer(arguments.get(0), Type.TIMESTAMP, inner),
                        inner -> signed(arguments.get(1), inner),
                        (at, width) -> "Numbers.hasNoBucket(" + at + ", " + width + ")",
                        (at, width) -> "Numbers.bucket(" + at + ", " + width + ")",
                        place);
            }
            default -> throw unsupported(call);
        };
    }

    /** The start of a time's window. */
    private Value window(Expression time, Expression.WindowLiteral literal, Place place) {
        String type = owner.use(Windows.class);
        String windows = owner.field(
                type,
                "windows",
                "new " + type + "(" + JavaText.literal(literal.count()) + ", " + owner.use(CalendarUnit.class) + "."
                        + literal.unit() + ", " + owner.use(ZoneId.class) + ".of("
                        + JavaText.literal(literal.zone().getId()) + "))");
        Value at = integer(time, Type.TIMESTAMP, place);
        return checked(
                new Value(windows + ".start(" + at.value() + ")", at.isNull()),
                start -> start + " == " + type + ".NO_START",
                start -> start,
                place);
    }

    private Value length(Expression argument, Place place) {
        if (argument.type() == Type.COMPOSITE && argument instanceof Expression.Field field) {
            return leaves.length(field, place);
        }
        owner.use(Texts.class);
        return ofText(argument, "long", string -> "Texts.length(event, " + string + ")", place);
    }

    private Value toInt64(Expression argument, Place place) {
        switch (argument.type()) {
            case STRING -> {
                return scanned(argument, "decimal.toInt64()", "decimal.value()", "long", place);
            }
            case DOUBLE -> {
                owner.use(Numbers.class);
                return checked(
                        "double",
                        "long",
                        all.doubles.number(argument, place),
                        held -> "!Numbers.isWithinLong(" + held + ")",
                        held -> "(long) " + held,
                        place);
            }
            case UINT -> {
                return signed(argument, place);
            }
            case TIMESTAMP -> {
                Value micros = integer(argument, place);
                return new Value("Math.floorDiv(" + micros.value() + ", 1000L)", micros.isNull());
            }
            default -> {
                return all.operand(argument, place);
            }
        }
    }

    private Value toTimestamp(Expression argument, Place place) {
        switch (argument.type()) {
            case STRING -> {
                owner.use(Conversions.class);
                owner.use(TimestampText.class);
                if (leaves.zone().startsWith("ZoneOffset")) {
                    owner.use(ZoneOffset.class);
                }
                Value text = place.hold("long", "text", read(argument, place));
                if (text.isAlwaysNull()) {
                    return Value.NULL;
                }
                String micros = place.declare("long", "time", "TimestampText.INVALID");
                int blocks = place.openUnless(text.isNull());
                place.code()
                        .line(micros + " = Conversions.timestamp(event, decimal, " + text.value() + ", " + leaves.zone()
                                + ");")
                        .onlyIf(micros + " == TimestampText.INVALID", sites.unreadable(text.value()));
                place.close(blocks);
                return new Value(micros, micros + " == TimestampText.INVALID");
            }
            case DOUBLE -> {
                owner.use(Numbers.class);
                return checked(
                        "double",
                        "long",
                        all.doubles.number(argument, place),
                        held -> "!Numbers.isWithinTimes(Numbers.millisToMicros(" + held + "))",
                        held -> "(long) Numbers.millisToMicros(" + held + ")",
                        place);
            }
            case TIMESTAMP -> {
                return integer(argument, place);
            }
            default -> {
                owner.use(Numbers.class);
                return checked(
                        toInt64(argument, place),
                        held -> "Numbers.multiplyOverflows(" + held + ", 1000L)",
                        held -> held + " * 1000L",
                        place);
            }
        }
    }
}
