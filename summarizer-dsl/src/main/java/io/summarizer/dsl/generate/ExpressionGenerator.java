package io.summarizer.dsl.generate;

import io.summarizer.core.decode.InputEvent;
import io.summarizer.core.store.AggregateType;
import io.summarizer.core.store.KeyType;
import io.summarizer.core.text.TimestampText;
import io.summarizer.dsl.codegen.Code;
import io.summarizer.dsl.codegen.Condition;
import io.summarizer.dsl.codegen.Java;
import io.summarizer.dsl.codegen.JavaClass;
import io.summarizer.dsl.codegen.JavaText;
import io.summarizer.dsl.codegen.Place;
import io.summarizer.dsl.codegen.Value;
import io.summarizer.dsl.model.Expression;
import io.summarizer.dsl.model.Expression.BinaryOperator;
import io.summarizer.dsl.model.Expression.Type;
import io.summarizer.dsl.model.Expression.UnaryOperator;
import io.summarizer.dsl.plan.CurrencyOperand;
import io.summarizer.dsl.runtime.Conversions;
import io.summarizer.dsl.runtime.Extraction;
import io.summarizer.dsl.runtime.HashSequence;
import io.summarizer.dsl.runtime.Hashes;
import io.summarizer.dsl.runtime.LongTable;
import io.summarizer.dsl.runtime.Numbers;
import io.summarizer.dsl.runtime.TextTable;
import io.summarizer.dsl.runtime.Texts;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Writes expressions as Java statements, for a class that extends {@link io.summarizer.dsl.runtime.Evaluator}.
 *
 * <p>There is one method for each type of result; each goes by the form of the expression. What the language does not
 * evaluate, because an operand before it is null or decides already, stands in a block that is not entered; so overflows
 * are counted where the language has them and nowhere else. An expression too large for a method goes into others.
 */
public final class ExpressionGenerator {
    /** Bounds on what one method holds of an expression; in characters, as {@link Code#weight()}. */
    private static final int METHOD_COST = Code.METHOD_WEIGHT / 3;

    private static final int NODE_COST = 120;
    private static final String RANGE = "NullReason.RANGE";
    private static final String DIVISION = "NullReason.DIVISION";
    /** Arguments, or elements of {@code in}, that one method takes. */
    private static final int GROUP = 16;
    /** A string constant of a class file has at most 65,535 bytes. */
    private static final int MAX_LITERAL = 16_000;

    private final JavaClass owner;
    private final Leaves leaves;
    private final NullSites sites;

    /** Expressions of {@code owner}, whose operands are {@code leaves}; {@code sites} are told of what may fail in them. */
    public ExpressionGenerator(JavaClass owner, Leaves leaves, NullSites sites) {
        this.owner = owner;
        this.leaves = leaves;
        this.sites = sites;
        owner.use(InputEvent.class);
    }

    private static IllegalArgumentException unsupported(Expression expression) {
        return new IllegalArgumentException("not an expression that the checker lets pass: " + expression);
    }

    /** Any expression but a composite, in its own type; a bool as the long 0 or 1. */
    public Value operand(Expression expression, Place place) {
        return switch (expression.type()) {
            case STRING -> text(expression, place);
            case DOUBLE -> number(expression, place);
            case BOOL -> bit(expression, place);
            case NULL -> Value.NULL;
            case INT, UINT, TIMESTAMP, DURATION -> integer(expression, expression.type(), place);
            case COMPOSITE -> throw unsupported(expression);
        };
    }

    private Value bit(Expression expression, Place place) {
        Condition condition = hold(condition(expression, place), place);
        return new Value(condition.isTrue() + " ? 1L : 0L", condition.isNull());
    }

    /** What a key column of this type holds: 64 bits, of which a 32-bit column takes the low ones, or a string. */
    public Value key(KeyType type, Expression expression, Place place) {
        return switch (type) {
            case INT64 -> integer(expression, Type.INT, place);
            case UINT64 -> integer(expression, Type.UINT, place);
            case INT32 -> within(integer(expression, Type.INT, place), "Integer.MIN_VALUE", "Integer.MAX_VALUE", place);
            case UINT32 -> within(integer(expression, Type.INT, place), "0L", "0xffffffffL", place);
            case BOOL -> bit(expression, place);
            case TIMESTAMP -> integer(expression, Type.TIMESTAMP, place);
            case STRING -> text(expression, place);
        };
    }

    /** What a value column of this type is given: 64 bits, a double, or a string. */
    public Value observation(AggregateType type, Expression expression, Place place) {
        return switch (type) {
            case SUMINT32, SUMINT64, MININT64, MAXINT64, FIRSTINT64, LASTINT64 -> integer(expression, Type.INT, place);
            case MINTIMESTAMP, MAXTIMESTAMP -> integer(expression, Type.TIMESTAMP, place);
            case SUMFLOAT, SUMDOUBLE, MINDOUBLE, MAXDOUBLE -> number(expression, place);
            case SUMCURRENCY -> {
                owner.use(Numbers.class);
                yield checked(micros(expression, place), held -> held + " == Numbers.NO_AMOUNT", held -> held, place);
            }
            case COUNT -> new Value("1L", Java.not(isPresent(expression, place).isTrue()));
            case MULTISET64 -> hash(List.of(expression), place);
            case FIRSTSTRING, LASTSTRING -> text(expression, place);
        };
    }

    /** What does not fit the column is null, and counted. */
    private Value within(Value value, String least, String greatest, Place place) {
        return checked(value, held -> Java.or(held + " < " + least, held + " > " + greatest), held -> held, place);
    }

    // Integers, times, durations

    /** A whole number as {@code type}: null, and counted, when it does not fit. */
    public Value integer(Expression expression, Type type, Place place) {
        if (expression.type() == Type.NULL) {
            return Value.NULL;
        }
        return apart(expression, "long", place, inner -> {
            Value own = integer(expression, inner);
            boolean unsigned = expression.type() == Type.UINT;
            // Either way, what does not fit has its highest bit set.
            return unsigned == (type == Type.UINT) ? own : checked(own, held -> held + " < 0L", held -> held, inner);
        });
    }

    private Value signed(Expression expression, Place place) {
        return integer(expression, Type.INT, place);
    }

    /** A whole number in its own type. */
    private Value integer(Expression expression, Place place) {
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
                (a, b) -> a + " " + operator(binary) + " " + b,
                (a, b) -> binary.operator() == BinaryOperator.REMAINDER ? DIVISION : RANGE,
                place);
    }

    private static String operator(Expression.Binary binary) {
        return switch (binary.operator()) {
            case ADD -> "+";
            case SUBTRACT -> "-";
            case MULTIPLY -> "*";
            case DIVIDE -> "/";
            case REMAINDER -> "%";
            case EQ -> "==";
            case NE -> "!=";
            case LT -> "<";
            case LE -> "<=";
            case GT -> ">";
            case GE -> ">=";
            case OR, AND, CONCAT -> throw unsupported(binary);
        };
    }

    private Value integerCall(Expression.Call call, Place place) {
        List<Expression> arguments = call.arguments();
        Type type = call.type();
        return switch (call.function()) {
            case IF -> choose("long", call, (argument, inner) -> integer(argument, type, inner), place);
            case COALESCE -> firstPresent("long", call, (argument, inner) -> integer(argument, type, inner), place);
            case LEN -> length(arguments.get(0), place);
            case HASH64 -> hash(arguments, place);
            case INT64 -> toInt64(arguments.get(0), place);
            case TIMESTAMP -> toTimestamp(arguments.get(0), place);
            case BUCKET -> {
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

    private Value length(Expression argument, Place place) {
        if (argument.type() == Type.COMPOSITE && argument instanceof Expression.Field field) {
            return leaves.length(field, place);
        }
        owner.use(Texts.class);
        return ofText(argument, "long", string -> "Texts.length(event, " + string + ")", place);
    }

    /** Something that follows from a string and is null only where that is. */
    private Value ofText(Expression argument, String type, OneOperand result, Place place) {
        Value text = text(argument, place);
        if (text.isAlwaysNull()) {
            return Value.NULL;
        }
        Value held = place.hold("long", "text", text);
        String zero = type.equals("long") ? "0L" : "0.0";
        return new Value(
                place.declare(
                        type,
                        "result",
                        held.isNeverNull()
                                ? result.of(held.value())
                                : held.isNull() + " ? " + zero + " : " + result.of(held.value())),
                held.isNull());
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
                        number(argument, place),
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
                return operand(argument, place);
            }
        }
    }

    /** A number read from a string; null when the string is none of the wanted kind. */
    private Value scanned(Expression argument, String suits, String result, String type, Place place) {
        Value text = place.hold("long", "text", text(argument, place));
        if (text.isAlwaysNull()) {
            return Value.NULL;
        }
        String reads = "scan(" + text.value() + ")" + (suits.equals("true") ? "" : " && " + suits);
        String read = place.declare(type, "read", type.equals("long") ? "0L" : "0.0");
        String isNull = place.declare("boolean", read + "Null", "true");
        int blocks = place.openUnless(text.isNull());
        place.code()
                .open("if (" + reads + ")")
                .line(read + " = " + result + ";")
                .line(isNull + " = false;")
                .next("else")
                .line(sites.unreadable(text.value()))
                .close();
        place.close(blocks);
        return new Value(read, isNull);
    }

    private Value toTimestamp(Expression argument, Place place) {
        switch (argument.type()) {
            case STRING -> {
                owner.use(Conversions.class);
                owner.use(TimestampText.class);
                if (leaves.zone().startsWith("ZoneOffset")) {
                    owner.use(ZoneOffset.class);
                }
                Value text = place.hold("long", "text", text(argument, place));
                if (text.isAlwaysNull()) {
                    return Value.NULL;
                }
                String micros = place.declare("long", "time", "TimestampText.INVALID");
                int blocks = place.openUnless(text.isNull());
                place.code()
                        .line(micros + " = Conversions.timestamp(event, decimal, " + text.value() + ", " + leaves.zone()
                                + ");")
                        .open("if (" + micros + " == TimestampText.INVALID)")
                        .line(sites.unreadable(text.value()))
                        .close();
                place.close(blocks);
                return new Value(micros, micros + " == TimestampText.INVALID");
            }
            case DOUBLE -> {
                owner.use(Numbers.class);
                return checked(
                        "double",
                        "long",
                        number(argument, place),
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

    // Doubles

    /** A number of any type as a double. */
    public Value number(Expression expression, Place place) {
        return switch (expression.type()) {
            case NULL -> new Value("0.0", "true");
            case INT, DURATION, TIMESTAMP -> asDouble(integer(expression, expression.type(), place));
            case UINT -> {
                owner.use(Numbers.class);
                Value integer = integer(expression, Type.UINT, place);
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
                    // Operands are finite, so only overflow and division by zero leave the finite numbers.
                    (a, b) -> "!Double.isFinite(" + a + " " + operator(binary) + " " + b + ")",
                    (a, b) -> a + " " + operator(binary) + " " + b,
                    (a, b) -> binary.operator() == BinaryOperator.DIVIDE
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

    /** An operand of arithmetic: an unsigned number has to fit int64 there, even beside a double. */
    private Value factor(Expression expression, Place place) {
        return expression.type() == Type.UINT ? asDouble(signed(expression, place)) : number(expression, place);
    }

    private Value toDouble(Expression argument, Place place) {
        return switch (argument.type()) {
            case STRING ->
                scanned(argument, "!Double.isInfinite(decimal.toDouble())", "decimal.toDouble()", "double", place);
            case TIMESTAMP -> {
                Value micros = integer(argument, place);
                yield new Value(Java.atom(micros.value()) + " / 1000.0", micros.isNull());
            }
            case BOOL -> asDouble(bit(argument, place));
            default -> number(argument, place);
        };
    }

    // Currency

    /**
     * A number or numeric string in millionths, read exactly where the expression only hands it on; {@link Numbers#NO_AMOUNT},
     * which is its own negative, where it does not fit.
     */
    private Value micros(Expression expression, Place place) {
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
            case DOUBLE -> toMicros("Numbers.toMicros", number(expression, place), "number", "double", place);
            case UINT ->
                toMicros("Numbers.unsignedToMicros", integer(expression, Type.UINT, place), "integer", "long", place);
            default -> toMicros("Numbers.toMicros", signed(expression, place), "integer", "long", place);
        };
    }

    private static Value toMicros(String function, Value value, String wish, String type, Place place) {
        if (value.isNeverNull() || type.equals("long")) {
            return new Value(function + "(" + value.value() + ")", value.isNull());
        }
        // What stands where a double is null may be no number at all.
        Value held = place.hold(type, wish, value);
        return new Value(
                place.declare("long", "micros", held.isNull() + " ? 0L : " + function + "(" + held.value() + ")"),
                held.isNull());
    }

    // Strings

    /** A string. */
    public Value text(Expression expression, Place place) {
        if (expression.type() == Type.NULL) {
            return new Value("InputEvent.NULL_STRING", "true");
        }
        return apart(expression, "long", place, inner -> textOf(expression, inner));
    }

    private Value textOf(Expression expression, Place place) {
        if (expression instanceof Expression.StringLiteral literal) {
            owner.use(Texts.class);
            return newText("literal", "Texts.of(event, " + constant(literal.value()) + ")", place);
        }
        if (expression instanceof Expression.Field field) {
            return leaves.field(field, place);
        }
        if (expression instanceof Expression.BuiltinValue
                || expression instanceof Expression.TopicWord
                || expression instanceof Expression.StructuredData) {
            return leaves.builtin(expression, place);
        }
        if (expression instanceof Expression.Binary binary && binary.operator() == BinaryOperator.CONCAT) {
            return concat(parts(binary), place);
        }
        if (expression instanceof Expression.Call call) {
            return textCall(call, place);
        }
        throw unsupported(expression);
    }

    private static Value newText(String wish, String expression, Place place) {
        return Value.text(place.declare("long", wish, expression));
    }

    private Value textCall(Expression.Call call, Place place) {
        List<Expression> arguments = call.arguments();
        owner.use(Texts.class);
        return switch (call.function()) {
            case IF -> choose("long", call, this::text, place);
            case COALESCE -> firstPresent("long", call, this::text, place);
            case LOWER -> mapped("lower", arguments.get(0), place);
            case UPPER -> mapped("upper", arguments.get(0), place);
            case CONCAT -> concat(parts(call), place);
            case SUBSTR -> substring(arguments, place);
            case EXTRACT -> extract(arguments, place);
            case STRING -> toText(arguments.get(0), place);
            default -> throw unsupported(call);
        };
    }

    private Value mapped(String function, Expression argument, Place place) {
        return ofPresent(
                text(argument, place), "long", function, held -> "Texts." + function + "(event, " + held + ")", place);
    }

    /** A new string made of a value, null where the value is. */
    private static Value ofPresent(Value value, String type, String wish, OneOperand result, Place place) {
        if (value.isAlwaysNull()) {
            return new Value("InputEvent.NULL_STRING", "true");
        }
        if (value.isNeverNull()) {
            return newText(wish, result.of(value.value()), place);
        }
        Value held = place.hold(type, "operand", value);
        return newText(wish, held.isNull() + " ? InputEvent.NULL_STRING : " + result.of(held.value()), place);
    }

    /** What a chain of {@code +}, or {@code concat} within it, puts together: one copy of each part, not one a link. */
    private static List<Expression> parts(Expression text) {
        List<Expression> parts = new ArrayList<>();
        collectParts(text, parts);
        return parts;
    }

    private static void collectParts(Expression text, List<Expression> parts) {
        if (text instanceof Expression.Binary binary && binary.operator() == BinaryOperator.CONCAT) {
            collectParts(binary.left(), parts);
            collectParts(binary.right(), parts);
        } else if (text instanceof Expression.Call call && call.function() == Expression.Function.CONCAT) {
            call.arguments().forEach(argument -> collectParts(argument, parts));
        } else {
            parts.add(text);
        }
    }

    private Value concat(List<Expression> parts, Place place) {
        if (parts.size() > GROUP) {
            // Parts of parts: the same text, and no method too large.
            return concat(
                    groups(parts).stream()
                            .map(group ->
                                    (Expression) new Expression.Call(Expression.Function.CONCAT, group, Type.STRING))
                            .toList(),
                    place);
        }
        owner.use(Texts.class);
        String array = owner.field("long[]", "parts", "new long[" + parts.size() + "]");
        String result = place.declare("long", "concat", "InputEvent.NULL_STRING");
        int blocks = 0;
        for (int i = 0; i < parts.size(); i++) {
            Value part = toText(parts.get(i), place);
            if (part.isAlwaysNull()) {
                place.close(blocks);
                return Value.text(result);
            }
            blocks += place.openUnless(part.isNull());
            // Evaluating a later part may come by here again only in another method's array.
            place.code().line(array + "[" + i + "] = " + part.value() + ";");
        }
        place.code().line(result + " = Texts.concat(event, " + array + ");");
        place.close(blocks);
        return Value.text(result);
    }

    private Value substring(List<Expression> arguments, Place place) {
        String result = place.declare("long", "substr", "InputEvent.NULL_STRING");
        int blocks = 0;
        List<String> held = new ArrayList<>();
        for (int i = 0; i < arguments.size(); i++) {
            Value value = i == 0 ? text(arguments.get(i), place) : signed(arguments.get(i), place);
            if (value.isAlwaysNull()) {
                place.close(blocks);
                return Value.text(result);
            }
            value = place.hold("long", i == 0 ? "text" : i == 1 ? "from" : "count", value);
            blocks += place.openUnless(value.isNull());
            held.add(value.value());
        }
        place.code().line(result + " = Texts.substring(event, " + String.join(", ", held) + ");");
        place.close(blocks);
        return Value.text(result);
    }

    private Value extract(List<Expression> arguments, Place place) {
        String regex = ((Expression.StringLiteral) arguments.get(1)).value();
        long group = arguments.size() > 2 ? ((Expression.IntLiteral) arguments.get(2)).value() : 0;
        String type = owner.use(Extraction.class);
        String extraction =
                owner.field(type, "extraction", "new " + type + "(" + JavaText.literal(regex) + ", " + group + ")");
        return ofPresent(
                text(arguments.get(0), place),
                "long",
                "extracted",
                held -> extraction + ".find(event, counts, " + held + ")",
                place);
    }

    private Value toText(Expression argument, Place place) {
        if (argument.type() == Type.STRING || argument.type() == Type.NULL) {
            return text(argument, place);
        }
        owner.use(Conversions.class);
        Value value = operand(argument, place);
        String function = switch (argument.type()) {
            case DOUBLE -> "doubleText";
            case BOOL -> "boolText";
            case TIMESTAMP -> "timestampText";
            case UINT -> "uintText";
            default -> "intText";
        };
        return ofPresent(
                value,
                argument.type() == Type.DOUBLE ? "double" : "long",
                "string",
                held -> "Conversions." + function + "(event, " + held + ")",
                place);
    }

    /** A constant with the bytes of a string. */
    public String constant(String value) {
        return owner.constant("byte[]", "text", owner.use(Texts.class) + ".literal(" + whole(value) + ")");
    }

    /** A string of any length. */
    private static String whole(String value) {
        List<String> pieces = new ArrayList<>();
        for (int from = 0; from == 0 || from < value.length(); from += MAX_LITERAL) {
            pieces.add(JavaText.literal(value.substring(from, Math.min(value.length(), from + MAX_LITERAL))));
        }
        return pieces.size() == 1
                ? pieces.get(0)
                : "String.join(\"\", new String[] {" + String.join(", ", pieces) + "})";
    }

    // Hashes

    /** The hash of one value or of several as one. */
    public Value hash(List<Expression> arguments, Place place) {
        return arguments.size() == 1 ? hash(arguments.get(0), place) : hashOfSeveral(arguments, place);
    }

    private Value hash(Expression argument, Place place) {
        owner.use(Hashes.class);
        if (argument.type() == Type.STRING) {
            return ofText(argument, "long", string -> "Hashes.hash(event, " + string + ")", place);
        }
        Value value = operand(argument, place);
        if (value.isAlwaysNull()) {
            return value;
        }
        String bits = argument.type() == Type.DOUBLE ? "Hashes.bits(" + value.value() + ")" : value.value();
        return new Value("Hashes.hash(" + bits + ")", value.isNull());
    }

    private Value hashOfSeveral(List<Expression> arguments, Place place) {
        String type = owner.use(HashSequence.class);
        String sequence = owner.field(type, "hashed", "new " + type + "()");
        List<String> calls = new ArrayList<>();
        for (List<Expression> group : groups(arguments)) {
            String method = owner.names().variable("add " + sequence.substring(sequence.lastIndexOf('.') + 1));
            Place inner = method("boolean", method);
            for (Expression argument : group) {
                Value value = operand(argument, inner);
                boolean isDouble = argument.type() == Type.DOUBLE;
                value = inner.hold(isDouble ? "double" : "long", "value", value);
                if (!value.isNeverNull()) {
                    inner.code()
                            .open("if (" + value.isNull() + ")")
                            .line("return false;")
                            .close();
                }
                if (value.isAlwaysNull()) {
                    break;
                }
                inner.code()
                        .line(sequence
                                + switch (argument.type()) {
                                    case UINT -> ".addUint(" + value.value() + ");";
                                    case DOUBLE -> ".addDouble(" + value.value() + ");";
                                    case BOOL -> ".addBool(" + value.value() + ");";
                                    case TIMESTAMP -> ".addTimestamp(" + value.value() + ");";
                                    case STRING -> ".addString(event, " + value.value() + ");";
                                    default -> ".addInt(" + value.value() + ");";
                                });
            }
            inner.code().line("return true;").close();
            calls.add(method + "(" + arguments() + ")");
        }
        place.code().line(sequence + ".reset();");
        String complete = calls.get(0);
        if (calls.size() > 1) {
            complete = place.declare("boolean", "complete", calls.get(0));
            for (String call : calls.subList(1, calls.size())) {
                place.code().line(complete + " = " + complete + " && " + call + ";");
            }
        } else {
            complete = place.declare("boolean", "complete", complete);
        }
        return new Value(place.declare("long", "hash", complete + " ? " + sequence + ".hash() : 0L"), "!" + complete);
    }

    // Conditions

    /** A truth value. */
    public Condition condition(Expression expression, Place place) {
        if (expression.type() == Type.NULL) {
            return Condition.NULL;
        }
        if (cost(expression) <= METHOD_COST) {
            return shortened(truth(expression, place), place);
        }
        String method = owner.names().variable("condition");
        Place inner = method("int", method);
        Condition result = truth(expression, inner);
        inner.code()
                .line("return " + Java.atom(result.isTrue()) + " ? 1 : " + Java.atom(result.isFalse()) + " ? 0 : 2;")
                .close();
        return ofInt(place.declare("int", "truth", method + "(" + arguments() + ")"));
    }

    private static Condition ofInt(String truth) {
        return new Condition(truth + " == 1", truth + " == 0");
    }

    private static Condition hold(Condition condition, Place place) {
        return new Condition(
                place.hold("boolean", "holds", condition.isTrue()),
                place.hold("boolean", "fails", condition.isFalse()));
    }

    /** Expressions within expressions, each named twice, would grow beyond all bounds. */
    private static Condition shortened(Condition condition, Place place) {
        return condition.isTrue().length() + condition.isFalse().length() > 2 * NODE_COST
                ? hold(condition, place)
                : condition;
    }

    private Condition truth(Expression expression, Place place) {
        if (expression instanceof Expression.BoolLiteral literal) {
            return literal.value() ? Condition.TRUE : Condition.FALSE;
        }
        if (expression instanceof Expression.Field field) {
            Value value = leaves.field(field, place);
            return Condition.unlessNull(value.isNull(), value.value(), Java.not(value.value()));
        }
        if (expression instanceof Expression.Unary unary && unary.operator() == UnaryOperator.NOT) {
            return condition(unary.operand(), place).negated();
        }
        if (expression instanceof Expression.Binary binary) {
            return switch (binary.operator()) {
                case AND -> and(binary.left(), binary.right(), false, place);
                // a or b is not (not a and not b)
                case OR -> and(binary.left(), binary.right(), true, place).negated();
                default -> compare(binary, place);
            };
        }
        if (expression instanceof Expression.In in) {
            return in(in, place);
        }
        if (expression instanceof Expression.Call call) {
            return switch (call.function()) {
                case IF -> chooseCondition(call, place);
                case COALESCE -> firstPresentCondition(call, place);
                case HAS -> isPresent(call.arguments().get(0), place);
                default -> throw unsupported(call);
            };
        }
        throw unsupported(expression);
    }

    /** Whether both hold, or with {@code negated} whether neither does. The right one is left alone where the left decides. */
    private Condition and(Expression left, Expression right, boolean negated, Place place) {
        Condition a = condition(left, place);
        a = negated ? a.negated() : a;
        Place aside = place.aside();
        Condition b = condition(right, aside);
        b = negated ? b.negated() : b;
        if (aside.code().isEmpty()) {
            return new Condition(Java.and(a.isTrue(), b.isTrue()), Java.or(a.isFalse(), b.isFalse()));
        }
        a = hold(a, place);
        String holds = place.declare("boolean", "holds", "false");
        String fails = place.declare("boolean", "fails", a.isFalse());
        place.code().open("if (!" + fails + ")");
        place.code().append(aside.code());
        place.code().line(holds + " = " + Java.and(a.isTrue(), b.isTrue()) + ";");
        place.code().line(fails + " = " + b.isFalse() + ";");
        place.code().close();
        return new Condition(holds, fails);
    }

    private Condition chooseCondition(Expression.Call call, Place place) {
        List<Expression> arguments = call.arguments();
        Condition condition = condition(arguments.get(0), place);
        String holds = place.declare("boolean", "holds", "false");
        String fails = place.declare("boolean", "fails", "false");
        place.code().open("if (" + condition.isTrue() + ")");
        assign(condition(arguments.get(1), place), holds, fails, place);
        place.code().next("else");
        assign(condition(arguments.get(2), place), holds, fails, place);
        place.code().close();
        return new Condition(holds, fails);
    }

    private static void assign(Condition condition, String holds, String fails, Place place) {
        place.code().line(holds + " = " + condition.isTrue() + ";");
        place.code().line(fails + " = " + condition.isFalse() + ";");
    }

    private Condition firstPresentCondition(Expression.Call call, Place place) {
        if (call.arguments().size() > GROUP) {
            return firstPresentCondition(grouped(call), place);
        }
        String holds = place.declare("boolean", "holds", "false");
        String fails = place.declare("boolean", "fails", "false");
        boolean first = true;
        for (Expression argument : call.arguments()) {
            int block = first ? 0 : 1;
            if (block == 1) {
                place.code().open("if (!" + holds + " && !" + fails + ")");
            }
            assign(condition(argument, place), holds, fails, place);
            place.close(block);
            first = false;
        }
        return new Condition(holds, fails);
    }

    /** Whether an expression of any type is not null: always true or false. */
    public Condition isPresent(Expression expression, Place place) {
        String isNull = expression instanceof Expression.Field field
                ? leaves.field(field, place).isNull()
                : operand(expression, place).isNull();
        return Condition.known(Java.not(isNull));
    }

    // Comparisons

    private Condition compare(Expression.Binary comparison, Place place) {
        Expression left = comparison.left();
        Expression right = comparison.right();
        if (left.type() == Type.NULL || right.type() == Type.NULL) {
            return Condition.NULL;
        }
        BinaryOperator operator = comparison.operator();
        Value order = leaves.order(left, right, this, place);
        if (order != null) {
            return Condition.unlessNull(
                    order.isNull(),
                    order.value() + sign(operator) + "0",
                    order.value() + sign(opposite(operator)) + "0");
        }
        return compare(operator, left.type(), operand(left, place), right, place);
    }

    /** {@code left operator right}, where the left one is evaluated already. */
    private Condition compare(BinaryOperator operator, Type type, Value left, Expression right, Place place) {
        if (left.isAlwaysNull() || right.type() == Type.NULL) {
            return Condition.NULL;
        }
        if (right instanceof Expression.StringLiteral literal) {
            owner.use(Texts.class);
            boolean equality = operator == BinaryOperator.EQ || operator == BinaryOperator.NE;
            String text = constant(literal.value());
            Value held = place.hold("long", "text", left);
            String equal = "Texts.equal(event, " + held.value() + ", " + text + ")";
            String order = "Texts.compare(event, " + held.value() + ", " + text + ")";
            String holds = equality ? equal : order + sign(operator) + "0";
            String fails = equality ? "!" + equal : order + sign(opposite(operator)) + "0";
            return operator == BinaryOperator.NE
                    ? Condition.unlessNull(held.isNull(), fails, holds)
                    : Condition.unlessNull(held.isNull(), holds, fails);
        }
        Place aside = place.aside();
        Value b = operand(right, aside);
        if (aside.code().isEmpty()) {
            String isNull = Java.or(left.isNull(), b.isNull());
            return b.isAlwaysNull()
                    ? Condition.NULL
                    : ordered(operator, type, right.type(), left.value(), b.value(), isNull);
        }
        Value a = place.hold(type == Type.DOUBLE ? "double" : "long", "left", left);
        String holds = place.declare("boolean", "holds", "false");
        String fails = place.declare("boolean", "fails", "false");
        int blocks = place.openUnless(a.isNull());
        place.code().append(aside.code());
        if (!b.isAlwaysNull()) {
            Value held = place.hold(right.type() == Type.DOUBLE ? "double" : "long", "right", b);
            assign(ordered(operator, type, right.type(), a.value(), held.value(), held.isNull()), holds, fails, place);
        }
        place.close(blocks);
        return new Condition(holds, fails);
    }

    private Condition ordered(BinaryOperator operator, Type left, Type right, String a, String b, String isNull) {
        String x = Java.atom(a);
        String y = Java.atom(b);
        boolean plain = left == right ? left != Type.STRING && left != Type.UINT : isSigned(left) && isSigned(right);
        boolean bits = left == Type.UINT
                && right == Type.UINT
                && (operator == BinaryOperator.EQ || operator == BinaryOperator.NE);
        if (plain || bits) {
            // Doubles are never NaN, so that the opposite is what fails.
            return Condition.unlessNull(isNull, x + sign(operator) + y, x + sign(opposite(operator)) + y);
        }
        owner.use(Numbers.class);
        String order;
        boolean reversed = false;
        if (left == Type.STRING) {
            owner.use(Texts.class);
            order = "Texts.compare(event, " + a + ", " + b + ")";
        } else if (left == Type.UINT && right == Type.UINT) {
            order = "Long.compareUnsigned(" + a + ", " + b + ")";
        } else if (left == Type.DOUBLE || right == Type.DOUBLE) {
            reversed = left == Type.DOUBLE;
            Type integer = reversed ? right : left;
            order = "Numbers." + (integer == Type.UINT ? "compareUnsigned" : "compare") + "("
                    + (reversed ? b + ", " + a : a + ", " + b) + ")";
        } else {
            reversed = left == Type.UINT;
            order = "Numbers.compareSignedUnsigned(" + (reversed ? b + ", " + a : a + ", " + b) + ")";
        }
        BinaryOperator of = reversed ? mirrored(operator) : operator;
        return Condition.unlessNull(isNull, order + sign(of) + "0", order + sign(opposite(of)) + "0");
    }

    private static boolean isSigned(Type type) {
        return type != Type.STRING && type != Type.DOUBLE && type != Type.UINT;
    }

    private static String sign(BinaryOperator operator) {
        return switch (operator) {
            case EQ -> " == ";
            case NE -> " != ";
            case LT -> " < ";
            case LE -> " <= ";
            case GT -> " > ";
            case GE -> " >= ";
            default -> throw new IllegalArgumentException(operator + " is not a comparison");
        };
    }

    private static BinaryOperator opposite(BinaryOperator operator) {
        return switch (operator) {
            case EQ -> BinaryOperator.NE;
            case NE -> BinaryOperator.EQ;
            case LT -> BinaryOperator.GE;
            case LE -> BinaryOperator.GT;
            case GT -> BinaryOperator.LE;
            case GE -> BinaryOperator.LT;
            default -> throw new IllegalArgumentException(operator + " is not a comparison");
        };
    }

    /** The operator for operands the other way round. */
    private static BinaryOperator mirrored(BinaryOperator operator) {
        return switch (operator) {
            case LT -> BinaryOperator.GT;
            case LE -> BinaryOperator.GE;
            case GT -> BinaryOperator.LT;
            case GE -> BinaryOperator.LE;
            default -> operator;
        };
    }

    /** True when one element is equal, else null when the operand or an element is. */
    private Condition in(Expression.In in, Place place) {
        Type type = in.operand().type();
        String javaType = type == Type.DOUBLE ? "double" : "long";
        Value operand = place.hold(javaType, "operand", operand(in.operand(), place));
        String found = place.declare("boolean", "found", "false");
        String unknown = place.declare("boolean", "unknown", "false");
        elements(new Sought(type, javaType, operand), runs(type, in.elements()), found, unknown, place);
        return new Condition(found, "!" + found + " && !" + unknown);
    }

    /** The operand of {@code in}, evaluated. */
    private record Sought(Type type, String javaType, Value operand) {}

    /** The elements one by one, but for many literals in a row, which are looked up together. */
    private static List<List<Expression>> runs(Type type, List<Expression> elements) {
        List<List<Expression>> runs = new ArrayList<>();
        int from = 0;
        while (from < elements.size()) {
            int to = from;
            while (to < elements.size() && Literals.of(type, elements.get(to)) != null) {
                to++;
            }
            if (to - from <= GROUP) {
                to = from + 1;
            }
            runs.add(elements.subList(from, to));
            from = to;
        }
        return runs;
    }

    private void elements(Sought sought, List<List<Expression>> runs, String found, String unknown, Place place) {
        if (runs.size() <= GROUP) {
            for (List<Expression> run : runs) {
                if (run.size() == 1) {
                    element(sought.type, sought.operand, run.get(0), found, unknown, place);
                } else {
                    literals(sought, run, found, unknown, place);
                }
            }
            return;
        }
        int each = GROUP;
        while (each * GROUP < runs.size()) {
            each *= GROUP;
        }
        for (int from = 0; from < runs.size(); from += each) {
            String method = owner.names().variable("isIn");
            Place inner = method(
                    "int",
                    method,
                    List.of(
                            new Leaves.Parameter(sought.javaType, "operand"),
                            new Leaves.Parameter("boolean", "operandNull")));
            String innerFound = inner.declare("boolean", "found", "false");
            String innerUnknown = inner.declare("boolean", "unknown", "false");
            Sought passed = new Sought(sought.type, sought.javaType, new Value("operand", "operandNull"));
            elements(passed, runs.subList(from, Math.min(runs.size(), from + each)), innerFound, innerUnknown, inner);
            inner.code()
                    .line("return " + innerFound + " ? 1 : " + innerUnknown + " ? 2 : 0;")
                    .close();
            place.code().open("if (!" + found + ")");
            String more = arguments();
            String truth = place.declare(
                    "int",
                    "truth",
                    method + "(" + sought.operand.value() + ", " + sought.operand.isNull()
                            + (more.isEmpty() ? "" : ", " + more) + ")");
            place.code().line(found + " = " + truth + " == 1;");
            place.code().line(unknown + " = " + unknown + " || " + truth + " == 2;");
            place.code().close();
        }
    }

    /** Literals in a table that is made with the class. */
    private void literals(Sought sought, List<Expression> run, String found, String unknown, Place place) {
        StringBuilder encoded = new StringBuilder();
        for (Expression element : run) {
            encoded.append(Literals.of(sought.type, element));
        }
        boolean texts = sought.type == Type.STRING;
        String type = owner.use(texts ? TextTable.class : LongTable.class);
        String table = owner.constant(type, "elements", type + ".of(" + whole(encoded.toString()) + ")");
        String operand = sought.operand.value();
        String key = texts
                ? "event, " + operand
                : sought.type == Type.DOUBLE ? owner.use(LongTable.class) + ".key(" + operand + ")" : operand;
        place.code().open("if (!" + found + ")");
        place.code().line(unknown + " = " + Java.or(unknown, sought.operand.isNull()) + ";");
        place.code()
                .line(found + " = " + Java.and(Java.not(sought.operand.isNull()), table + ".contains(" + key + ")")
                        + ";");
        place.code().close();
    }

    private void element(Type type, Value operand, Expression element, String found, String unknown, Place place) {
        place.code().open("if (!" + found + ")");
        Condition equal = compare(BinaryOperator.EQ, type, operand, element, place);
        place.code().line(unknown + " = " + Java.or(unknown, equal.isNull()) + ";");
        place.code().line(found + " = " + equal.isTrue() + ";");
        place.code().close();
    }

    // What several types have in common

    @FunctionalInterface
    private interface OneOperand {
        String of(String held);
    }

    @FunctionalInterface
    private interface TwoOperands {
        String of(String left, String right);
    }

    @FunctionalInterface
    private interface Emission {
        Value at(Place place);
    }

    @FunctionalInterface
    private interface ArgumentEmission {
        Value of(Expression argument, Place place);
    }

    private Value checked(Value operand, OneOperand fails, OneOperand result, Place place) {
        return checked("long", "long", operand, fails, result, place);
    }

    /** A result of one operand that does not always exist; where it does not, it is null and counted. */
    private Value checked(
            String operandType, String type, Value operand, OneOperand fails, OneOperand result, Place place) {
        return apply(
                type,
                List.of(operandType),
                List.of(ignored -> operand),
                held -> fails.of(held.get(0)),
                held -> result.of(held.get(0)),
                held -> RANGE,
                place);
    }

    /** The same of two operands, of which the second one is not evaluated where the first one is null. */
    private Value binary(
            String type, Emission left, Emission right, TwoOperands fails, TwoOperands result, Place place) {
        return binary(type, left, right, fails, result, (a, b) -> RANGE, place);
    }

    private Value binary(
            String type,
            Emission left,
            Emission right,
            TwoOperands fails,
            TwoOperands result,
            TwoOperands reason,
            Place place) {
        return apply(
                type,
                List.of(type, type),
                List.of(left, right),
                held -> fails.of(held.get(0), held.get(1)),
                held -> result.of(held.get(0), held.get(1)),
                held -> reason.of(held.get(0), held.get(1)),
                place);
    }

    @FunctionalInterface
    private interface Operands {
        String of(List<String> held);
    }

    private Value apply(
            String type,
            List<String> operandTypes,
            List<Emission> operands,
            Operands fails,
            Operands result,
            Operands reason,
            Place place) {
        String zero = type.equals("long") ? "0L" : "0.0";
        String value = place.declare(type, "result", zero);
        String isNull = place.declare("boolean", value + "Null", "true");
        List<String> held = new ArrayList<>();
        int blocks = 0;
        for (int i = 0; i < operands.size(); i++) {
            Value operand = operands.get(i).at(place);
            if (operand.isAlwaysNull()) {
                place.close(blocks);
                return new Value(zero, "true");
            }
            blocks += place.openUnless(operand.isNull());
            held.add(place.hold(operandTypes.get(i), "operand", operand.value()));
        }
        place.code()
                .open("if (" + fails.of(held) + ")")
                .line(sites.count(owner, reason.of(held)))
                .next("else")
                .line(value + " = " + result.of(held) + ";")
                .line(isNull + " = false;")
                .close();
        place.close(blocks);
        return new Value(value, isNull);
    }

    private Value choose(String type, Expression.Call call, ArgumentEmission branch, Place place) {
        Condition condition = condition(call.arguments().get(0), place);
        String value = place.declare(type, "chosen", type.equals("long") ? "0L" : "0.0");
        String isNull = place.declare("boolean", value + "Null", "false");
        place.code().open("if (" + condition.isTrue() + ")");
        assign(branch.of(call.arguments().get(1), place), value, isNull, place);
        place.code().next("else");
        assign(branch.of(call.arguments().get(2), place), value, isNull, place);
        place.code().close();
        return new Value(value, isNull);
    }

    private static void assign(Value from, String value, String isNull, Place place) {
        if (!from.isAlwaysNull()) {
            place.code().line(value + " = " + from.value() + ";");
        }
        place.code().line(isNull + " = " + from.isNull() + ";");
    }

    private Value firstPresent(String type, Expression.Call call, ArgumentEmission argument, Place place) {
        if (call.arguments().size() > GROUP) {
            return firstPresent(type, grouped(call), argument, place);
        }
        String value = place.declare(type, "first", type.equals("long") ? "0L" : "0.0");
        String isNull = place.declare("boolean", value + "Null", "true");
        boolean first = true;
        for (Expression candidate : call.arguments()) {
            int block = first ? 0 : place.openUnless("!" + isNull);
            assign(argument.of(candidate, place), value, isNull, place);
            place.close(block);
            first = false;
        }
        return new Value(value, isNull);
    }

    /** {@code coalesce} of some {@code coalesce}s: the same value, and no method too large. */
    private static Expression.Call grouped(Expression.Call call) {
        return new Expression.Call(
                call.function(),
                groups(call.arguments()).stream()
                        .map(group -> (Expression) new Expression.Call(call.function(), group, call.type()))
                        .toList(),
                call.type());
    }

    private static List<List<Expression>> groups(List<Expression> expressions) {
        List<List<Expression>> groups = new ArrayList<>();
        for (int from = 0; from < expressions.size(); from += GROUP) {
            groups.add(expressions.subList(from, Math.min(expressions.size(), from + GROUP)));
        }
        return groups;
    }

    // Methods of their own

    /** Evaluates a large expression in a method of its own, any other one in place. */
    private Value apart(Expression expression, String type, Place place, Emission emission) {
        if (cost(expression) <= METHOD_COST) {
            return emission.at(place);
        }
        String method = owner.names().variable("expression");
        Place inner = method(type, method);
        Value result = emission.at(inner);
        inner.code().line("this.resultIsNull = " + result.isNull() + ";");
        inner.code().line("return " + result.value() + ";").close();
        String value = place.declare(type, "result", method + "(" + arguments() + ")");
        return new Value(value, place.declare("boolean", value + "Null", "this.resultIsNull"));
    }

    private Place method(String type, String name) {
        return method(type, name, List.of());
    }

    /** A method that leaves may be read in; its body and last brace are still to be written. */
    private Place method(String type, String name, List<Leaves.Parameter> first) {
        List<Leaves.Parameter> parameters = new ArrayList<>(first);
        parameters.addAll(leaves.parameters());
        Code code = owner.member();
        code.open("private " + type + " " + name + "("
                + parameters.stream()
                        .map(parameter -> parameter.type() + " " + parameter.name())
                        .collect(Collectors.joining(", "))
                + ")");
        return new Place(
                code,
                JavaClass.locals(parameters.stream().map(Leaves.Parameter::name).toArray(String[]::new)));
    }

    private String arguments() {
        return leaves.parameters().stream().map(Leaves.Parameter::name).collect(Collectors.joining(", "));
    }

    /** About how many characters of Java an expression takes, not counting what goes into other methods. */
    static int cost(Expression expression) {
        int cost = NODE_COST;
        if (expression instanceof Expression.Unary unary) {
            cost += cost(unary.operand());
        } else if (expression instanceof Expression.Binary binary) {
            cost += 2 * NODE_COST + cost(binary.left()) + cost(binary.right());
        } else if (expression instanceof Expression.In in) {
            cost += cost(in.operand());
            for (Expression element : in.elements()) {
                cost += 2 * NODE_COST + cost(element);
            }
        } else if (expression instanceof Expression.Call call) {
            for (Expression argument : call.arguments()) {
                cost += 2 * NODE_COST + cost(argument);
            }
        }
        return cost;
    }
}
