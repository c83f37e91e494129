package io.summarizer.core.decode;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Valid and invalid JSON, mainly in unwanted values. */
class JsonSyntaxTest {
    private static final ObjectMapper TREES = new ObjectMapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    private static final List<String> DOCUMENTS = List.of(
            "{\"i\":12,\"u\":{\"a\":[1,-2.5e+3,{\"b\":\"]}\"}],\"c\":null},\"d\":0.25,\"m\":{\"i\":3,\"x\":\"\\\\\"},\"s\":\"t\"}",
            "{ \"l\" : [ 1 , 2 ] , \"x\" : [ [ ] , { } , true , false ] , \"i\" : 0 }",
            "{\"unknown\":\"long enough for several words \\\" of it \\\\\",\"another unknown name\":1,\"i\":-5,\"d\":1e2}");

    private final Payloads payloads = payloads();

    private static Payloads payloads() {
        Schemas schemas = new Schemas();
        return new Payloads(Schemas.schema(
                EventSchema.Format.JSON,
                schemas.scalar("i", 1, FieldKind.INT64),
                schemas.scalar("d", 2, FieldKind.DOUBLE),
                schemas.scalar("s", 3, FieldKind.STRING),
                schemas.message("m", 4, s -> List.of(s.scalar("i", 1, FieldKind.INT64))),
                schemas.list("l", 5, s -> s.scalar("e", 1, FieldKind.INT64))));
    }

    private static boolean saysItIsNoJson(String read) {
        return read.startsWith("rejected: not JSON")
                || read.equals("rejected: not a JSON object")
                || read.equals("rejected: text after the JSON object");
    }

    @Test
    void noPartOfADocumentIsOne() {
        for (String document : DOCUMENTS) {
            assertThat(payloads.read(document)).startsWith("{");
            for (int length = 0; length < document.length(); length++) {
                String part = document.substring(0, length);
                assertThat(payloads.read(part)).as(part).matches(JsonSyntaxTest::saysItIsNoJson);
            }
        }
    }

    @Test
    void agreesWithJacksonAboutDocumentsWithTypingErrors() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        String typed = "{}[],:\"0123456789.-+eEtruefalsn ";
        int good = 0;
        for (int round = 0; round < 20_000; round++) {
            // Without escapes, because those are only checked in wanted strings.
            StringBuilder json = new StringBuilder(
                    DOCUMENTS.get(random.nextInt(DOCUMENTS.size())).replace("\\", ""));
            for (int errors = random.nextInt(3); errors >= 0; errors--) {
                int at = random.nextInt(json.length());
                char c = typed.charAt(random.nextInt(typed.length()));
                switch (random.nextInt(3)) {
                    case 0 -> json.insert(at, c);
                    case 1 -> json.setCharAt(at, c);
                    default -> json.deleteCharAt(at);
                }
            }
            boolean isObject;
            try {
                isObject = TREES.readTree(json.toString()).isObject();
            } catch (JsonProcessingException e) {
                isObject = false;
            }
            String read = payloads.read(json.toString());
            if (isObject) {
                good++;
                assertThat(saysItIsNoJson(read))
                        .as("seed %d, round %d: %s is %s", seed, round, json, read)
                        .isFalse();
            } else {
                assertThat(read).as("seed %d, round %d: %s", seed, round, json).startsWith("rejected: ");
            }
        }
        assertThat(good).isBetween(1_000, 17_000);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"\"",
                "\"]}\"",
                "\"{[\"",
                "\"\\\"}\"",
                "\"\\\\\"",
                "\"\\\\\\\"\\\\\"",
                "\"1234567\"",
                "\"12345678\"",
                "\"1234567\\\"\"",
                "\"no \\x escape, \\ud800\"",
                "\"a\nb\tc\"",
                "{\"a\":{\"b\":[\"}\",[],[[]],{}]},\"c\":\"\\\"\"}",
                "{\"i\":\"no number\",\"m\":[]}",
                "[{\"i\":1},[{\"i\":2}]]",
                " [ 1 , -0.5E-7 , 0 , 1e5 , true , false , null ]\t\r\n",
                "-0",
                "-12.5e+3",
                "123456789012345678901234567890.123456789e-400",
            })
    void passesOverWhateverIsThere(String value) {
        assertThat(payloads.read("{\"u\":" + value + ",\"i\":7,\"v\":" + value + "}"))
                .isEqualTo("{i=7}");
        assertThat(payloads.read("{\"m\":{\"u\":" + value + ",\"i\":7},\"v\":[" + value + "]}"))
                .isEqualTo("{m={i=7}}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{]",
                "[}",
                "{\"a\"}",
                "{\"a\":}",
                "{\"a\":1,}",
                "{,}",
                "{1:2}",
                "[1,]",
                "[,1]",
                "[1 2]",
                "[1,,2]",
                "[tru]",
                "[nul]",
                "[falsy]",
                "[TRUE]",
                "[01]",
                "[-]",
                "[1.]",
                "[.5]",
                "[1e]",
                "[1e+]",
                "[+1]",
                "[0x1]",
                "[NaN]",
                "[--1]",
                "[1.2.3]",
                "['a']",
                "[\"a\" \"b\"]",
                "{\"a\" \"b\"}",
                "{\"a\"::1}",
                "{\"a\":1 \"b\":2}",
                "[1]]",
                "",
                ",",
                ":",
                "/**/1",
                "[1/**/]",
                "#",
                "\u00a01",
                "[\u0001]",
            })
    void noticesBrokenStructureWhereNobodyLooks(String value) {
        assertThat(payloads.read("{\"u\":" + value + ",\"i\":7}")).matches(JsonSyntaxTest::saysItIsNoJson);
        assertThat(payloads.read("{\"m\":{\"u\":" + value + "}}")).matches(JsonSyntaxTest::saysItIsNoJson);
        assertThat(payloads.read("{\"i\":7}")).isEqualTo("{i=7}");
    }

    @Test
    void leavesInvalidUtf8WhereNobodyLooks() {
        byte[] payload = "{\"u\":\"\u00ff\u00c3\",\"w\":{\"\u00ff\":[\"\u00e9\"]},\"i\":3}"
                .getBytes(StandardCharsets.ISO_8859_1);
        assertThat(payloads.read(payload)).isEqualTo("{i=3}");
        assertThat(payloads.event.repaired()).isZero();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            quoteCharacter = '`',
            value = {
                "{\"\\u0069\":1,\"\\u0069\":2}~{i=2}",
                "{\"\\u006dJ\\u0073on\":{\"\\u0069\":1}}~{m={i=1}}",
                "{\"\\n\":0,\"é\":0,\"\":0,\"i\":1}~{i=1}",
                "{\"i\\u0000\":0}~{}",
                "{\"ii\":0,\"iJson\":1,\"iJso\":0,\"iJsonn\":0}~{i=1}",
                "{ \"i\":1,  \"i\":2 , \"i\":3}~{i=3}",
            })
    void readsNames(String payload, String expected) {
        // The second time names are expected in the order of the first.
        assertThat(payloads.read(payload)).isEqualTo(expected);
        assertThat(payloads.read(payload)).isEqualTo(expected);
    }

    @Test
    void takesWhiteSpaceAnywhere() {
        for (String space : List.of(" ", "  ", "\t", "\r\n", " \n \t \r ")) {
            String payload = "|{|'i'|:|1|,|'d'|:|2.5|,|'u'|:|[|{|'a'|:|[|]|}|,|'b'|]|,|'l'|:|[|3|,|4|]|,|'m'|:|{|}|}|"
                    .replace('\'', '"')
                    .replace("|", space);
            assertThat(payloads.read(payload)).isEqualTo("{d=2.5/2500000, i=1, l=[3, 4], m={}}");
        }
    }

    @Test
    void findsNamesInWhateverOrder() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        List<String> members = Arrays.asList(
                "\"i\":1",
                "\"d\":2",
                "\"m\":{\"x\":0,\"i\":3}",
                "\"other\":{\"i\":9}",
                "\"a name of more than sixteen bytes\":0",
                "\"a name of more than sixteen byteZ\":0",
                "\"s\":\"t\"");
        for (int round = 0; round < 2_000; round++) {
            java.util.Collections.shuffle(members, random);
            String payload = "{" + String.join(round % 2 == 0 ? "," : ", ", members) + "}";
            assertThat(payloads.read(payload))
                    .as("seed %d: %s", seed, payload)
                    .isEqualTo("{d=2.0/2000000, i=1, m={i=3}, s=\"t\"}");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0",
                "-0",
                "7",
                "-7",
                "0.0",
                "-0.0",
                "0.5",
                "12.345678",
                "12.3456785",
                "999999999999.999",
                "9999999999999.99",
                "123456789012345",
                "1234567890123456",
                "0.000001",
                "0.0000004",
                "1e3",
                "1E3",
                "5e-7",
                "123456789012.1234567",
                "0.1234567890123456789",
                "9007199254740993",
                "1.7976931348623157e308",
            })
    void readsNumbersAsBigDecimalDoes(String number) {
        long micros = Payloads.micros(new BigDecimal(number));
        for (String end : List.of("}", " }", ",\"u\":1}")) {
            assertThat(payloads.read("{\"d\":" + number + end))
                    .isEqualTo("{d=" + Double.parseDouble(number) + "/" + micros + "}");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0",
                "9",
                "123456789012345678",
                "1234567890123456789",
                "9223372036854775807",
                "-9223372036854775808",
                "-1"
            })
    void readsIntegersOfAnyLength(String number) {
        assertThat(payloads.read("{\"i\":" + number + "}")).isEqualTo("{i=" + number + "}");
        assertThat(payloads.read("{\"i\": " + number + " , \"l\":[" + number + "]}"))
                .isEqualTo("{i=" + number + ", l=[" + number + "]}");
    }
}
