package io.summarizer.core.export;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.summarizer.core.Seeds;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CsvBufferTest {
    private static final DateTimeFormatter TIMESTAMP =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);
    private static final long[] EDGES = {
        Long.MIN_VALUE,
        Long.MIN_VALUE + 1,
        -1_000_001,
        -1_000_000,
        -999_999,
        -10,
        -1,
        0,
        1,
        9,
        10,
        99,
        100,
        999_999,
        1_000_000,
        Long.MAX_VALUE - 1,
        Long.MAX_VALUE
    };

    /** One field put. */
    private interface Put {
        void to(CsvBuffer buffer) throws IOException;
    }

    /** One number put. */
    private interface Field {
        int put(byte[] to, int at);
    }

    private static String number(Field field) {
        byte[] to = new byte[CsvFields.LONGEST + CsvFields.SLACK];
        int end = field.put(to, 0);
        assertThat(end).isLessThanOrEqualTo(CsvFields.LONGEST);
        return new String(to, 0, end, StandardCharsets.US_ASCII);
    }

    private static String timestamp(long micros) {
        return written(b -> b.advance(b.putTimestamp(b.reserve(CsvFields.LONGEST), micros)));
    }

    private static String pgTimestamp(long micros) {
        return written(b -> b.advance(b.putPgTimestamp(b.reserve(CsvFields.LONGEST), micros)));
    }

    private static String written(Put put) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        CsvBuffer buffer = new CsvBuffer(out::write);
        try {
            put.to(buffer);
            buffer.flush();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        assertThat(buffer.written()).isEqualTo(out.size());
        return out.toString(StandardCharsets.UTF_8);
    }

    @Test
    void integersAreWrittenAsJavaWritesThem() {
        Random random = new Random(1);
        for (int i = 0; i < 4_000; i++) {
            long value = i < EDGES.length ? EDGES[i] : random.nextLong() >> random.nextInt(64);
            assertThat(number((to, at) -> CsvFields.putLong(to, at, value))).isEqualTo(Long.toString(value));
            assertThat(number((to, at) -> CsvFields.putUnsignedLong(to, at, value)))
                    .isEqualTo(Long.toUnsignedString(value));
        }
    }

    @Test
    void currencyHasAlwaysSixPlacesAndLosesNothing() {
        assertThat(number((to, at) -> CsvFields.putMillionths(to, at, -500_000)))
                .isEqualTo("-0.500000");
        assertThat(number((to, at) -> CsvFields.putMillionths(to, at, Long.MIN_VALUE)))
                .isEqualTo("-9223372036854.775808");
        Random random = new Random(2);
        for (int i = 0; i < 4_000; i++) {
            long value = i < EDGES.length ? EDGES[i] : random.nextLong() >> random.nextInt(64);
            assertThat(number((to, at) -> CsvFields.putMillionths(to, at, value)))
                    .isEqualTo(BigDecimal.valueOf(value, 6).toPlainString());
        }
    }

    @Test
    void timestampsAreWrittenAsJavaTimeWritesThem() {
        assertThat(timestamp(1_795_132_800_000_000L)).isEqualTo("2026-11-20T00:00:00.000000Z");
        Random random = new Random(3);
        for (int i = 0; i < 6_000; i++) {
            long value = Math.floorMod(random.nextLong(), 315_569_520_000_000_000L) - 62_167_219_200_000_000L;
            assertThat(timestamp(value)).isEqualTo(TIMESTAMP.format(Instant.EPOCH.plus(value, ChronoUnit.MICROS)));
        }
    }

    @Test
    void yearsBeyondFourDigitsCarryASign() {
        for (long value : EDGES) {
            assertThat(Instant.parse(timestamp(value))).isEqualTo(Instant.EPOCH.plus(value, ChronoUnit.MICROS));
        }
    }

    @Test
    void doublesReadBackTheSameAndAreTheShortestThatDo() {
        assertThat(number((to, at) -> CsvFields.putDouble(to, at, 0.1))).isEqualTo("0.1");
        assertThat(number((to, at) -> CsvFields.putDouble(to, at, 1e10))).isEqualTo("1.0E10");
        assertThat(number((to, at) -> CsvFields.putDouble(to, at, 0.0))).isEqualTo("0.0");
        assertThat(number((to, at) -> CsvFields.putDouble(to, at, -0.0))).isEqualTo("-0.0");
        assertThat(number((to, at) -> CsvFields.putDouble(to, at, 0.1 + 0.2))).isEqualTo("0.30000000000000004");
        assertThat(number((to, at) -> CsvFields.putDouble(to, at, 9_999_999.5))).isEqualTo("9999999.5");
        assertThat(number((to, at) -> CsvFields.putDouble(to, at, 0.001))).isEqualTo("0.001");
        // Double.toString before JDK 19 gives 1.9999999999999998E23 for this one.
        assertThat(number((to, at) -> CsvFields.putDouble(to, at, Double.parseDouble("2e23"))))
                .isEqualTo("2.0E23");
        Random random = new Random(4);
        for (int i = 0; i < 6_000; i++) {
            double value = switch (i % 3) {
                case 0 -> Math.round(random.nextDouble() * 1e9) / Math.pow(10, random.nextInt(9));
                case 1 -> random.nextGaussian() * Math.pow(10, random.nextInt(12) - 4);
                default -> {
                    double any = Double.longBitsToDouble(random.nextLong());
                    yield Double.isFinite(any) ? any : 1.5;
                }
            };
            String text = number((to, at) -> CsvFields.putDouble(to, at, value));
            assertThat(Double.parseDouble(text)).as(text).isEqualTo(value);
            assertThat(new BigDecimal(text).stripTrailingZeros().precision())
                    .as(text)
                    .isLessThanOrEqualTo(new BigDecimal(Double.toString(value))
                            .stripTrailingZeros()
                            .precision());
        }
    }

    @Test
    void aSpreadsheetGetsIntegersOfMoreThanFifteenDigitsAsText() {
        assertThat(number((to, at) -> CsvFields.putSpreadsheetLong(to, at, 999_999_999_999_999L)))
                .isEqualTo("999999999999999");
        assertThat(number((to, at) -> CsvFields.putSpreadsheetLong(to, at, -1_000_000_000_000_000L)))
                .isEqualTo("\"=\"\"-1000000000000000\"\"\"");
        assertThat(number((to, at) -> CsvFields.putSpreadsheetLong(to, at, Long.MIN_VALUE)))
                .isEqualTo("\"=\"\"-9223372036854775808\"\"\"");
        assertThat(number((to, at) -> CsvFields.putSpreadsheetUnsignedLong(to, at, -1)))
                .isEqualTo("\"=\"\"18446744073709551615\"\"\"");
    }

    @Test
    void aSpreadsheetTakesNoTextForAFormula() {
        for (String start : new String[] {"=", "+", "-", "@", "\t"}) {
            assertThat(spreadsheetText(start + "1")).isEqualTo("'" + start + "1");
        }
        assertThat(spreadsheetText("\r1")).isEqualTo("\"'\r1\"");
        assertThat(spreadsheetText("=a,\"b\"")).isEqualTo("\"'=a,\"\"b\"\"\"");
        assertThat(spreadsheetText("1=1")).isEqualTo("1=1");
        assertThat(spreadsheetText("a b-c_d.e@example.com")).isEqualTo("a b-c_d.e@example.com");
        assertThat(spreadsheetText("")).isEqualTo("\"\"");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ' ',
            quoteCharacter = '~',
            value = {
                "a;=1+1 a;'=1+1",
                "a;;\u00a0\u3000-1;b;+2 a;;'\u00a0\u3000-1;b;'+2",
                "a|@x a|'@x",
                "\u061b=1 \u061b'=1",
                "\uff1d1 '\uff1d1",
                "\uff0b1 '\uff0b1",
                "\uff0d1 '\uff0d1",
                "\uff201 '\uff201",
                "\ufeff\u200b=1 '\ufeff\u200b=1",
                "\u22121 '\u22121",
                "\ud83d\ude00=1 \ud83d\ude00=1",
                "a;b=1 a;b=1"
            })
    void aSpreadsheetThatSplitsElsewhereTakesNoTextForAFormula(String text, String written) {
        assertThat(spreadsheetText(text)).isEqualTo(written);
    }

    @Test
    void aSpreadsheetThatTrimsOrSeesNoQuotesTakesNoTextForAFormula() {
        assertThat(spreadsheetText(" =1")).isEqualTo("' =1");
        assertThat(spreadsheetText("a\t=1")).isEqualTo("a\t'=1");
        assertThat(spreadsheetText("a\n=1\r\n +2")).isEqualTo("\"a\n'=1\r\n' +2\"");
        assertThat(spreadsheetText("\n=1")).isEqualTo("\"'\n'=1\"");
        assertThat(spreadsheetText("a;\"=1\"")).isEqualTo("\"a;'\"\"=1\"\"\"");
        assertThat(spreadsheetText("a;" + ";".repeat(100_000) + "=")).endsWith(";'=");
    }

    private static String spreadsheetText(String text) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        return written(b -> b.putSpreadsheetText(utf8, 0, utf8.length));
    }

    @Test
    void postgreSqlGetsYearsAsItReadsThem() {
        assertThat(pgTimestamp(1_795_132_800_000_001L)).isEqualTo("2026-11-20T00:00:00.000001Z");
        assertThat(pgTimestamp(253_402_300_800_000_000L)).isEqualTo("10000-01-01 00:00:00.000000Z");
        assertThat(pgTimestamp(-62_135_596_800_000_000L)).isEqualTo("0001-01-01T00:00:00.000000Z");
        assertThat(pgTimestamp(-62_135_596_800_000_001L)).isEqualTo("0001-12-31 23:59:59.999999Z BC");
    }

    @Test
    void postgreSqlGetsNoNul() {
        byte[] text = {'a', 0, '"', 0};
        assertThat(written(b -> b.putPgText(text, 0, 4))).isEqualTo("\"a\uFFFD\"\"\uFFFD\"");
        assertThat(written(b -> b.putPgText(text, 0, 1))).isEqualTo("a");
    }

    @Test
    void textIsQuotedOnlyWhenItMustBe() {
        assertThat(text("plain text; with 'this' and\ttab")).isEqualTo("plain text; with 'this' and\ttab");
        assertThat(text("")).isEqualTo("\"\"");
        assertThat(text("a,b")).isEqualTo("\"a,b\"");
        assertThat(text("a\nb")).isEqualTo("\"a\nb\"");
        assertThat(text("a\rb")).isEqualTo("\"a\rb\"");
        assertThat(text("\"")).isEqualTo("\"\"\"\"");
        assertThat(text("say \"hi\" \"\"")).isEqualTo("\"say \"\"hi\"\" \"\"\"\"\"");
        assertThat(text("\\.")).isEqualTo("\"\\.\"");
        assertThat(text("\\.x")).isEqualTo("\\.x");
        assertThat(text("漢字 é")).isEqualTo("漢字 é");
    }

    @Test
    void jsonTextIsEscapedWhereItMustBe() throws IOException {
        assertThat(jsonText("")).isEqualTo("\"\"");
        assertThat(jsonText("a\"b\\c/d'e\u007f")).isEqualTo("\"a\\\"b\\\\c/d'e\u007f\"");
        assertThat(jsonText("\0\t\n\r\u001f")).isEqualTo("\"\\u0000\\u0009\\u000a\\u000d\\u001f\"");
        assertThat(jsonText("é漢\u2028\u2029\ufeff\ud83d\ude00")).isEqualTo("\"é漢\u2028\u2029\ufeff\ud83d\ude00\"");
    }

    @Test
    void jsonTextReadsBackTheSame() throws IOException {
        long seed = Seeds.first();
        Random random = new Random(seed);
        ObjectMapper json = new ObjectMapper();
        for (int i = 0; i < 3_000; i++) {
            int length = i % 100 == 0 ? 60_000 + random.nextInt(20_000) : random.nextInt(40);
            String text = random.ints(length, 0, 600)
                    .map(c -> c < 300 ? c % 128 : c < 500 ? "\"\\\n\0".charAt(c % 4) : 0x1f000 + c)
                    .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                    .toString();
            assertThat(json.readValue(jsonText(text), String.class))
                    .as("seed %d", seed)
                    .isEqualTo(text);
        }
    }

    private static String jsonText(String text) {
        byte[] utf8 = ('"' + text + '"').getBytes(StandardCharsets.UTF_8);
        return written(b -> b.putJsonText(utf8, 1, utf8.length - 2));
    }

    @Test
    void textLongerThanTheBufferGoesThroughInPieces() {
        for (int length : new int[] {65_535, 65_536, 65_537, 300_000}) {
            assertThat(text("x".repeat(length))).isEqualTo("x".repeat(length));
            assertThat(text("\"".repeat(length))).isEqualTo("\"".repeat(2 * length + 2));
        }
    }

    private static String text(String text) {
        byte[] utf8 = ("<" + text + ">").getBytes(StandardCharsets.UTF_8);
        return written(b -> b.putText(utf8, 1, utf8.length - 2));
    }
}
