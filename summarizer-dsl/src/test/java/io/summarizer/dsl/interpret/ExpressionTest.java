package io.summarizer.dsl.interpret;

import static io.summarizer.dsl.interpret.Model.binary;
import static io.summarizer.dsl.interpret.Model.call;
import static io.summarizer.dsl.interpret.Model.compare;
import static io.summarizer.dsl.interpret.Model.decimal;
import static io.summarizer.dsl.interpret.Model.list;
import static io.summarizer.dsl.interpret.Model.message;
import static io.summarizer.dsl.interpret.Model.nested;
import static io.summarizer.dsl.interpret.Model.number;
import static io.summarizer.dsl.interpret.Model.path;
import static io.summarizer.dsl.interpret.Model.scalar;
import static io.summarizer.dsl.interpret.Model.text;
import static org.assertj.core.api.Assertions.assertThat;

import com.dynatrace.hash4j.hashing.Hashing;
import io.summarizer.core.time.CalendarUnit;
import io.summarizer.dsl.model.EventField.Kind;
import io.summarizer.dsl.model.Expression;
import io.summarizer.dsl.model.Expression.BinaryOperator;
import io.summarizer.dsl.model.Expression.Builtin;
import io.summarizer.dsl.model.Expression.Function;
import io.summarizer.dsl.model.Expression.UnaryOperator;
import io.summarizer.dsl.model.MessageType;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ExpressionTest {
    private static final MessageType INNER = message("Inner", scalar("x", 1, Kind.INT64));
    private static final MessageType TYPE = message(
            "T",
            scalar("i", 1, Kind.INT64),
            scalar("j", 2, Kind.INT64),
            scalar("u", 3, Kind.UINT64),
            scalar("d", 4, Kind.DOUBLE),
            scalar("s", 5, Kind.STRING),
            scalar("b", 6, Kind.BOOL),
            scalar("t", 7, Kind.TIMESTAMP),
            nested("m", 8, INNER),
            list("l", 9, Kind.INT64),
            scalar("c", 10, Kind.BOOL),
            scalar("v", 11, Kind.UINT64),
            scalar("r", 12, Kind.STRING));

    private static final Expression I = path(TYPE, "i");
    private static final Expression J = path(TYPE, "j");
    private static final Expression U = path(TYPE, "u");
    private static final Expression D = path(TYPE, "d");
    private static final Expression S = path(TYPE, "s");
    private static final Expression B = path(TYPE, "b");
    private static final Expression T = path(TYPE, "t");
    private static final Expression NULL = new Expression.NullLiteral();

    private static @Nullable Object eval(Expression expression, String fields) {
        return Evaluation.of(TYPE, expression).eval("{" + fields + "}");
    }

    private static BigInteger big(long value) {
        return BigInteger.valueOf(value);
    }

    private static void assertNullAndCounted(Expression expression, String fields) {
        Result result = Evaluation.of(TYPE, expression).result("{" + fields + "}");
        assertThat(result.value()).isNull();
        assertThat(result.reason()).isNotNull();
    }

    @Test
    void integersOverflowToNull() {
        assertNullAndCounted(
                binary(Expression.Type.INT, I, BinaryOperator.ADD, number(1)), "\"i\":9223372036854775807");
        assertNullAndCounted(
                binary(Expression.Type.INT, I, BinaryOperator.SUBTRACT, number(1)), "\"i\":-9223372036854775808");
        assertNullAndCounted(
                binary(Expression.Type.INT, I, BinaryOperator.MULTIPLY, number(-1)), "\"i\":-9223372036854775808");
        assertNullAndCounted(
                new Expression.Unary(UnaryOperator.NEGATE, I, Expression.Type.INT), "\"i\":-9223372036854775808");
        assertNullAndCounted(binary(Expression.Type.INT, I, BinaryOperator.REMAINDER, J), "\"i\":1,\"j\":0");
        assertNullAndCounted(binary(Expression.Type.DOUBLE, I, BinaryOperator.DIVIDE, J), "\"i\":1,\"j\":0");
        assertNullAndCounted(binary(Expression.Type.DOUBLE, D, BinaryOperator.DIVIDE, J), "\"d\":0.0,\"j\":0");
        assertNullAndCounted(binary(Expression.Type.DOUBLE, D, BinaryOperator.MULTIPLY, D), "\"d\":1e200");
        assertNullAndCounted(binary(Expression.Type.DOUBLE, D, BinaryOperator.REMAINDER, decimal("0.0")), "\"d\":1");
    }

    @Test
    void anUnsignedNumberBeyondInt64IsNullInArithmeticOnly() {
        String big = "\"u\":9223372036854775808,\"d\":1.5";
        assertNullAndCounted(binary(Expression.Type.INT, U, BinaryOperator.ADD, number(0)), big);
        assertNullAndCounted(binary(Expression.Type.DOUBLE, U, BinaryOperator.ADD, D), big);
        assertNullAndCounted(new Expression.Unary(UnaryOperator.NEGATE, U, Expression.Type.INT), big);
        assertNullAndCounted(call(Expression.Type.INT, Function.INT64, U), big);
        assertThat(eval(U, big)).isEqualTo(BigInteger.ONE.shiftLeft(63));
        assertThat(eval(call(Expression.Type.DOUBLE, Function.DOUBLE, U), big)).isEqualTo(0x1p63);
        assertThat(eval(call(Expression.Type.STRING, Function.STRING, U), big)).isEqualTo("9223372036854775808");
        assertThat(eval(compare(U, BinaryOperator.GT, number(5)), big)).isEqualTo(true);
        assertThat(eval(compare(number(-1), BinaryOperator.LT, U), big)).isEqualTo(true);
        assertThat(eval(compare(U, BinaryOperator.GT, path(TYPE, "v")), big + ",\"v\":18446744073709551615"))
                .isEqualTo(false);
        assertThat(eval(binary(Expression.Type.INT, U, BinaryOperator.ADD, number(-3)), "\"u\":2"))
                .isEqualTo(big(-1));
    }

    @Test
    void divisionMakesDoublesAndTheRemainderHasTheDividendsSign() {
        assertThat(eval(binary(Expression.Type.DOUBLE, I, BinaryOperator.DIVIDE, J), "\"i\":7,\"j\":2"))
                .isEqualTo(3.5);
        assertThat(eval(binary(Expression.Type.INT, I, BinaryOperator.REMAINDER, J), "\"i\":-7,\"j\":2"))
                .isEqualTo(big(-1));
        assertThat(eval(binary(Expression.Type.INT, I, BinaryOperator.REMAINDER, J), "\"i\":7,\"j\":-2"))
                .isEqualTo(big(1));
        assertThat(eval(
                        binary(Expression.Type.INT, I, BinaryOperator.REMAINDER, J),
                        "\"i\":-9223372036854775808,\"j\":-1"))
                .isEqualTo(big(0));
    }

    @ParameterizedTest
    @CsvSource({
        "true, true, true, true", "true, false, false, true", "true, null, null, true",
        "false, true, false, true", "false, false, false, false", "false, null, false, null",
        "null, true, null, true", "null, false, false, null", "null, null, null, null"
    })
    void logicHasThreeValues(String a, String b, String and, String or) {
        Expression c = path(TYPE, "c");
        String fields = "\"b\":" + a + ",\"c\":" + b;
        assertThat(String.valueOf(eval(binary(Expression.Type.BOOL, B, BinaryOperator.AND, c), fields)))
                .isEqualTo(and);
        assertThat(String.valueOf(eval(binary(Expression.Type.BOOL, B, BinaryOperator.OR, c), fields)))
                .isEqualTo(or);
        String not = a.equals("null") ? "null" : a.equals("true") ? "false" : "true";
        assertThat(String.valueOf(eval(new Expression.Unary(UnaryOperator.NOT, B, Expression.Type.BOOL), fields)))
                .isEqualTo(not);
    }

    @Test
    void nullPassesThroughAllButHasCoalesceAndIf() {
        assertThat(eval(compare(I, BinaryOperator.EQ, NULL), "\"i\":1")).isNull();
        assertThat(eval(compare(I, BinaryOperator.EQ, J), "\"i\":1")).isNull();
        assertThat(eval(compare(S, BinaryOperator.NE, text("a")), "")).isNull();
        assertThat(eval(binary(Expression.Type.INT, I, BinaryOperator.ADD, J), "\"j\":1"))
                .isNull();
        assertThat(eval(call(Expression.Type.STRING, Function.CONCAT, S, text("a")), ""))
                .isNull();
        assertThat(eval(call(Expression.Type.INT, Function.COALESCE, I, J, number(3)), "\"j\":2"))
                .isEqualTo(big(2));
        assertThat(eval(call(Expression.Type.INT, Function.COALESCE, I, J, number(3)), ""))
                .isEqualTo(big(3));
        assertThat(eval(call(Expression.Type.INT, Function.COALESCE, I, J), "")).isNull();
        assertThat(eval(call(Expression.Type.INT, Function.IF, B, number(1), number(2)), ""))
                .isEqualTo(big(2));
        assertThat(eval(call(Expression.Type.INT, Function.IF, B, number(1), NULL), "\"b\":false"))
                .isNull();
        assertThat(eval(call(Expression.Type.DOUBLE, Function.IF, B, I, D), "\"b\":true,\"i\":3"))
                .isEqualTo(3.0);
    }

    @Test
    void hasAsksWhetherSomethingIsThere() {
        assertThat(eval(call(Expression.Type.BOOL, Function.HAS, I), "\"i\":0")).isEqualTo(true);
        assertThat(eval(call(Expression.Type.BOOL, Function.HAS, I), "\"i\":null"))
                .isEqualTo(false);
        assertThat(eval(call(Expression.Type.BOOL, Function.HAS, S), "\"s\":\"\""))
                .isEqualTo(true);
        assertThat(eval(call(Expression.Type.BOOL, Function.HAS, path(TYPE, "m")), "\"m\":{}"))
                .isEqualTo(true);
        assertThat(eval(call(Expression.Type.BOOL, Function.HAS, path(TYPE, "m")), "\"i\":1"))
                .isEqualTo(false);
        assertThat(eval(call(Expression.Type.BOOL, Function.HAS, path(TYPE, "m.x")), "\"m\":{}"))
                .isEqualTo(false);
        assertThat(eval(call(Expression.Type.BOOL, Function.HAS, path(TYPE, "l")), "\"l\":[]"))
                .isEqualTo(true);
        assertThat(eval(call(Expression.Type.BOOL, Function.HAS, path(TYPE, "l")), ""))
                .isEqualTo(false);
    }

    @Test
    void comparesMixedNumbersByTheirExactValues() {
        Expression less = compare(I, BinaryOperator.LT, D);
        assertThat(eval(less, "\"i\":9007199254740993,\"d\":9007199254740992")).isEqualTo(false);
        assertThat(eval(compare(I, BinaryOperator.EQ, D), "\"i\":9007199254740993,\"d\":9007199254740992"))
                .isEqualTo(false);
        assertThat(eval(compare(I, BinaryOperator.EQ, D), "\"i\":9223372036854775807,\"d\":9223372036854775808"))
                .isEqualTo(false);
        assertThat(eval(compare(D, BinaryOperator.GT, I), "\"i\":-1,\"d\":-0.5"))
                .isEqualTo(true);
        assertThat(eval(compare(D, BinaryOperator.EQ, decimal("0")), "\"d\":-0.0"))
                .isEqualTo(true);
        assertThat(eval(compare(U, BinaryOperator.LT, D), "\"u\":18446744073709551615,\"d\":18446744073709551616"))
                .isEqualTo(true);
    }

    @Test
    void comparesStringsByCodePoints() {
        // In UTF-16 the surrogates of U+1D11E come before U+FF5E.
        assertThat(eval(compare(S, BinaryOperator.GT, text("\uff5e")), "\"s\":\"𝄞\""))
                .isEqualTo(true);
        assertThat(eval(compare(S, BinaryOperator.LT, text("ab")), "\"s\":\"a\""))
                .isEqualTo(true);
        assertThat(eval(compare(S, BinaryOperator.EQ, text("")), "\"s\":\"\"")).isEqualTo(true);
    }

    @Test
    void inIsNullWhenNothingIsEqualAndSomethingIsNull() {
        Expression in = new Expression.In(I, List.of(number(1), J, decimal("2.0")));
        assertThat(eval(in, "\"i\":1")).isEqualTo(true);
        assertThat(eval(in, "\"i\":2")).isEqualTo(true);
        assertThat(eval(in, "\"i\":3")).isNull();
        assertThat(eval(in, "\"i\":3,\"j\":4")).isEqualTo(false);
        assertThat(eval(in, "\"j\":4")).isNull();
        assertThat(eval(new Expression.In(S, List.of(text("a"), text("b"))), "\"s\":\"b\""))
                .isEqualTo(true);
        assertThat(eval(new Expression.In(S, List.of(text("a"), text("b"))), "\"s\":\"c\""))
                .isEqualTo(false);
    }

    @Test
    void functionsOfStringsCountCodePoints() {
        String fields = "\"s\":\"aÄ𝄞z\"";
        assertThat(eval(call(Expression.Type.INT, Function.LEN, S), fields)).isEqualTo(big(4));
        assertThat(eval(call(Expression.Type.STRING, Function.LOWER, S), fields))
                .isEqualTo("aä𝄞z");
        assertThat(eval(call(Expression.Type.STRING, Function.UPPER, S), "\"s\":\"straße\""))
                .isEqualTo("STRASSE");
        assertThat(eval(call(Expression.Type.STRING, Function.UPPER, S), "\"s\":\"{az`AZ@[\""))
                .isEqualTo("{AZ`AZ@[");
        assertThat(eval(call(Expression.Type.STRING, Function.LOWER, S), "\"s\":\"{az`AZ@[\""))
                .isEqualTo("{az`az@[");
        assertThat(substr(2, 2, fields)).isEqualTo("Ä𝄞");
        assertThat(substr(1, 99, fields)).isEqualTo("aÄ𝄞z");
        assertThat(substr(9, 1, fields)).isEqualTo("");
        assertThat(substr(0, 2, fields)).as("position 0 is before the text").isEqualTo("a");
        assertThat(substr(-5, 2, fields)).isEqualTo("");
        assertThat(substr(2, -1, fields)).isEqualTo("");
        assertThat(substr(2, Long.MAX_VALUE, fields)).isEqualTo("Ä𝄞z");
        assertThat(substr(Long.MIN_VALUE, Long.MAX_VALUE, fields)).isEqualTo("");
        assertThat(eval(call(Expression.Type.STRING, Function.SUBSTR, S, number(3)), fields))
                .isEqualTo("𝄞z");
        assertThat(eval(call(Expression.Type.INT, Function.LEN, path(TYPE, "l")), "\"l\":[1,2,3]"))
                .isEqualTo(big(3));
        assertThat(eval(call(Expression.Type.INT, Function.LEN, path(TYPE, "l")), ""))
                .isNull();
        assertThat(eval(
                        binary(
                                Expression.Type.STRING,
                                S,
                                BinaryOperator.CONCAT,
                                call(Expression.Type.STRING, Function.UPPER, S)),
                        "\"s\":\"a\\tb\""))
                .isEqualTo("a\tbA\tB");
    }

    private static @Nullable Object substr(long from, long length, String fields) {
        return eval(call(Expression.Type.STRING, Function.SUBSTR, S, number(from), number(length)), fields);
    }

    @Test
    void looksUpManyLiterals() {
        List<Expression> numbers = new ArrayList<>();
        List<Expression> texts = new ArrayList<>();
        List<Expression> decimals = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            numbers.add(
                    i % 2 == 0
                            ? number(3L * i)
                            : new Expression.Unary(UnaryOperator.NEGATE, number(3L * i), Expression.Type.INT));
            texts.add(text("t" + i));
            decimals.add(i % 2 == 0 ? decimal(i + ".5") : number(i));
        }
        numbers.add(50, J);
        numbers.add(call(Expression.Type.INT, Function.INT64, S));
        for (int i : new int[] {-20, -15, -9, 0, 1, 6, 7, 99, 294, 297}) {
            String wanted = String.valueOf(i);
            boolean element = i % 6 == 0 && i >= 0 && i < 300;
            assertThat(eval(new Expression.In(I, numbers), "\"i\":" + i + ",\"j\":1000,\"s\":\"7\""))
                    .as(wanted)
                    .isEqualTo(element || i == -9 || i == -15 || i == 7);
            assertThat(eval(new Expression.In(I, numbers), "\"i\":" + i))
                    .as(wanted)
                    .isEqualTo((element || i == -9 || i == -15) ? true : null);
            assertThat(eval(new Expression.In(S, texts), "\"s\":\"t" + i + "\""))
                    .as(wanted)
                    .isEqualTo(i >= 0 && i < 100);
            assertThat(eval(new Expression.In(D, decimals), "\"d\":" + i + ".5"))
                    .as(wanted)
                    .isEqualTo(i >= 0 && i < 100 && i % 2 == 0);
            assertThat(eval(new Expression.In(D, decimals), "\"d\":" + i))
                    .as(wanted)
                    .isEqualTo(i >= 0 && i < 100 && i % 2 != 0);
        }
        assertThat(eval(new Expression.In(S, texts), "")).isNull();
    }

    @Test
    void extractsWhatAGroupCaught() {
        Expression extract = call(Expression.Type.STRING, Function.EXTRACT, S, text("(\\w+)@(\\w+)(x)?"), number(2));
        assertThat(eval(extract, "\"s\":\"to ann@home now\"")).isEqualTo("home");
        assertThat(eval(extract, "\"s\":\"Ä ann@home\"")).isEqualTo("home");
        assertThat(eval(extract, "\"s\":\"nobody\"")).isNull();
        assertThat(eval(extract, "")).isNull();
        assertThat(eval(
                        call(Expression.Type.STRING, Function.EXTRACT, S, text("(\\w+)@(\\w+)(x)?"), number(3)),
                        "\"s\":\"a@b\""))
                .isNull();
        assertThat(eval(call(Expression.Type.STRING, Function.EXTRACT, S, text("Ä.é")), "\"s\":\"_Ä𝄞é_\""))
                .isEqualTo("Ä𝄞é");
        Expression explosive = call(Expression.Type.STRING, Function.EXTRACT, S, text("(a|aa)+$"), number(0));
        assertThat(eval(explosive, "\"s\":\"" + "a".repeat(200) + "b\""))
                .as("takes too many steps")
                .isNull();
        Expression deep = call(Expression.Type.STRING, Function.EXTRACT, S, text("(?:a|b)*c"), number(0));
        eval(deep, "\"s\":\"" + "ab".repeat(2000) + "c\"");
    }

    @Test
    void convertsBetweenTypes() {
        assertThat(eval(call(Expression.Type.INT, Function.INT64, S), "\"s\":\"12\""))
                .isEqualTo(big(12));
        assertThat(eval(call(Expression.Type.INT, Function.INT64, S), "\"s\":\"12.0\""))
                .isEqualTo(big(12));
        assertThat(eval(call(Expression.Type.INT, Function.INT64, S), "\"s\":\"12x\""))
                .isNull();
        assertThat(eval(call(Expression.Type.INT, Function.INT64, S), "\"s\":\"\""))
                .isNull();
        assertThat(eval(call(Expression.Type.INT, Function.INT64, D), "\"d\":-2.9"))
                .isEqualTo(big(-2));
        assertNullAndCounted(call(Expression.Type.INT, Function.INT64, D), "\"d\":1e19");
        assertThat(eval(call(Expression.Type.INT, Function.INT64, B), "\"b\":true"))
                .isEqualTo(big(1));
        assertThat(eval(call(Expression.Type.INT, Function.INT64, T), "\"t\":1234"))
                .isEqualTo(big(1234));
        assertThat(eval(call(Expression.Type.DOUBLE, Function.DOUBLE, S), "\"s\":\"1e-2\""))
                .isEqualTo(0.01);
        assertThat(eval(call(Expression.Type.DOUBLE, Function.DOUBLE, S), "\"s\":\"1e999\""))
                .isNull();
        assertThat(eval(call(Expression.Type.DOUBLE, Function.DOUBLE, S), "\"s\":\"NaN\""))
                .isNull();
        assertThat(eval(call(Expression.Type.DOUBLE, Function.DOUBLE, I), "\"i\":3"))
                .isEqualTo(3.0);
        assertThat(eval(call(Expression.Type.STRING, Function.STRING, I), "\"i\":-9223372036854775808"))
                .isEqualTo("-9223372036854775808");
        assertThat(eval(call(Expression.Type.STRING, Function.STRING, I), "\"i\":0"))
                .isEqualTo("0");
        assertThat(eval(call(Expression.Type.STRING, Function.STRING, D), "\"d\":2e-3"))
                .isEqualTo("0.002");
        assertThat(eval(call(Expression.Type.STRING, Function.STRING, D), "\"d\":2e23"))
                .isEqualTo("2.0E23");
        assertThat(eval(call(Expression.Type.STRING, Function.STRING, B), "\"b\":false"))
                .isEqualTo("false");
        assertThat(eval(call(Expression.Type.STRING, Function.STRING, T), "\"t\":0"))
                .isEqualTo("1970-01-01T00:00:00.000000Z");
    }

    @Test
    void readsTimes() {
        Expression time = call(Expression.Type.TIMESTAMP, Function.TIMESTAMP, S);
        assertThat(eval(time, "\"s\":\"2019-11-24 00:01:03.979311+00:00\"")).isEqualTo(big(1574553663979311L));
        assertThat(eval(time, "\"s\":\"1574553663979\"")).isEqualTo(big(1574553663979000L));
        assertThat(eval(time, "\"s\":\"soon\"")).isNull();
        assertThat(eval(call(Expression.Type.TIMESTAMP, Function.TIMESTAMP, I), "\"i\":-1"))
                .isEqualTo(big(-1000));
        assertThat(eval(call(Expression.Type.TIMESTAMP, Function.TIMESTAMP, D), "\"d\":1.5"))
                .isEqualTo(big(1500));
        assertNullAndCounted(call(Expression.Type.TIMESTAMP, Function.TIMESTAMP, I), "\"i\":9223372036854775807");
        assertThat(Evaluation.of(TYPE, time, ZoneId.of("Europe/Berlin")).eval("{\"s\":\"2026-11-20T01:00:00\"}"))
                .isEqualTo(big(1795132800000000L));
        Expression bucket =
                call(Expression.Type.TIMESTAMP, Function.BUCKET, T, new Expression.DurationLiteral(300_000_000));
        assertThat(eval(bucket, "\"t\":\"2026-11-20T00:04:59.999Z\"")).isEqualTo(big(1795132800000000L));
        assertThat(eval(bucket, "\"t\":\"1969-12-31T23:59:59Z\"")).isEqualTo(big(-300_000_000));
        Expression month = call(
                Expression.Type.TIMESTAMP,
                Function.BUCKET,
                T,
                new Expression.WindowLiteral(1, CalendarUnit.MONTH, ZoneId.of("Europe/Berlin")));
        assertThat(eval(month, "\"t\":\"2026-11-20T00:04:59.999Z\"")).isEqualTo(big(1793487600000000L));
        assertNullAndCounted(month, "\"t\":-9223372036854775");
        Expression later = binary(Expression.Type.TIMESTAMP, T, BinaryOperator.ADD, new Expression.DurationLiteral(7));
        assertThat(eval(binary(Expression.Type.DURATION, later, BinaryOperator.SUBTRACT, T), "\"t\":5"))
                .isEqualTo(big(7));
    }

    @Test
    void hashesAsPostgresHllDoes() {
        var murmur = Hashing.murmur3_128(0);
        long ofText = murmur.hashBytesTo128Bits("abcé".getBytes(StandardCharsets.UTF_8))
                .getAsLong();
        assertThat(eval(call(Expression.Type.INT, Function.HASH64, S), "\"s\":\"abcé\""))
                .isEqualTo(big(ofText));
        byte[] five = {5, 0, 0, 0, 0, 0, 0, 0};
        BigInteger ofFive = big(murmur.hashBytesTo128Bits(five).getAsLong());
        assertThat(eval(call(Expression.Type.INT, Function.HASH64, I), "\"i\":5"))
                .isEqualTo(ofFive);
        assertThat(eval(call(Expression.Type.INT, Function.HASH64, U), "\"u\":5"))
                .isEqualTo(ofFive);
        assertThat(eval(call(Expression.Type.INT, Function.HASH64, I), "")).isNull();
    }

    @Test
    void hashesSeveralValuesWithoutRunningThemTogether() {
        Expression pair = call(Expression.Type.INT, Function.HASH64, S, path(TYPE, "r"));
        List<String> pairs = List.of(
                "\"s\":\"a\",\"r\":\"b\"",
                "\"s\":\"ab\",\"r\":\"\"",
                "\"s\":\"\",\"r\":\"ab\"",
                "\"s\":\"b\",\"r\":\"a\"");
        assertThat(pairs.stream().map(fields -> eval(pair, fields)))
                .doesNotHaveDuplicates()
                .doesNotContainNull();
        assertThat(eval(call(Expression.Type.INT, Function.HASH64, I, J), "\"i\":1,\"j\":2"))
                .isEqualTo(eval(call(Expression.Type.INT, Function.HASH64, U, J), "\"u\":1,\"j\":2"))
                .isNotEqualTo(eval(call(Expression.Type.INT, Function.HASH64, I, J), "\"i\":2,\"j\":1"));
        assertThat(eval(pair, "\"s\":\"ab\"")).isNull();
        assertThat(eval(pair, "\"r\":\"ab\"")).isNull();
        assertThat(eval(call(Expression.Type.INT, Function.HASH64, I, J), "\"i\":1"))
                .isNull();
    }

    @ParameterizedTest
    @CsvSource({
        "0.0000005, 1",
        "-0.0000005, -1",
        "0.1234564999999999999999, 123456",
        "12345678901.123456, 12345678901123456",
        "1e-6, 1",
        "9223372036854.775807, 9223372036854775807",
        "'\"1.5\"', 1500000"
    })
    void readsCurrencyFromTheTextOfNumbers(String json, long micros) {
        Expression direct = D;
        Expression chosen = call(
                Expression.Type.DOUBLE, Function.IF, B, I, call(Expression.Type.DOUBLE, Function.COALESCE, NULL, D));
        Expression negative = new Expression.Unary(UnaryOperator.NEGATE, D, Expression.Type.DOUBLE);
        String payload = "{\"d\":" + json + "}";
        assertThat(Evaluation.ofCurrency(TYPE, direct).eval(payload)).isEqualTo(big(micros));
        assertThat(Evaluation.ofCurrency(TYPE, chosen).eval(payload)).isEqualTo(big(micros));
        assertThat(Evaluation.ofCurrency(TYPE, negative).eval(payload)).isEqualTo(big(-micros));
    }

    @ParameterizedTest
    @ValueSource(strings = {"1e30", "-1e30", "9223372036854.775808", "-9223372036854.775808", "9223372036854.7758075"})
    void givesNullForAnAmountThatACurrencyHasNoRoomFor(String json) {
        Expression negative = new Expression.Unary(UnaryOperator.NEGATE, D, Expression.Type.DOUBLE);
        String payload = "{\"d\":" + json + "}";
        assertThat(Evaluation.ofCurrency(TYPE, D).eval(payload)).isNull();
        assertThat(Evaluation.ofCurrency(TYPE, negative).eval(payload)).isNull();
    }

    @Test
    void givesNullForAComputedAmountThatACurrencyHasNoRoomFor() {
        Expression product = binary(
                Expression.Type.INT, I, BinaryOperator.MULTIPLY, new Expression.IntLiteral(1, Expression.Type.INT));
        Expression negated = new Expression.Unary(UnaryOperator.NEGATE, product, Expression.Type.INT);
        for (Expression each : List.of(I, product, negated)) {
            assertThat(Evaluation.ofCurrency(TYPE, each).eval("{\"i\":-9223372036854775808}"))
                    .isNull();
            assertThat(Evaluation.ofCurrency(TYPE, each).eval("{\"i\":9223372036854775807}"))
                    .isNull();
        }
        assertThat(Evaluation.ofCurrency(TYPE, negated).eval("{\"i\":-3}")).isEqualTo(big(3_000_000));
        assertThat(Evaluation.ofCurrency(TYPE, U).eval("{\"u\":18446744073709551615}"))
                .isNull();
    }

    @Test
    void readsAsCurrencyTheFirstTextThatIsNotNull() {
        Expression first = call(Expression.Type.STRING, Function.COALESCE, S, path(TYPE, "r"));
        assertThat(Evaluation.ofCurrency(TYPE, first).eval("{\"s\":\"free\",\"r\":\"2\"}"))
                .isNull();
        assertThat(Evaluation.ofCurrency(TYPE, first).eval("{\"s\":\"\",\"r\":\"2\"}"))
                .isNull();
        assertThat(Evaluation.ofCurrency(TYPE, first).eval("{\"s\":null,\"r\":\"2\"}"))
                .isEqualTo(big(2_000_000));
    }

    @Test
    void roundsComputedCurrency() {
        Expression product = binary(Expression.Type.DOUBLE, D, BinaryOperator.MULTIPLY, decimal("2.0"));
        assertThat(Evaluation.ofCurrency(TYPE, product).eval("{\"d\":0.1}")).isEqualTo(big(200000));
        assertThat(Evaluation.ofCurrency(TYPE, I).eval("{\"i\":-3}")).isEqualTo(big(-3000000));
        assertThat(Evaluation.ofCurrency(TYPE, S).eval("{\"s\":\"0.1234565\"}")).isEqualTo(big(123457));
        assertThat(Evaluation.ofCurrency(TYPE, S).eval("{\"s\":\"free\"}")).isNull();
        assertThat(Evaluation.ofCurrency(TYPE, decimal("0.0000015")).eval("{}")).isEqualTo(big(2));
        assertThat(Evaluation.ofCurrency(TYPE, D).eval("{}")).isNull();
    }

    @Test
    void knowsTheMessageAroundThePayload() {
        assertThat(eval(new Expression.BuiltinValue(Builtin.TOPIC), "")).isEqualTo("ad.impression.us");
        assertThat(eval(new Expression.TopicWord(1), "")).isEqualTo("ad");
        assertThat(eval(new Expression.TopicWord(3), "")).isEqualTo("us");
        assertThat(eval(new Expression.TopicWord(4), "")).isNull();
        assertThat(eval(new Expression.BuiltinValue(Builtin.SYSLOG_HOST), "")).isEqualTo("web03");
        assertThat(eval(new Expression.BuiltinValue(Builtin.SYSLOG_APP_NAME), ""))
                .isEqualTo("adserver");
        assertThat(eval(new Expression.BuiltinValue(Builtin.SYSLOG_PROC_ID), ""))
                .isEqualTo("4711");
        assertThat(eval(new Expression.BuiltinValue(Builtin.SYSLOG_MSG_ID), "")).isNull();
        assertThat(eval(new Expression.BuiltinValue(Builtin.SYSLOG_SEVERITY), ""))
                .isEqualTo(big(6));
        assertThat(eval(new Expression.BuiltinValue(Builtin.SYSLOG_FACILITY), ""))
                .isEqualTo(big(16));
        assertThat(eval(new Expression.BuiltinValue(Builtin.SYSLOG_SIZE), "")).isEqualTo(big(2));
        assertThat(eval(new Expression.BuiltinValue(Builtin.SYSLOG_TIMESTAMP), ""))
                .isEqualTo(big(1795132800000000L));
        assertThat(eval(new Expression.StructuredData("ev@32473", "id"), "")).isEqualTo("a\"b");
        assertThat(eval(new Expression.StructuredData("ev@32473", "kind"), "")).isEqualTo("k");
        assertThat(eval(new Expression.StructuredData("ev@32473", "none"), "")).isNull();
    }
}
