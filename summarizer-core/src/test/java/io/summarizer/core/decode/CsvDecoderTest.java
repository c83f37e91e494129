package io.summarizer.core.decode;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CsvDecoderTest {
    private static final int[] ALPHABET = "a,\"\n\r é𝄞b".codePoints().toArray();

    private final Payloads strings = new Payloads(Schemas.schema(
            EventSchema.Format.CSV,
            Schemas.scalar("b", 2, FieldKind.STRING, 0),
            Schemas.scalar("d", 4, FieldKind.STRING, 1)));

    private final Payloads typed = new Payloads(Schemas.schema(
            EventSchema.Format.CSV, Schemas.scalars(new Schemas()).toArray(new FieldSchema[0])));

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            quoteCharacter = '`',
            value = {
                "a,b,c,d~{b=\"b\", d=\"d\"}",
                "a,b,c,d,e~{b=\"b\", d=\"d\"}",
                "a,b~{b=\"b\"}",
                "a~{}",
                "``~{}",
                ",,,~{}",
                "a,\"\",c,\"\"~{b=\"\", d=\"\"}",
                "a,\"b,\"\"b\",c,d~{b=\"b,\"b\", d=\"d\"}",
                "\"a,\"\"\",b,\"c,c\",d~{b=\"b\", d=\"d\"}",
                "a,b\"b,c,d\"~{b=\"b\"b\", d=\"d\"\"}",
                "\"a\"junk,b,\"c\"\"c\"junk,d~{b=\"b\", d=\"d\"}",
                "a, b ,c,d~{b=\" b \", d=\"d\"}",
                "a,b,c,d,\"never closed~{b=\"b\", d=\"d\"}",
                "a,\"b\"b,c,d~rejected: b: text after the closing quote",
                "a,b,\"c,d~rejected: column 3: the quote is never closed",
                "a,\"b~rejected: column 2: the quote is never closed",
                "a,b,c,\"d\"\"~rejected: column 4: the quote is never closed",
            })
    void quotesAsRfc4180(String payload, String expected) {
        assertThat(strings.read(payload)).isEqualTo(expected);
    }

    @Test
    void leavesALineEndOut() {
        assertThat(strings.read("a,b,c,d\r\n")).isEqualTo("{b=\"b\", d=\"d\"}");
        assertThat(strings.read("a,b,c,\n")).isEqualTo("{b=\"b\"}");
        assertThat(strings.read("a,b,c,\"d\nd\"")).isEqualTo("{b=\"b\", d=\"d\nd\"}");
    }

    @Test
    void readsEveryType() {
        assertThat(typed.read(
                        "-2147483648,9223372036854775807,4294967295,18446744073709551615,-1.5e-1,true,\"x\"\"y\",1,"
                                + "2019-11-24 00:01:03.979311+00:00"))
                .isEqualTo("{b=1, d=-0.15/-150000, e=\"RED\", i32=-2147483648, i64=9223372036854775807,"
                        + " s=\"x\"y\", t=1574553663979311, u32=4294967295, u64=18446744073709551615}");
        assertThat(typed.read("1.0,\"1e3\",1e0,0,0,false,,-2,1574553663979"))
                .isEqualTo("{b=0, d=0.0/0, e=\"BLUE\", i32=1, i64=1000, t=1574553663979000, u32=1, u64=0}");
        assertThat(typed.read(",,,,,,,77,-1.5")).isEqualTo("{e=\"77\", t=-1500}");
        assertThat(typed.read(",,,,,,,GREEN,")).isEqualTo("rejected: e: \"GREEN\" is not a constant of its enum");
        assertThat(typed.read(",,,,,,,\"\",")).startsWith("rejected: e: ");
        assertThat(typed.read(",,,,,,,UNKNOWN,")).isEqualTo("{e=\"UNKNOWN\"}");
        assertThat(typed.read(",,,,,,,0,")).isEqualTo("{e=\"UNKNOWN\"}");
        assertThat(typed.read(",,,,,,,,")).isEqualTo("{}");
    }

    @ParameterizedTest
    @CsvSource({
        "'1,,9', '{a=1, z=9}'",
        "',2,9', '{b=\"2\", z=9}'",
        "'1,2,9', '{b=\"2\", z=9}'",
        "'1,\"\",9', '{b=\"\", z=9}'",
        "'1,2,9,x', '{z=9}'",
        "'1,2,9,', '{b=\"2\", z=9}'",
        "',,9', '{z=9}'",
    })
    void theLastMemberGivenOfAOneofCounts(String payload, String expected) {
        Schemas schemas = new Schemas();
        Payloads oneof = new Payloads(Schemas.schema(
                EventSchema.Format.CSV,
                Schemas.inOneof(schemas.scalar("a", 1, FieldKind.INT64), 0),
                Schemas.inOneof(schemas.scalar("b", 2, FieldKind.STRING), 0),
                schemas.scalar("z", 3, FieldKind.INT64),
                FieldSchema.member("d", "d", 4, 0)));
        assertThat(oneof.read(payload)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "2147483648",
                ",9223372036854775808",
                ",1.5",
                ",x",
                ",\"\"",
                ", 1",
                ",,-1",
                ",,4294967296",
                ",,,-1",
                ",,,18446744073709551616",
                ",,,,NaN",
                ",,,,1e400",
                ",,,,1,5",
                ",,,,,TRUE",
                ",,,,,1",
                ",,,,,,,,yesterday",
                ",,,,,,,,99999999999999999"
            })
    void rejectsBadValues(String payload) {
        if (payload.equals(",,,,1,5")) {
            assertThat(typed.read(payload)).startsWith("rejected: b: ");
        } else {
            assertThat(typed.read(payload)).startsWith("rejected: ");
        }
    }

    /** The same numbers are bad, whatever the mappings use of the field. */
    @Test
    void rejectsNumbersBeyondTheLargestDoubleAlsoForAmountsOnly() {
        Payloads amounts = new Payloads(Schemas.schema(
                EventSchema.Format.CSV,
                new FieldSchema("d", "d", 1, FieldKind.DOUBLE, -1, 0, null, null, null, FieldSchema.NO_ONEOF)));
        assertThat(amounts.read("1e300")).doesNotContain("rejected");
        assertThat(amounts.read("1e400")).startsWith("rejected: d: ");
    }

    @Test
    void repairsInvalidUtf8InUsedColumnsOnly() {
        byte[] payload = "a\u00ff,b\u00ffb,c,d\u00e4".getBytes(StandardCharsets.ISO_8859_1);
        assertThat(strings.read(payload)).isEqualTo("{b=\"b\ufffdb\", d=\"d\ufffd\"}");
        assertThat(strings.event.repaired()).isEqualTo(2);
        assertThat(strings.read("a,bäb")).isEqualTo("{b=\"bäb\"}");
        assertThat(strings.event.repaired()).isZero();
    }

    @Test
    void readsTheWholePayloadAsText() {
        Payloads text =
                new Payloads(Schemas.schema(EventSchema.Format.TEXT, Schemas.scalar("line", 1, FieldKind.STRING, 0)));
        assertThat(text.read("a,\"b\n")).isEqualTo("{line=\"a,\"b\n\"}");
        assertThat(text.read("")).isEqualTo("{line=\"\"}");
    }

    @Test
    void readsRandomLinesAsTheyWereWritten() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int round = 0; round < 10_000; round++) {
            List<FieldSchema> wanted = new ArrayList<>();
            TreeMap<String, String> expected = new TreeMap<>();
            StringBuilder line = new StringBuilder();
            int columns = 1 + random.nextInt(6);
            for (int column = 1; column <= columns; column++) {
                String value = randomText(random);
                boolean isNull = random.nextInt(5) == 0;
                line.append(column == 1 ? "" : ",").append(isNull ? "" : quoted(value, random));
                if (random.nextBoolean()) {
                    wanted.add(Schemas.scalar("c" + column, column, FieldKind.STRING, wanted.size()));
                    if (!isNull) {
                        expected.put("c" + column, '"' + value + '"');
                    }
                }
            }
            Payloads payloads =
                    new Payloads(Schemas.schema(EventSchema.Format.CSV, wanted.toArray(new FieldSchema[0])));
            assertThat(payloads.read(line.toString()))
                    .as("seed %d, round %d: %s", seed, round, line)
                    .isEqualTo(expected.toString());
        }
    }

    @Test
    void readsRandomNumbersAsBigDecimalDoes() {
        FieldSchema amount =
                new FieldSchema("amount", "amount", 2, FieldKind.DOUBLE, -1, 1, null, null, null, FieldSchema.NO_ONEOF);
        Payloads numbers = new Payloads(
                Schemas.schema(EventSchema.Format.CSV, Schemas.scalar("integer", 1, FieldKind.INT64, 0), amount));
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int round = 0; round < 50_000; round++) {
            BigDecimal value = BigDecimal.valueOf(random.nextLong() >> random.nextInt(64), random.nextInt(9));
            long integer = random.nextLong() >> random.nextInt(64);
            String line = integer + "," + value.toPlainString() + (random.nextBoolean() ? "" : ",x");
            assertThat(numbers.decode(line)).as("seed %d: %s", seed, line).isNull();
            assertThat(numbers.event.get(InputEvent.ROOT, 0))
                    .as("seed %d: %s", seed, line)
                    .isEqualTo(integer);
            assertThat(numbers.event.get(InputEvent.ROOT, 1))
                    .as("seed %d: %s", seed, line)
                    .isEqualTo(Payloads.micros(value));
        }
        assertThat(numbers.read("12x,1")).startsWith("rejected: ");
        assertThat(numbers.read("12,1.5x")).startsWith("rejected: ");
        assertThat(numbers.read("12,1.5.5")).startsWith("rejected: ");
        assertThat(numbers.decode("12,5.")).isNull();
        assertThat(numbers.event.get(InputEvent.ROOT, 1)).isEqualTo(5_000_000);
    }

    private static String quoted(String value, Random random) {
        boolean plain =
                !value.isEmpty() && value.chars().noneMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r');
        return plain && random.nextBoolean() ? value : '"' + value.replace("\"", "\"\"") + '"';
    }

    private static String randomText(Random random) {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(6); i > 0; i--) {
            text.appendCodePoint(ALPHABET[random.nextInt(ALPHABET.length)]);
        }
        return text.toString();
    }
}
