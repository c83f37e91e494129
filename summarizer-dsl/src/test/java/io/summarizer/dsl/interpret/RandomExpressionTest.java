package io.summarizer.dsl.interpret;

import static io.summarizer.dsl.interpret.Model.message;
import static io.summarizer.dsl.interpret.Model.path;
import static io.summarizer.dsl.interpret.Model.scalar;
import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.core.time.CalendarUnit;
import io.summarizer.dsl.model.EventField;
import io.summarizer.dsl.model.EventField.Kind;
import io.summarizer.dsl.model.Expression;
import io.summarizer.dsl.model.Expression.BinaryOperator;
import io.summarizer.dsl.model.Expression.Function;
import io.summarizer.dsl.model.Expression.UnaryOperator;
import io.summarizer.dsl.model.MessageType;
import java.math.BigDecimal;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Random expressions over random events, against the interpreter. */
class RandomExpressionTest {
    private static final Map<String, Kind> FIELDS = Map.of(
            "i",
            Kind.INT64,
            "j",
            Kind.INT64,
            "u",
            Kind.UINT64,
            "v",
            Kind.UINT64,
            "d",
            Kind.DOUBLE,
            "e",
            Kind.DOUBLE,
            "s",
            Kind.STRING,
            "r",
            Kind.STRING,
            "b",
            Kind.BOOL,
            "t",
            Kind.TIMESTAMP);

    private static final MessageType TYPE = message(
            "T",
            FIELDS.entrySet().stream()
                    .map(field -> scalar(field.getKey(), field.getKey().charAt(0), field.getValue()))
                    .toArray(EventField[]::new));

    private final Random random = new Random();

    @Test
    void generatedCodeEvaluatesAsTheInterpreterDoes() {
        long seed = System.nanoTime();
        random.setSeed(seed);
        int rounds = 24;
        for (int round = 0; round < rounds; round++) {
            List<GeneratedEvaluation.Operand> operands = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                Expression.Type type = Expression.Type.values()[random.nextInt(6)];
                boolean currency =
                        (type == Expression.Type.DOUBLE || type == Expression.Type.INT) && random.nextInt(3) == 0;
                operands.add(new GeneratedEvaluation.Operand(expression(type, 4), currency));
            }
            GeneratedEvaluation evaluation = new GeneratedEvaluation(TYPE, operands);
            int nulls = 0;
            for (int i = 0; i < 40; i++) {
                String json = event();
                String expected = evaluation.expected(json);
                assertThat(evaluation.eval(json))
                        .as("seed %d, round %d: %s over %s", seed, round, operands, json)
                        .isEqualTo(expected);
                nulls += operands.size() + 1 - expected.split(" v").length;
            }
            assertThat(nulls).as("nulls of %d", 50 * 40).isBetween(50 * 40 / 20, 50 * 40 * 3 / 4);
        }
    }

    // Expressions

    private Expression expression(Expression.Type type, int depth) {
        if (depth == 0 || random.nextInt(6) == 0) {
            return leaf(type);
        }
        if (random.nextInt(6) == 0) {
            return random.nextBoolean()
                    ? call(
                            type,
                            Function.IF,
                            expression(Expression.Type.BOOL, depth - 1),
                            branch(type, depth),
                            branch(type, depth))
                    : call(type, Function.COALESCE, branch(type, depth), branch(type, depth));
        }
        return switch (type) {
            case INT -> integer(depth - 1);
            case DOUBLE -> number(depth - 1);
            case BOOL -> condition(depth - 1);
            case STRING -> text(depth - 1);
            case TIMESTAMP -> time(depth - 1);
            default -> leaf(type);
        };
    }

    /** An operand for a place that takes this type, conversions included. */
    private Expression branch(Expression.Type type, int depth) {
        if (random.nextInt(10) == 0) {
            return new Expression.NullLiteral();
        }
        return type == Expression.Type.DOUBLE && random.nextInt(3) == 0
                ? numeric(depth - 1)
                : expression(type, depth - 1);
    }

    private Expression numeric(int depth) {
        return switch (random.nextInt(5)) {
            case 0 -> leaf(Expression.Type.UINT);
            case 1, 2 -> expression(Expression.Type.INT, depth);
            default -> expression(Expression.Type.DOUBLE, depth);
        };
    }

    private Expression whole(int depth) {
        return random.nextInt(5) == 0 ? leaf(Expression.Type.UINT) : expression(Expression.Type.INT, depth);
    }

    private Expression integer(int depth) {
        return switch (random.nextInt(6)) {
            case 0 -> new Expression.Unary(UnaryOperator.NEGATE, whole(depth), Expression.Type.INT);
            case 1 -> call(Expression.Type.INT, Function.LEN, expression(Expression.Type.STRING, depth));
            case 2 ->
                call(
                        Expression.Type.INT,
                        Function.INT64,
                        expression(
                                pick(
                                        Expression.Type.INT,
                                        Expression.Type.UINT,
                                        Expression.Type.STRING,
                                        Expression.Type.BOOL),
                                depth));
            default ->
                new Expression.Binary(
                        pick(
                                BinaryOperator.ADD,
                                BinaryOperator.SUBTRACT,
                                BinaryOperator.MULTIPLY,
                                BinaryOperator.REMAINDER),
                        whole(depth),
                        whole(depth),
                        Expression.Type.INT);
        };
    }

    private Expression number(int depth) {
        return switch (random.nextInt(5)) {
            case 0 ->
                new Expression.Unary(
                        UnaryOperator.NEGATE, expression(Expression.Type.DOUBLE, depth), Expression.Type.DOUBLE);
            case 1 ->
                call(
                        Expression.Type.DOUBLE,
                        Function.DOUBLE,
                        expression(pick(Expression.Type.INT, Expression.Type.UINT, Expression.Type.STRING), depth));
            case 2 ->
                new Expression.Binary(BinaryOperator.DIVIDE, numeric(depth), numeric(depth), Expression.Type.DOUBLE);
            default ->
                new Expression.Binary(
                        pick(
                                BinaryOperator.ADD,
                                BinaryOperator.SUBTRACT,
                                BinaryOperator.MULTIPLY,
                                BinaryOperator.REMAINDER),
                        numeric(depth),
                        expression(Expression.Type.DOUBLE, depth),
                        Expression.Type.DOUBLE);
        };
    }

    private Expression condition(int depth) {
        return switch (random.nextInt(7)) {
            case 0 ->
                new Expression.Unary(UnaryOperator.NOT, expression(Expression.Type.BOOL, depth), Expression.Type.BOOL);
            case 1 ->
                call(
                        Expression.Type.BOOL,
                        Function.HAS,
                        expression(pick(Expression.Type.INT, Expression.Type.STRING, Expression.Type.DOUBLE), depth));
            case 2, 3 ->
                new Expression.Binary(
                        pick(BinaryOperator.AND, BinaryOperator.OR),
                        expression(Expression.Type.BOOL, depth),
                        expression(Expression.Type.BOOL, depth),
                        Expression.Type.BOOL);
            case 4 -> {
                Expression.Type type = pick(Expression.Type.STRING, Expression.Type.INT);
                List<Expression> elements = new ArrayList<>();
                for (int i = 1 + random.nextInt(3); i > 0; i--) {
                    elements.add(random.nextInt(8) == 0 ? new Expression.NullLiteral() : any(type, depth));
                }
                yield new Expression.In(any(type, depth), elements);
            }
            default -> {
                Expression.Type type = pick(
                        Expression.Type.STRING,
                        Expression.Type.INT,
                        Expression.Type.INT,
                        Expression.Type.BOOL,
                        Expression.Type.TIMESTAMP);
                yield new Expression.Binary(
                        pick(
                                BinaryOperator.EQ,
                                BinaryOperator.NE,
                                BinaryOperator.LT,
                                BinaryOperator.LE,
                                BinaryOperator.GT,
                                BinaryOperator.GE),
                        any(type, depth),
                        any(type, depth),
                        Expression.Type.BOOL);
            }
        };
    }

    /** A number of any type for INT. */
    private Expression any(Expression.Type type, int depth) {
        return type == Expression.Type.INT ? numeric(depth) : expression(type, depth);
    }

    private Expression text(int depth) {
        return switch (random.nextInt(6)) {
            case 0 -> call(Expression.Type.STRING, Function.LOWER, expression(Expression.Type.STRING, depth));
            case 1 -> call(Expression.Type.STRING, Function.UPPER, expression(Expression.Type.STRING, depth));
            case 2 ->
                call(
                        Expression.Type.STRING,
                        Function.SUBSTR,
                        expression(Expression.Type.STRING, depth),
                        new Expression.IntLiteral(random.nextInt(6) - 1, Expression.Type.INT),
                        new Expression.IntLiteral(random.nextInt(5) - 1, Expression.Type.INT));
            case 3 ->
                call(
                        Expression.Type.STRING,
                        Function.STRING,
                        expression(pick(Expression.Type.INT, Expression.Type.UINT, Expression.Type.BOOL), depth));
            default ->
                new Expression.Binary(
                        BinaryOperator.CONCAT,
                        expression(Expression.Type.STRING, depth),
                        expression(Expression.Type.STRING, depth),
                        Expression.Type.STRING);
        };
    }

    private Expression time(int depth) {
        return switch (random.nextInt(4)) {
            case 0 -> call(Expression.Type.TIMESTAMP, Function.TIMESTAMP, expression(Expression.Type.INT, depth));
            case 1 ->
                call(
                        Expression.Type.TIMESTAMP,
                        Function.BUCKET,
                        expression(Expression.Type.TIMESTAMP, depth),
                        new Expression.WindowLiteral(
                                1 + random.nextInt(9),
                                pick(CalendarUnit.DAY, CalendarUnit.WEEK, CalendarUnit.MONTH, CalendarUnit.YEAR),
                                ZoneId.of(pick("Europe/Berlin", "America/Sao_Paulo", "+05:30"))));
            case 2 ->
                call(
                        Expression.Type.TIMESTAMP,
                        Function.BUCKET,
                        expression(Expression.Type.TIMESTAMP, depth),
                        leaf(Expression.Type.DURATION));
            default ->
                new Expression.Binary(
                        pick(BinaryOperator.ADD, BinaryOperator.SUBTRACT),
                        expression(Expression.Type.TIMESTAMP, depth),
                        leaf(Expression.Type.DURATION),
                        Expression.Type.TIMESTAMP);
        };
    }

    private Expression leaf(Expression.Type type) {
        boolean literal = random.nextInt(3) == 0;
        return switch (type) {
            case INT ->
                literal ? new Expression.IntLiteral(randomLong(), Expression.Type.INT) : path(TYPE, pick("i", "j"));
            case UINT ->
                literal
                        ? new Expression.IntLiteral(random.nextLong() | Long.MIN_VALUE, Expression.Type.UINT)
                        : path(TYPE, pick("u", "v"));
            case DOUBLE -> literal ? new Expression.DecimalLiteral(randomDecimal()) : path(TYPE, pick("d", "e"));
            case BOOL -> literal ? new Expression.BoolLiteral(random.nextBoolean()) : path(TYPE, "b");
            case STRING -> literal ? new Expression.StringLiteral(randomText()) : path(TYPE, pick("s", "r"));
            case TIMESTAMP -> path(TYPE, "t");
            default -> new Expression.DurationLiteral(1 + random.nextInt(100_000_000));
        };
    }

    private static Expression call(Expression.Type type, Function function, Expression... arguments) {
        return new Expression.Call(function, List.of(arguments), type);
    }

    // Events

    private String event() {
        StringBuilder json = new StringBuilder("{");
        FIELDS.forEach((name, kind) -> {
            if (random.nextInt(6) == 0) {
                return;
            }
            Object value = switch (kind) {
                case INT64 -> randomLong();
                case UINT64 -> Long.toUnsignedString(randomLong());
                case DOUBLE -> randomDecimal();
                case BOOL -> random.nextBoolean();
                case STRING -> '"' + randomText() + '"';
                default -> random.nextInt(); // epoch ms
            };
            json.append(json.length() == 1 ? "" : ",").append('"').append(name).append("\":");
            json.append(value);
        });
        return json.append('}').toString();
    }

    private long randomLong() {
        return switch (random.nextInt(5)) {
            case 0 -> random.nextLong();
            case 1 -> random.nextBoolean() ? Long.MIN_VALUE + random.nextInt(2) : Long.MAX_VALUE - random.nextInt(2);
            default -> random.nextInt(11) - 5;
        };
    }

    private BigDecimal randomDecimal() {
        return switch (random.nextInt(5)) {
            case 0 -> BigDecimal.valueOf(random.nextLong(), random.nextInt(20));
            case 1 -> BigDecimal.valueOf(randomLong());
            case 2 -> new BigDecimal("1e308").multiply(BigDecimal.valueOf(random.nextInt(3) - 1));
            default -> BigDecimal.valueOf(random.nextInt(41) - 20, random.nextInt(2));
        };
    }

    private String randomText() {
        String[] texts = {"", "a", "B", "Ä", "𝄞", "aB", "1", "-5", "1.5", "\uff5e", "aÄ𝄞z", "true"};
        return texts[random.nextInt(texts.length)];
    }

    @SafeVarargs
    private <T> T pick(T... choices) {
        return choices[random.nextInt(choices.length)];
    }
}
