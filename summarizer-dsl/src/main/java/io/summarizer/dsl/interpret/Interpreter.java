package io.summarizer.dsl.interpret;

import com.fasterxml.jackson.core.io.NumberOutput;
import io.summarizer.core.bytes.Bytes;
import io.summarizer.core.decode.FieldKind;
import io.summarizer.core.decode.InputEvent;
import io.summarizer.core.ledger.NullReason;
import io.summarizer.core.ledger.ProgramCounts;
import io.summarizer.core.message.IMessage;
import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.receive.SyslogTime;
import io.summarizer.core.store.AggregateType;
import io.summarizer.core.store.KeyType;
import io.summarizer.core.text.DecimalText;
import io.summarizer.core.text.TimestampText;
import io.summarizer.core.time.Windows;
import io.summarizer.dsl.model.Expression;
import io.summarizer.dsl.model.Expression.BinaryOperator;
import io.summarizer.dsl.model.Expression.Type;
import io.summarizer.dsl.plan.CurrencyOperand;
import io.summarizer.dsl.plan.EventPlan;
import io.summarizer.dsl.runtime.Builtins;
import io.summarizer.dsl.runtime.Extraction;
import io.summarizer.dsl.runtime.Hashes;
import java.io.ByteArrayOutputStream;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Evaluates the expressions of one mapping, with boxed values and big numbers. The code defines the meaning of
 * expressions as plainly as possible. Operands are evaluated from left to right, until one operand decides the result.
 * Used by one thread.
 *
 * <p>One class evaluates all expressions, because all forms and functions are cases of the same recursion.
 *
 * <p>This class has more than 500 lines for the same reason.
 */
public final class Interpreter {
    /** Maximum number of characters that are kept of an unreadable text. */
    private static final int SAMPLE_MAX = 60;

    private static final int MICROS_PER_MILLI = 1000;

    private final EventPlan.Fields fields;
    private final List<ZoneId> zones;
    private final int year;
    private final DecimalText decimal = new DecimalText();
    private final ProgramCounts counts = new ProgramCounts(0);
    private final Map<List<Expression>, Extraction> extractions = new HashMap<>();
    private final Map<Expression.WindowLiteral, Windows> windows = new HashMap<>();
    private IMessage message;
    private InputEvent event;
    private int[] elements;
    private @Nullable NullReason reason;
    private @Nullable String sample;

    /**
     * An interpreter of expressions over the fields of {@code plan}; {@code fields} finds the slots of these fields.
     */
    @SuppressWarnings("NullAway.Init") // start comes before every evaluation
    public Interpreter(EventPlan plan, EventPlan.Fields fields) {
        this.fields = fields;
        zones = plan.schema().zones();
        year = plan.year();
    }

    /**
     * Starts an event.
     *
     * @param elements the record of each loop's current element, by the id of the loop; each evaluation reads the
     *     records
     */
    public void start(IMessage message, InputEvent event, int[] elements) {
        this.message = message;
        this.event = event;
        this.elements = elements;
    }

    /** Evaluates an expression over the current event. */
    public Result eval(Expression expression, Purpose purpose) {
        reason = null;
        sample = null;
        long abandoned = counts.extractsAbandoned();
        int mark = event.scratchLimit();
        Object value;
        if (purpose instanceof Purpose.Key key) {
            value = key(key.type(), expression);
        } else if (purpose instanceof Purpose.Observation observation) {
            value = observation(observation.type(), expression);
        } else {
            value = purpose instanceof Purpose.Presence ? (Object) isPresent(expression) : value(expression);
        }
        event.releaseScratch(mark);
        return new Result(value, reason, sample, counts.extractsAbandoned() > abandoned);
    }

    private @Nullable Object key(KeyType type, Expression expression) {
        return switch (type) {
            case INT32 -> within(value(expression), Integer.MIN_VALUE, Integer.MAX_VALUE);
            case UINT32 -> within(value(expression), 0, 0xffff_ffffL);
            case INT64 -> as(Type.INT, expression);
            case UINT64 -> as(Type.UINT, expression);
            case BOOL, TIMESTAMP, STRING -> value(expression);
        };
    }

    private @Nullable Object within(@Nullable Object value, long least, long greatest) {
        return value instanceof BigInteger integer
                        && (integer.compareTo(BigInteger.valueOf(least)) < 0
                                || integer.compareTo(BigInteger.valueOf(greatest)) > 0)
                ? fail(NullReason.RANGE)
                : value;
    }

    private @Nullable Object observation(AggregateType type, Expression expression) {
        return switch (type) {
            case SUMINT32, SUMINT64, MININT64, MAXINT64, FIRSTINT64, LASTINT64 -> as(Type.INT, expression);
            case SUMFLOAT, SUMDOUBLE, MINDOUBLE, MAXDOUBLE -> as(Type.DOUBLE, expression);
            case MINTIMESTAMP, MAXTIMESTAMP, FIRSTSTRING, LASTSTRING -> value(expression);
            case COUNT -> isPresent(expression) ? BigInteger.ONE : null;
            case MULTISET64 -> hash(List.of(expression));
            case SUMCURRENCY -> {
                BigInteger amount = amount(expression);
                // The least int64 counts as too large.
                yield amount == null || amount.abs().bitLength() <= 63 ? amount : fail(NullReason.RANGE);
            }
        };
    }

    /** Records the reason why a result is null although no operand is null. Returns null. */
    private @Nullable Object fail(NullReason why) {
        if (reason == null) {
            reason = why;
        }
        return null;
    }

    private @Nullable Object unreadable(String text) {
        if (reason == null) {
            sample = text.length() <= SAMPLE_MAX ? text : text.substring(0, SAMPLE_MAX) + "...";
        }
        return fail(NullReason.UNREADABLE);
    }

    /** Returns the number, or null when the number does not fit int64. */
    private @Nullable Object fit(BigInteger number) {
        return number.bitLength() > 63 ? fail(NullReason.RANGE) : number;
    }

    /** The value of an expression, converted to {@code type} by the implicit conversions of the language. */
    private @Nullable Object as(Type type, Expression expression) {
        Object value = value(expression);
        if (!(value instanceof BigInteger integer)) {
            return value;
        }
        return switch (type) {
            case DOUBLE -> integer.doubleValue();
            case UINT -> integer.signum() < 0 ? fail(NullReason.RANGE) : integer;
            default -> fit(integer);
        };
    }

    /** A value in its own type. */
    private @Nullable Object value(Expression expression) {
        if (expression instanceof Expression.IntLiteral literal) {
            return literal.type() == Type.UINT ? unsigned(literal.value()) : BigInteger.valueOf(literal.value());
        } else if (expression instanceof Expression.DecimalLiteral literal) {
            return literal.value().doubleValue();
        } else if (expression instanceof Expression.StringLiteral literal) {
            return literal.value();
        } else if (expression instanceof Expression.BoolLiteral literal) {
            return literal.value();
        } else if (expression instanceof Expression.DurationLiteral literal) {
            return BigInteger.valueOf(literal.micros());
        } else if (expression instanceof Expression.NullLiteral) {
            return null;
        } else if (expression instanceof Expression.Field field) {
            return field(field);
        } else if (expression instanceof Expression.BuiltinValue builtin) {
            return builtin(builtin.builtin());
        } else if (expression instanceof Expression.TopicWord word) {
            return string(Builtins.topicWord(event, message, word.position() - 1));
        } else if (expression instanceof Expression.StructuredData data) {
            return string(Builtins.structuredData(event, message, utf8(data.id()), utf8(data.param())));
        } else if (expression instanceof Expression.Unary unary) {
            return unary(unary);
        } else if (expression instanceof Expression.Binary binary) {
            return binary(binary);
        } else if (expression instanceof Expression.In in) {
            return in(in);
        } else if (expression instanceof Expression.Call call) {
            return call(call);
        }
        throw new IllegalArgumentException(expression + " is new here");
    }

    // Operands

    private int record(Expression.Field field) {
        int loop = EventPlan.MappingPlan.loop(field.root());
        return loop < 0 ? InputEvent.ROOT : elements[loop];
    }

    private @Nullable Object field(Expression.Field field) {
        int slot = fields.field(field).valueSlot();
        if (!event.has(record(field), slot)) {
            return null;
        }
        long bits = event.get(record(field), slot);
        return switch (field.type()) {
            case INT, TIMESTAMP, DURATION -> BigInteger.valueOf(bits);
            case UINT -> unsigned(bits);
            case DOUBLE -> Double.longBitsToDouble(bits);
            case BOOL -> bits != 0;
            case STRING -> event.string(bits);
            case COMPOSITE -> BigInteger.valueOf(InputEvent.listLength(bits));
            case NULL -> throw new IllegalArgumentException(field + " has no type");
        };
    }

    /** Whether the value is present. An empty message or list counts as present. */
    private boolean isPresent(Expression expression) {
        return expression instanceof Expression.Field field
                ? event.has(record(field), fields.field(field).valueSlot())
                : value(expression) != null;
    }

    private @Nullable Object builtin(Expression.Builtin builtin) {
        return switch (builtin) {
            case SYSLOG_SEVERITY -> BigInteger.valueOf(message.severity());
            case SYSLOG_FACILITY -> BigInteger.valueOf(message.facility());
            case SYSLOG_SIZE -> BigInteger.valueOf(Builtins.payloadBytes(message));
            case SYSLOG_TIMESTAMP -> {
                long micros = Builtins.timestamp(message, zone(), year);
                yield micros == SyslogTime.NOT_A_TIME ? null : BigInteger.valueOf(micros);
            }
            case TOPIC -> slice(MessageBatch.TOPIC);
            case SYSLOG_HOST -> slice(MessageBatch.HOST);
            case SYSLOG_APP_NAME -> slice(MessageBatch.APP_NAME);
            case SYSLOG_PROC_ID -> slice(MessageBatch.PROC_ID);
            case SYSLOG_MSG_ID -> slice(MessageBatch.MSG_ID);
        };
    }

    private @Nullable String slice(int part) {
        return string(Builtins.slice(event, message, part));
    }

    /** The zone for times of the current message without a zone. */
    private ZoneId zone() {
        return zones.get(Math.min(message.listener(), zones.size() - 1));
    }

    private @Nullable String string(long reference) {
        return reference == InputEvent.NULL_STRING ? null : event.string(reference);
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static BigInteger unsigned(long bits) {
        return new BigInteger(Long.toUnsignedString(bits));
    }

    // Operators

    private @Nullable Object unary(Expression.Unary unary) {
        Object value = unary.type() == Type.BOOL ? value(unary.operand()) : as(unary.type(), unary.operand());
        if (value instanceof Boolean truth) {
            return !truth;
        }
        return value instanceof BigInteger integer
                ? fit(integer.negate())
                : value instanceof Double number ? (Object) (-number) : null;
    }

    private @Nullable Object binary(Expression.Binary binary) {
        BinaryOperator operator = binary.operator();
        if (operator == BinaryOperator.AND || operator == BinaryOperator.OR) {
            return junction(operator == BinaryOperator.OR, binary);
        }
        if (operator == BinaryOperator.CONCAT) {
            return concat(List.of(binary.left(), binary.right()));
        }
        boolean isUnknown = binary.type() == Type.BOOL && binary.right().type() == Type.NULL;
        Object left = isUnknown ? null : operand(binary.type(), binary.left());
        Object right = left == null ? null : operand(binary.type(), binary.right());
        if (left == null || right == null) {
            return null;
        }
        return switch (binary.type()) {
            case BOOL -> holds(operator, compare(left, right));
            case DOUBLE -> doubles(operator, ((Number) left).doubleValue(), ((Number) right).doubleValue());
            default -> integers(operator, (BigInteger) left, (BigInteger) right);
        };
    }

    /**
     * Evaluates an operand. In arithmetic, an unsigned operand has to fit int64, even when the other operand is a
     * double.
     */
    private @Nullable Object operand(Type result, Expression operand) {
        return result == Type.BOOL || operand.type() == Type.DOUBLE ? value(operand) : as(Type.INT, operand);
    }

    private @Nullable Object junction(Boolean decisive, Expression.Binary binary) {
        Object left = value(binary.left());
        if (decisive.equals(left)) {
            return decisive;
        }
        Object right = value(binary.right());
        return decisive.equals(right) ? decisive : left == null || right == null ? null : (Object) !decisive;
    }

    /** Compares numbers by their exact values, strings by their code points. */
    private static int compare(Object left, Object right) {
        if (left instanceof Boolean truth) {
            return Boolean.compare(truth, (Boolean) right);
        }
        // Unsigned bytes of UTF-8 have the same order as the code points.
        return left instanceof String text
                ? Arrays.compareUnsigned(utf8(text), utf8((String) right))
                : exact(left).compareTo(exact(right));
    }

    private static BigDecimal exact(Object number) {
        return number instanceof BigInteger integer ? new BigDecimal(integer) : new BigDecimal((Double) number);
    }

    private static boolean holds(BinaryOperator operator, int order) {
        return switch (operator) {
            case EQ -> order == 0;
            case NE -> order != 0;
            case LT -> order < 0;
            case LE -> order <= 0;
            case GT -> order > 0;
            default -> order >= 0;
        };
    }

    private @Nullable Object integers(BinaryOperator operator, BigInteger a, BigInteger b) {
        return switch (operator) {
            case ADD -> fit(a.add(b));
            case SUBTRACT -> fit(a.subtract(b));
            case MULTIPLY -> fit(a.multiply(b));
            default -> b.signum() == 0 ? fail(NullReason.DIVISION) : a.remainder(b);
        };
    }

    private @Nullable Object doubles(BinaryOperator operator, double a, double b) {
        double result = switch (operator) {
            case ADD -> a + b;
            case SUBTRACT -> a - b;
            case MULTIPLY -> a * b;
            case DIVIDE -> a / b;
            default -> a % b;
        };
        boolean divided = (operator == BinaryOperator.DIVIDE || operator == BinaryOperator.REMAINDER) && b == 0;
        return Double.isFinite(result) ? result : fail(divided ? NullReason.DIVISION : NullReason.RANGE);
    }

    private @Nullable Object in(Expression.In in) {
        Object sought = value(in.operand());
        boolean unknown = false;
        for (Expression element : in.elements()) {
            Object other = sought == null ? null : value(element);
            if (sought == null || other == null) {
                unknown = true;
            } else if (compare(sought, other) == 0) {
                return true;
            }
        }
        return unknown ? null : false;
    }

    // Functions

    private @Nullable Object call(Expression.Call call) {
        List<Expression> arguments = call.arguments();
        return switch (call.function()) {
            case IF, COALESCE -> choice(call, argument -> as(call.type(), argument));
            case HAS -> isPresent(arguments.get(0));
            case CONCAT -> concat(arguments);
            case HASH64 -> hash(arguments);
            default -> {
                Object first = value(arguments.get(0));
                yield first == null ? null : call(call.function(), first, arguments);
            }
        };
    }

    /** The result of a function whose first argument is {@code first}. */
    private @Nullable Object call(Expression.Function function, Object first, List<Expression> arguments) {
        Type type = arguments.get(0).type();
        return switch (function) {
            case LEN ->
                first instanceof String text ? BigInteger.valueOf(text.codePointCount(0, text.length())) : first;
            case LOWER -> made(((String) first).toLowerCase(Locale.ROOT));
            case UPPER -> made(((String) first).toUpperCase(Locale.ROOT));
            case SUBSTR -> substring((String) first, arguments);
            case EXTRACT -> extract((String) first, arguments.subList(1, arguments.size()));
            case INT64 -> toInt64(type, first);
            case DOUBLE -> toDouble(type, first);
            case STRING -> toText(type, first);
            case TIMESTAMP -> toTimestamp(type, first);
            case BUCKET ->
                arguments.get(1) instanceof Expression.WindowLiteral literal
                        ? window((BigInteger) first, literal)
                        : bucket((BigInteger) first, (BigInteger) as(Type.INT, arguments.get(1)));
            default -> throw new IllegalArgumentException(function + " is new here");
        };
    }

    /** The value of the chosen branch of an {@code if}, or the first value of a {@code coalesce} that is not null. */
    private <T> @Nullable T choice(Expression.Call call, Function<Expression, @Nullable T> branch) {
        List<Expression> arguments = call.arguments();
        if (call.function() == Expression.Function.IF) {
            return branch.apply(arguments.get(Boolean.TRUE.equals(value(arguments.get(0))) ? 1 : 2));
        }
        return arguments.stream()
                .map(branch)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    /** A text, or null when the text does not fit into the remaining space. */
    private @Nullable Object made(String text) {
        byte[] bytes = utf8(text);
        return event.copyToScratch(bytes, 0, bytes.length) == InputEvent.NULL_STRING ? fail(NullReason.SPACE) : text;
    }

    private @Nullable Object concat(List<Expression> parts) {
        StringBuilder whole = new StringBuilder();
        for (Expression part : parts) {
            Object value = value(part);
            if (value == null) {
                return null;
            }
            whole.append(toText(part.type(), value));
        }
        return made(whole.toString());
    }

    /**
     * The part of a text that a call of {@code substr} selects: a range of code points, whose positions count from 1.
     * If the range goes beyond the text, the part is shorter or empty.
     */
    private @Nullable Object substring(String text, List<Expression> arguments) {
        BigInteger from = (BigInteger) as(Type.INT, arguments.get(1));
        boolean isOpen = arguments.size() == 2;
        BigInteger count = from == null || isOpen ? null : (BigInteger) as(Type.INT, arguments.get(2));
        if (from == null || (count == null && !isOpen)) {
            return null;
        }
        StringBuilder result = new StringBuilder();
        int position = 1;
        for (int codePoint : text.codePoints().toArray()) {
            BigInteger at = BigInteger.valueOf(position++).subtract(from);
            if (at.signum() >= 0 && (count == null || at.compareTo(count) < 0)) {
                result.appendCodePoint(codePoint);
            }
        }
        return result.toString();
    }

    /**
     * The text that a group of a regex matches. The second element of {@code regex} is the number of the group. Without
     * a second element, the number is 0.
     */
    private @Nullable Object extract(String text, List<Expression> regex) {
        Extraction extraction = extractions.computeIfAbsent(
                regex,
                literals -> new Extraction(
                        ((Expression.StringLiteral) literals.get(0)).value(),
                        literals.size() == 1 ? 0 : (int) ((Expression.IntLiteral) literals.get(1)).value()));
        byte[] bytes = utf8(text);
        return string(extraction.find(event, counts, event.copyToScratch(bytes, 0, bytes.length)));
    }

    /**
     * The first 64 bits of MurmurHash3_x64_128 with seed 0. The hash of one value is the hash of its UTF-8 bytes or of
     * its 64 bits. The hash of several values is the hash of a sequence. In this sequence, each value comes after its
     * type; a string comes after its type and its length.
     */
    private @Nullable BigInteger hash(List<Expression> arguments) {
        ByteArrayOutputStream hashed = new ByteArrayOutputStream();
        for (Expression argument : arguments) {
            Object value = value(argument);
            if (value == null) {
                return null;
            }
            byte[] text = value instanceof String string ? utf8(string) : null;
            // Adding 0.0 makes the two zeros equal.
            long bits = Result.bits(value instanceof Double number ? number + 0.0 : value);
            if (arguments.size() > 1) {
                hashed.write(
                        switch (argument.type()) {
                            case UINT -> bits < 0 ? 2 : 1;
                            case DOUBLE -> 3;
                            case BOOL -> 4;
                            case TIMESTAMP -> 5;
                            case STRING -> 6;
                            default -> 1;
                        });
            }
            if (arguments.size() > 1 || text == null) {
                byte[] word = new byte[Long.BYTES];
                Bytes.putLong(word, 0, text == null ? bits : text.length);
                hashed.writeBytes(word);
            }
            hashed.writeBytes(text == null ? new byte[0] : text);
        }
        byte[] bytes = hashed.toByteArray();
        return BigInteger.valueOf(Hashes.hash(bytes, 0, bytes.length));
    }

    /** The start of a time's bucket; the buckets start at the epoch. */
    private @Nullable Object bucket(BigInteger time, @Nullable BigInteger width) {
        if (width == null) {
            return null;
        }
        return width.signum() <= 0 ? fail(NullReason.RANGE) : fit(time.subtract(time.mod(width)));
    }

    /** The start of a time's window. */
    private @Nullable Object window(BigInteger time, Expression.WindowLiteral literal) {
        long start = windows.computeIfAbsent(literal, width -> new Windows(width.count(), width.unit(), width.zone()))
                .start(time.longValueExact());
        return start == Windows.NO_START ? fail(NullReason.RANGE) : BigInteger.valueOf(start);
    }

    // Conversions

    /** Reads a string as a number into {@link #decimal}. Returns false when the string is not a number. */
    private boolean scan(Object text) {
        byte[] bytes = utf8((String) text);
        return decimal.scan(bytes, 0, bytes.length);
    }

    /**
     * Converts to an integer. A double loses its fraction, a time becomes epoch milliseconds, a bool becomes 0 or 1.
     */
    private @Nullable Object toInt64(Type type, Object value) {
        return switch (type) {
            case STRING ->
                scan(value) && decimal.toInt64() ? BigInteger.valueOf(decimal.value()) : unreadable((String) value);
            case DOUBLE -> fit(exact(value).toBigInteger());
            case BOOL -> BigInteger.valueOf(Result.bits(value));
            case TIMESTAMP -> BigInteger.valueOf(Math.floorDiv(Result.bits(value), MICROS_PER_MILLI));
            default -> fit((BigInteger) value);
        };
    }

    private @Nullable Object toDouble(Type type, Object value) {
        return switch (type) {
            case STRING ->
                scan(value) && Double.isFinite(decimal.toDouble()) ? decimal.toDouble() : unreadable((String) value);
            case BOOL -> (double) Result.bits(value);
            case TIMESTAMP -> ((Number) value).doubleValue() / MICROS_PER_MILLI;
            default -> ((Number) value).doubleValue();
        };
    }

    /**
     * Converts to a string. Integers are in decimal. Doubles have the fewest digits that read back as the same double.
     * Times are in the common format. A duration is its number of µs.
     */
    private static String toText(Type type, Object value) {
        return switch (type) {
            case DOUBLE -> NumberOutput.toString((Double) value, true);
            case TIMESTAMP -> TimestampText.toString(Result.bits(value));
            default -> value.toString();
        };
    }

    /**
     * Converts to a time. Numbers are epoch milliseconds. Strings are ISO 8601 text or the digits of epoch
     * milliseconds.
     */
    private @Nullable Object toTimestamp(Type type, Object value) {
        return switch (type) {
            case STRING -> {
                byte[] bytes = utf8((String) value);
                long micros = TimestampText.parseAny(decimal, bytes, 0, bytes.length, zone());
                yield micros == TimestampText.INVALID ? unreadable((String) value) : BigInteger.valueOf(micros);
            }
            case DOUBLE -> {
                double micros = Math.rint((Double) value * MICROS_PER_MILLI);
                yield Math.abs(micros) < 0x1p63 ? BigInteger.valueOf((long) micros) : fail(NullReason.RANGE);
            }
            case TIMESTAMP -> value;
            default ->
                toInt64(type, value) instanceof BigInteger millis
                        ? fit(millis.multiply(BigInteger.valueOf(MICROS_PER_MILLI)))
                        : null;
        };
    }

    /**
     * The value of a number or numeric string, in millionths. The value may have any size. The value is exact if the
     * expression does not compute with the number.
     */
    private @Nullable BigInteger amount(Expression expression) {
        if (CurrencyOperand.isTransparent(expression)) {
            if (expression instanceof Expression.Call call) {
                return choice(call, this::amount);
            }
            BigInteger amount = amount(((Expression.Unary) expression).operand());
            return amount == null ? null : amount.negate();
        }
        if (expression instanceof Expression.DecimalLiteral literal) {
            return micros(literal.value());
        }
        if (expression instanceof Expression.Field field && fields.field(field).kind() == FieldKind.DOUBLE) {
            int slot = fields.field(field).microsSlot();
            return event.has(record(field), slot) ? BigInteger.valueOf(event.get(record(field), slot)) : null;
        }
        Object value = value(expression);
        if (value instanceof String text) {
            return scan(text) ? BigInteger.valueOf(decimal.toScaled(6)) : (BigInteger) unreadable(text);
        }
        return value == null ? null : micros(exact(value));
    }

    private static BigInteger micros(BigDecimal number) {
        return number.setScale(6, RoundingMode.HALF_UP).unscaledValue();
    }
}
