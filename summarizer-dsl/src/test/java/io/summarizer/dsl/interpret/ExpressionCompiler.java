package io.summarizer.dsl.interpret;

import static io.summarizer.dsl.interpret.BoolNode.FALSE;
import static io.summarizer.dsl.interpret.BoolNode.NULL;
import static io.summarizer.dsl.interpret.BoolNode.TRUE;

import io.summarizer.core.decode.FieldKind;
import io.summarizer.core.decode.InputEvent;
import io.summarizer.core.text.DecimalText;
import io.summarizer.dsl.model.Expression;
import io.summarizer.dsl.model.Expression.BinaryOperator;
import io.summarizer.dsl.model.Expression.UnaryOperator;
import io.summarizer.dsl.plan.CurrencyOperand;
import io.summarizer.dsl.plan.EventPlan;
import io.summarizer.dsl.plan.FieldUse;
import io.summarizer.dsl.runtime.Extraction;
import io.summarizer.dsl.runtime.Numbers;
import java.util.List;

/**
 * Makes evaluators of the expressions of one mapping. They belong to one program, because some have state.
 *
 * <p>There is one method for each type of result; each switches on the form of the expression. Implicit conversions of
 * the language (integers to doubles, unsigned to signed, the null literal to anything) happen here.
 */
final class ExpressionCompiler {
    private final EventPlan.Fields plan;
    private final Builtins builtins;

    ExpressionCompiler(EventPlan.Fields plan, Builtins builtins) {
        this.plan = plan;
        this.builtins = builtins;
    }

    /** Any expression but a composite, in its own type. */
    Operand operand(Expression expression) {
        return operand(expression, expression.type());
    }

    private Operand operand(Expression expression, Expression.Type type) {
        return switch (type) {
            case STRING -> Operand.ofText(text(expression));
            case DOUBLE -> Operand.ofNumber(number(expression));
            case BOOL -> Operand.ofBits(Expression.Type.BOOL, bits(condition(expression)));
            case NULL -> Operand.ofBits(Expression.Type.NULL, Frame::none);
            case INT, UINT, TIMESTAMP, DURATION -> Operand.ofBits(type, integer(expression, type));
            case COMPOSITE -> throw unsupported(expression);
        };
    }

    /** A truth value as an integer. */
    static LongNode bits(BoolNode condition) {
        return f -> {
            int truth = condition.eval(f);
            return truth == NULL ? f.none() : f.value(truth);
        };
    }

    private static IllegalArgumentException unsupported(Expression expression) {
        return new IllegalArgumentException("not an expression that the checker lets pass: " + expression);
    }

    // Integers, times, durations

    /** A whole number as {@code type}: null, and counted, when it does not fit. */
    LongNode integer(Expression expression, Expression.Type type) {
        if (expression.type() == Expression.Type.NULL) {
            return Frame::none;
        }
        LongNode own = integer(expression);
        boolean unsigned = expression.type() == Expression.Type.UINT;
        if (unsigned == (type == Expression.Type.UINT)) {
            return own;
        }
        // Either way, a value that does not fit has its highest bit set.
        return f -> {
            long value = own.eval(f);
            return f.isNull || value >= 0 ? value : f.arithmeticNone();
        };
    }

    private LongNode signed(Expression expression) {
        return integer(expression, Expression.Type.INT);
    }

    /** A whole number in its own type. */
    private LongNode integer(Expression expression) {
        if (expression instanceof Expression.IntLiteral literal) {
            return constant(literal.value());
        }
        if (expression instanceof Expression.DurationLiteral literal) {
            return constant(literal.micros());
        }
        if (expression instanceof Expression.Field field) {
            return field(field, plan.field(field).valueSlot());
        }
        if (expression instanceof Expression.BuiltinValue builtin) {
            return builtins.integer(builtin.builtin());
        }
        if (expression instanceof Expression.Unary unary) {
            return negate(signed(unary.operand()));
        }
        if (expression instanceof Expression.Binary binary) {
            return integerArithmetic(binary.operator(), signed(binary.left()), signed(binary.right()));
        }
        if (expression instanceof Expression.Call call) {
            return integerCall(call);
        }
        throw unsupported(expression);
    }

    private static LongNode constant(long value) {
        return new ConstantNode(value);
    }

    private static LongNode field(Expression.Field field, int slot) {
        return new FieldNode(EventPlan.MappingPlan.loop(field.root()), slot);
    }

    private static LongNode negate(LongNode operand) {
        return f -> {
            long value = operand.eval(f);
            return f.isNull ? 0 : value == Long.MIN_VALUE ? f.arithmeticNone() : -value;
        };
    }

    @FunctionalInterface
    private interface LongOperation {
        /** The result with the frame's null flag false, or a counted null. */
        long apply(Frame frame, long left, long right);
    }

    private static LongNode integerArithmetic(BinaryOperator operator, LongNode left, LongNode right) {
        LongOperation operation = switch (operator) {
            case ADD ->
                (f, a, b) -> {
                    long sum = a + b;
                    return ((a ^ sum) & (b ^ sum)) < 0 ? f.arithmeticNone() : sum;
                };
            case SUBTRACT ->
                (f, a, b) -> {
                    long difference = a - b;
                    return ((a ^ b) & (a ^ difference)) < 0 ? f.arithmeticNone() : difference;
                };
            case MULTIPLY ->
                (f, a, b) -> {
                    long product = a * b;
                    return Math.multiplyHigh(a, b) != product >> 63 ? f.arithmeticNone() : product;
                };
            case REMAINDER -> (f, a, b) -> b == 0 ? f.arithmeticNone() : a % b;
            default -> throw new IllegalArgumentException(operator + " does not make an integer");
        };
        return f -> {
            long a = left.eval(f);
            if (f.isNull) {
                return 0;
            }
            long b = right.eval(f);
            return f.isNull ? 0 : operation.apply(f, a, b);
        };
    }

    private LongNode integerCall(Expression.Call call) {
        List<Expression> arguments = call.arguments();
        Expression.Type type = call.type();
        return switch (call.function()) {
            case IF ->
                chooseLong(
                        condition(arguments.get(0)), integer(arguments.get(1), type), integer(arguments.get(2), type));
            case COALESCE ->
                firstPresent(arguments.stream()
                        .map(argument -> integer(argument, type))
                        .toArray(LongNode[]::new));
            case LEN -> length(arguments.get(0));
            case HASH64 ->
                arguments.size() == 1
                        ? Hashes.single(operand(arguments.get(0)))
                        : new HashSequence(arguments.stream().map(this::operand).toList());
            case INT64 -> Conversions.toInt64(operand(arguments.get(0)));
            case TIMESTAMP -> Conversions.toTimestamp(operand(arguments.get(0)), builtins);
            case BUCKET -> bucket(integer(arguments.get(0), Expression.Type.TIMESTAMP), signed(arguments.get(1)));
            default -> throw unsupported(call);
        };
    }

    private static LongNode chooseLong(BoolNode condition, LongNode then, LongNode otherwise) {
        return f -> condition.eval(f) == TRUE ? then.eval(f) : otherwise.eval(f);
    }

    private static LongNode firstPresent(LongNode[] nodes) {
        return f -> {
            for (LongNode node : nodes) {
                long value = node.eval(f);
                if (!f.isNull) {
                    return value;
                }
            }
            return f.none();
        };
    }

    private LongNode length(Expression argument) {
        if (argument.type() == Expression.Type.COMPOSITE && argument instanceof Expression.Field field) {
            LongNode list = field(field, plan.field(field).valueSlot());
            return f -> InputEvent.listLength(list.eval(f));
        }
        return Texts.length(text(argument));
    }

    private static LongNode bucket(LongNode time, LongNode width) {
        return f -> {
            long at = time.eval(f);
            if (f.isNull) {
                return 0;
            }
            long size = width.eval(f);
            if (f.isNull) {
                return 0;
            }
            if (size <= 0) {
                return f.arithmeticNone();
            }
            long start = Math.floorDiv(at, size) * size;
            return start > at ? f.arithmeticNone() : start; // wrapped: the bucket starts before all times
        };
    }

    // Doubles

    /** A number of any type as a double. */
    DoubleNode number(Expression expression) {
        switch (expression.type()) {
            case NULL -> {
                return Frame::none;
            }
            case INT, DURATION, TIMESTAMP -> {
                LongNode integer = integer(expression);
                return integer::eval;
            }
            case UINT -> {
                LongNode integer = integer(expression);
                return f -> Numbers.unsignedToDouble(integer.eval(f));
            }
            default -> {
                return doubleNumber(expression);
            }
        }
    }

    private DoubleNode doubleNumber(Expression expression) {
        if (expression instanceof Expression.DecimalLiteral literal) {
            double value = literal.value().doubleValue();
            return f -> {
                f.isNull = false;
                return value;
            };
        }
        if (expression instanceof Expression.Field field) {
            LongNode bits = field(field, plan.field(field).valueSlot());
            return f -> Double.longBitsToDouble(bits.eval(f));
        }
        if (expression instanceof Expression.Unary unary) {
            DoubleNode operand = number(unary.operand());
            return f -> -operand.eval(f);
        }
        if (expression instanceof Expression.Binary binary) {
            return doubleArithmetic(binary.operator(), factor(binary.left()), factor(binary.right()));
        }
        if (expression instanceof Expression.Call call) {
            List<Expression> arguments = call.arguments();
            return switch (call.function()) {
                case IF ->
                    chooseDouble(condition(arguments.get(0)), number(arguments.get(1)), number(arguments.get(2)));
                case COALESCE ->
                    firstPresent(arguments.stream().map(this::number).toArray(DoubleNode[]::new));
                case DOUBLE -> Conversions.toDouble(operand(arguments.get(0)));
                default -> throw unsupported(expression);
            };
        }
        throw unsupported(expression);
    }

    /** An operand of arithmetic: an unsigned number has to fit int64 there, even beside a double. */
    private DoubleNode factor(Expression expression) {
        if (expression.type() == Expression.Type.UINT) {
            LongNode integer = signed(expression);
            return integer::eval;
        }
        return number(expression);
    }

    @FunctionalInterface
    private interface DoubleOperation {
        double apply(double left, double right);
    }

    private static DoubleNode doubleArithmetic(BinaryOperator operator, DoubleNode left, DoubleNode right) {
        DoubleOperation operation = switch (operator) {
            case ADD -> (a, b) -> a + b;
            case SUBTRACT -> (a, b) -> a - b;
            case MULTIPLY -> (a, b) -> a * b;
            case DIVIDE -> (a, b) -> a / b;
            case REMAINDER -> (a, b) -> a % b;
            default -> throw new IllegalArgumentException(operator + " does not make a double");
        };
        return f -> {
            double a = left.eval(f);
            if (f.isNull) {
                return 0;
            }
            double b = right.eval(f);
            if (f.isNull) {
                return 0;
            }
            double result = operation.apply(a, b);
            // Operands are finite, so only overflow and division by zero leave the finite numbers.
            return Double.isFinite(result) ? result : f.arithmeticNone();
        };
    }

    private static DoubleNode chooseDouble(BoolNode condition, DoubleNode then, DoubleNode otherwise) {
        return f -> condition.eval(f) == TRUE ? then.eval(f) : otherwise.eval(f);
    }

    private static DoubleNode firstPresent(DoubleNode[] nodes) {
        return f -> {
            for (DoubleNode node : nodes) {
                double value = node.eval(f);
                if (!f.isNull) {
                    return value;
                }
            }
            return f.none();
        };
    }

    // Currency

    /** A number or numeric string in millionths, read exactly if the expression only passes it on. */
    LongNode micros(Expression expression) {
        if (CurrencyOperand.isTransparent(expression)) {
            if (expression instanceof Expression.Unary unary) {
                LongNode operand = micros(unary.operand());
                return f -> -operand.eval(f); // a value that does not fit is the least int64, its own negative
            }
            List<Expression> arguments = ((Expression.Call) expression).arguments();
            return ((Expression.Call) expression).function() == Expression.Function.IF
                    ? chooseLong(condition(arguments.get(0)), micros(arguments.get(1)), micros(arguments.get(2)))
                    : firstPresent(arguments.stream().map(this::micros).toArray(LongNode[]::new));
        }
        if (expression instanceof Expression.DecimalLiteral literal) {
            return constant(Numbers.toMicros(literal.value()));
        }
        if (expression instanceof Expression.Field field && plan.field(field).kind() == FieldKind.DOUBLE) {
            return field(field, plan.field(field).microsSlot());
        }
        switch (expression.type()) {
            case STRING -> {
                return microsOfText(text(expression));
            }
            case DOUBLE -> {
                DoubleNode number = number(expression);
                return f -> {
                    double value = number.eval(f);
                    return f.isNull ? 0 : Numbers.toMicros(value);
                };
            }
            case UINT -> {
                LongNode integer = integer(expression);
                return f -> {
                    long value = integer.eval(f);
                    return value < 0 ? Numbers.NO_AMOUNT : Numbers.toMicros(value);
                };
            }
            default -> {
                LongNode integer = signed(expression);
                return f -> Numbers.toMicros(integer.eval(f));
            }
        }
    }

    private static LongNode microsOfText(StringNode text) {
        DecimalText decimal = new DecimalText();
        return f -> {
            long string = text.eval(f);
            return Conversions.scan(f, decimal, string) ? f.value(decimal.toScaled(6)) : f.unreadable(string);
        };
    }

    // Strings

    /** A string. */
    StringNode text(Expression expression) {
        if (expression instanceof Expression.StringLiteral literal) {
            return Texts.literal(literal.value());
        }
        if (expression.type() == Expression.Type.NULL) {
            return f -> InputEvent.NULL_STRING;
        }
        if (expression instanceof Expression.Field field) {
            LongNode reference = field(field, plan.field(field).valueSlot());
            return f -> {
                long string = reference.eval(f);
                return f.isNull ? InputEvent.NULL_STRING : string;
            };
        }
        if (expression instanceof Expression.BuiltinValue builtin) {
            return builtins.text(builtin.builtin());
        }
        if (expression instanceof Expression.TopicWord word) {
            return builtins.topicWord(word.position() - 1);
        }
        if (expression instanceof Expression.StructuredData data) {
            return builtins.structuredData(data.id(), data.param());
        }
        if (expression instanceof Expression.Binary binary && binary.operator() == BinaryOperator.CONCAT) {
            return Texts.concat(List.of(text(binary.left()), text(binary.right())));
        }
        if (expression instanceof Expression.Call call) {
            return textCall(call);
        }
        throw unsupported(expression);
    }

    private StringNode textCall(Expression.Call call) {
        List<Expression> arguments = call.arguments();
        return switch (call.function()) {
            case IF -> {
                BoolNode condition = condition(arguments.get(0));
                StringNode then = text(arguments.get(1));
                StringNode otherwise = text(arguments.get(2));
                yield f -> condition.eval(f) == TRUE ? then.eval(f) : otherwise.eval(f);
            }
            case COALESCE -> firstPresent(arguments.stream().map(this::text).toArray(StringNode[]::new));
            case LOWER -> Texts.lower(text(arguments.get(0)));
            case UPPER -> Texts.upper(text(arguments.get(0)));
            case CONCAT ->
                Texts.concat(arguments.stream()
                        .map(argument -> Conversions.toText(operand(argument)))
                        .toList());
            case SUBSTR ->
                Texts.substring(
                        text(arguments.get(0)),
                        signed(arguments.get(1)),
                        arguments.size() > 2 ? signed(arguments.get(2)) : null);
            case EXTRACT -> {
                StringNode text = text(arguments.get(0));
                Extraction extraction = new Extraction(
                        ((Expression.StringLiteral) arguments.get(1)).value(),
                        arguments.size() > 2 ? (int) ((Expression.IntLiteral) arguments.get(2)).value() : 0);
                yield f -> {
                    long string = text.eval(f);
                    return string == InputEvent.NULL_STRING ? string : extraction.find(f.event, f.counts, string);
                };
            }
            case STRING -> Conversions.toText(operand(arguments.get(0)));
            default -> throw unsupported(call);
        };
    }

    private static StringNode firstPresent(StringNode[] nodes) {
        return f -> {
            for (StringNode node : nodes) {
                long string = node.eval(f);
                if (string != InputEvent.NULL_STRING) {
                    return string;
                }
            }
            return InputEvent.NULL_STRING;
        };
    }

    // Conditions

    /** A truth value. */
    BoolNode condition(Expression expression) {
        if (expression instanceof Expression.BoolLiteral literal) {
            int truth = BoolNode.of(literal.value());
            return f -> truth;
        }
        if (expression.type() == Expression.Type.NULL) {
            return f -> NULL;
        }
        if (expression instanceof Expression.Field field) {
            LongNode bit = field(field, plan.field(field).valueSlot());
            return f -> {
                long truth = bit.eval(f);
                return f.isNull ? NULL : (int) truth;
            };
        }
        if (expression instanceof Expression.Unary unary && unary.operator() == UnaryOperator.NOT) {
            BoolNode operand = condition(unary.operand());
            return f -> {
                int truth = operand.eval(f);
                return truth == NULL ? NULL : TRUE - truth;
            };
        }
        if (expression instanceof Expression.Binary binary) {
            return switch (binary.operator()) {
                case AND -> and(condition(binary.left()), condition(binary.right()));
                case OR -> or(condition(binary.left()), condition(binary.right()));
                default -> Comparisons.compare(binary.operator(), operand(binary.left()), operand(binary.right()));
            };
        }
        if (expression instanceof Expression.In in) {
            return Comparisons.in(
                    operand(in.operand()),
                    in.elements().stream().map(this::operand).toList());
        }
        if (expression instanceof Expression.Call call) {
            return conditionCall(call);
        }
        throw unsupported(expression);
    }

    private static BoolNode and(BoolNode left, BoolNode right) {
        return f -> {
            int a = left.eval(f);
            if (a == FALSE) {
                return FALSE;
            }
            int b = right.eval(f);
            return b == FALSE || a == TRUE ? b : NULL;
        };
    }

    private static BoolNode or(BoolNode left, BoolNode right) {
        return f -> {
            int a = left.eval(f);
            if (a == TRUE) {
                return TRUE;
            }
            int b = right.eval(f);
            return b == TRUE ? TRUE : a | b;
        };
    }

    private BoolNode conditionCall(Expression.Call call) {
        List<Expression> arguments = call.arguments();
        switch (call.function()) {
            case IF -> {
                BoolNode condition = condition(arguments.get(0));
                BoolNode then = condition(arguments.get(1));
                BoolNode otherwise = condition(arguments.get(2));
                return f -> condition.eval(f) == TRUE ? then.eval(f) : otherwise.eval(f);
            }
            case COALESCE -> {
                BoolNode[] nodes = arguments.stream().map(this::condition).toArray(BoolNode[]::new);
                return f -> {
                    for (BoolNode node : nodes) {
                        int truth = node.eval(f);
                        if (truth != NULL) {
                            return truth;
                        }
                    }
                    return NULL;
                };
            }
            case HAS -> {
                return isPresent(arguments.get(0));
            }
            default -> throw unsupported(call);
        }
    }

    /** Whether an expression of any type is not null: always true or false. */
    BoolNode isPresent(Expression expression) {
        if (expression instanceof Expression.Field field) {
            FieldUse use = plan.field(field);
            LongNode bits = field(field, use.valueSlot());
            return f -> {
                bits.eval(f);
                return BoolNode.of(!f.isNull);
            };
        }
        return operand(expression).isPresent();
    }
}
