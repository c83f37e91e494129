package io.summarizer.core.decode;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonDecoderTest {
    private static final int NAMES_SLOT = 7;

    private final Payloads scalars = new Payloads(Schemas.schema(
            EventSchema.Format.JSON, Schemas.scalars(new Schemas()).toArray(new FieldSchema[0])));

    private final Payloads nested = nested();

    private static Payloads nested() {
        Schemas schemas = new Schemas();
        return new Payloads(Schemas.schema(
                EventSchema.Format.JSON,
                schemas.message(
                        "m",
                        1,
                        s -> List.of(
                                s.scalar("x", 1, FieldKind.INT64),
                                s.message("inner", 2, t -> List.of(t.scalar("y", 1, FieldKind.STRING))),
                                s.list("xs", 3, t -> t.scalar("e", 1, FieldKind.INT64)))),
                schemas.list("ints", 2, s -> s.scalar("e", 1, FieldKind.INT64)),
                schemas.list(
                        "objects",
                        3,
                        s -> s.message(
                                "o",
                                1,
                                t -> List.of(
                                        t.scalar("a", 1, FieldKind.INT64),
                                        t.list("bs", 2, u -> u.scalar("e", 1, FieldKind.STRING))))),
                schemas.map("names", 4, FieldKind.STRING, s -> s.scalar("v", 2, FieldKind.INT64)),
                schemas.map(
                        "numbers",
                        5,
                        FieldKind.INT64,
                        s -> s.message("v", 2, t -> List.of(t.scalar("a", 1, FieldKind.INT64)))),
                schemas.map("flags", 6, FieldKind.BOOL, null)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            quoteCharacter = '`',
            value = {
                "{}~{}",
                " { } ~{}",
                "{\"i32\":-1,\"i64\":12,\"u32\":3,\"u64\":18446744073709551615}~{i32=-1, i64=12, u32=3,"
                        + " u64=18446744073709551615}",
                "{\"i64\":\"12\",\"i32\":1.0,\"u32\":1e3,\"u64\":\"2E0\"}~{i32=1, i64=12, u32=1000, u64=2}",
                "{\"i64Json\":5}~{i64=5}",
                "{\"d\":1,\"b\":true}~{b=1, d=1.0/1000000}",
                "{\"d\":-1.2345675e0,\"b\":false}~{b=0, d=-1.2345675/-1234568}",
                "{\"d\":\"0.1\"}~{d=0.1/100000}",
                "{\"s\":1.50}~{s=\"1.50\"}",
                "{\"s\":-1E5}~{s=\"-1E5\"}",
                "{\"s\":\"\"}~{s=\"\"}",
                "{\"s\":null,\"i64\":null,\"d\":null}~{}",
                "{\"i64\":1,\"i64\":2}~{i64=2}",
                "{\"i64\":1,\"i64\":null}~{}",
                "{\"i64\":1,\"i64Json\":2}~{i64=2}",
                "{\"d\":1,\"d\":null}~{}",
                "{\"e\":\"RED\"}~{e=\"RED\"}",
                "{\"e\":1}~{e=\"RED\"}",
                "{\"e\":\"-2\"}~{e=\"BLUE\"}",
                "{\"e\":55}~{e=\"55\"}",
                "{\"e\":\"55\"}~{e=\"55\"}",
                "{\"e\":5.5e1}~{e=\"55\"}",
                "{\"e\":1.0}~{e=\"RED\"}",
                "{\"e\":-7}~{e=\"-7\"}",
                "{\"e\":-0}~{e=\"UNKNOWN\"}",
                "{\"e\":0}~{e=\"UNKNOWN\"}",
                "{\"e\":\"\\u0052ED\"}~{e=\"RED\"}",
                "{\"e\":null}~{}",
                "{\"i64\":0,\"s\":\"\",\"b\":false}~{b=0, i64=0, s=\"\"}",
                "{\"t\":\"2026-11-20T00:00:00Z\"}~{t=1795132800000000}",
                "{\"t\":1574553663979}~{t=1574553663979000}",
                "{\"t\":\"2026-11-20T00:00:00.1234569Z\"}~{t=1795132800123456}",
                "{\"t\":1574553663979.0019}~{t=1574553663979001}",
                "{\"t\":-0.0001}~{t=-1}",
                "{\"unknown\":{\"i64\":[1,{\"i64\":2}],\"s\":\"}\\\"\"},\"i64\":7,\"more\":[[],{}]}~{i64=7}",
                "{\"\\u006964\":7}~{i64=7}",
            })
    void readsScalars(String payload, String expected) {
        assertThat(scalars.read(payload)).isEqualTo(expected);
    }

    @Test
    void undoesEscapes() {
        assertThat(scalars.read("{\"s\":\"a\\n\\t\\\\\\/\\\"\\u00e9\\uD834\\uDD1E\\b\\f\\r\"}"))
                .isEqualTo("{s=\"a\n\t\\/\"é𝄞\b\f\r\"}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"i64\":+1}", "{\"i64\":NaN}"})
    void givesReasonsWithoutAdviceForProgrammers(String payload) {
        assertThat(scalars.read(payload)).startsWith("rejected: not JSON: ").doesNotContain("JsonReadFeature");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "x",
                "[]",
                "1",
                "null",
                "\"s\"",
                "{",
                "{\"i64\"",
                "{\"i64\":",
                "{\"i64\":1",
                "{\"i64\":1,",
                "{\"i64\":1,}",
                "{\"i64\":1}x",
                "{\"i64\":1}{}",
                "{\"i64\":1]",
                "{\"i64\" 1}",
                "{i64:1}",
                "{\"u\":\"never closed}",
                "{\"u\":[1,2}",
                "{\"u\":tru}",
                "{\"u\":01}",
                "{\"u\":NaN}",
                "{\"u\":+1}",
                "{\"u\":1.}",
                "{\"u\":.5}",
                "{\"u\":'a'}",
                "{\"u\":1 2}",
                "{/* */}",
                "{\"u\":-}",
                "{\"s\":\"a",
                "{\"s\":\"a\\",
                "{\"s\":\"\\x\"}",
                "{\"s\":\"\\u12\"}",
                "{\"s\":\"\\u12g4\"}",
                "{\"s\":\"a\nb\"}"
            })
    void rejectsWhatIsNoJsonObjectAndGoesOn(String payload) {
        assertThat(scalars.read(payload)).startsWith("rejected: ");
        assertThat(scalars.read("{\"i64\":1}")).isEqualTo("{i64=1}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"i32\":2147483648}",
                "{\"i32\":\"\"}",
                "{\"i64\":9223372036854775808}",
                "{\"i64\":1.5}",
                "{\"i64\":true}",
                "{\"i64\":{}}",
                "{\"i64\":[]}",
                "{\"i64\":\"x\"}",
                "{\"u64\":-1}",
                "{\"d\":1e400}",
                "{\"d\":\"NaN\"}",
                "{\"d\":\"\"}",
                "{\"b\":1}",
                "{\"b\":\"true\"}",
                "{\"s\":true}",
                "{\"s\":{}}",
                "{\"e\":true}",
                "{\"e\":\"MAUVE\"}",
                "{\"e\":\"red\"}",
                "{\"e\":\"RED \"}",
                "{\"e\":\"\"}",
                "{\"e\":1.5}",
                "{\"e\":2147483648}",
                "{\"t\":\"soon\"}",
                "{\"t\":{}}"
            })
    void rejectsBadValues(String payload) {
        assertThat(scalars.read(payload)).startsWith("rejected: ").contains(payload.substring(2, 3));
        assertThat(scalars.read("{\"i64\":1}")).isEqualTo("{i64=1}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            quoteCharacter = '`',
            value = {
                "{\"m\":{}}~{m={}}",
                "{\"m\":null}~{}",
                "{\"m\":{\"x\":1,\"inner\":{\"y\":\"z\"}}}~{m={inner={y=\"z\"}, x=1}}",
                "{\"m\":{\"x\":1,\"inner\":{\"y\":\"z\"},\"xs\":[1]},\"m\":{\"inner\":{}}}~{m={inner={}}}",
                "{\"m\":{\"x\":1},\"m\":null}~{}",
                "{\"ints\":[]}~{ints=[]}",
                "{\"ints\":[1,\"2\",null]}~{ints=[1, 2, null]}",
                "{\"ints\":[1,2],\"ints\":[3]}~{ints=[3]}",
                "{\"ints\":[1,2],\"ints\":null}~{}",
                "{\"objects\":[{\"a\":1,\"bs\":[\"x\",\"y\"]},{\"bs\":[\"z\"],\"skip\":[{}]},null,{}]}"
                        + "~{objects=[{a=1, bs=[\"x\", \"y\"]}, {bs=[\"z\"]}, null, {}]}",
                "{\"names\":{\"a\":1,\"b\":null,\"a\":3}}~{names=[\"a\": 3, \"b\": null]}",
                "{\"numbers\":{\"1\":{\"a\":1},\"2\":{},\"01\":{}}}~{numbers=[1: {}, 2: {}]}",
                "{\"flags\":{\"true\":[1],\"false\":{}}}~{flags=[1: ?, 0: ?]}",
                "{\"m\":1}~rejected: m: not an object",
                "{\"m\":[]}~rejected: m: not an object",
                "{\"ints\":{}}~rejected: ints: not an array",
                "{\"ints\":[[1]]}~rejected: e: not a single value",
                "{\"objects\":[1]}~rejected: o: not an object",
                "{\"names\":[]}~rejected: names: not an object",
                "{\"flags\":{\"1\":1}}~rejected: key: \"1\" is not true or false",
            })
    void readsNestedFields(String payload, String expected) {
        assertThat(nested.read(payload)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            quoteCharacter = '`',
            value = {
                "{\"i64\":\"x\",\"i64\":2}~{i64=2}",
                "{\"i64\":[1],\"u\":{},\"i64\":null}~{}",
                "{\"i64\":\"x\",\"i64Json\":2}~{i64=2}",
                "{\"\\u006964\":true,\"s\":\"\\u00e9\",\"i64\":2}~{i64=2, s=\"\u00e9\"}",
                "{\"i64\":\"x\",\"s\":{},\"s\":\"y\",\"i64\":2}~{i64=2, s=\"y\"}",
                "{\"e\":\"MAUVE\",\"e\":\"RED\"}~{e=\"RED\"}",
                "{\"i64\":\"x\",\"i64\":2,\"i64\":\"y\"}~rejected: i64: \"y\" is not an int64",
                "{\"i64\":\"x\",\"i64\":2,\"s\":true}~rejected: s: not a number or text",
                "{\"i64\":\"x\",\"i64\":2}x~rejected: text after the JSON object",
                "{\"i64\":\"x\",\"i64\":2~rejected: not JSON: Unexpected end-of-input within an object or array",
            })
    void aBadValueThatALaterOneOverridesDoesNoHarm(String payload, String expected) {
        assertThat(scalars.read(payload)).isEqualTo(expected);
        assertThat(scalars.read("{\"i64\":1}")).isEqualTo("{i64=1}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            quoteCharacter = '`',
            value = {
                "{\"m\":{\"x\":\"bad\"},\"m\":{\"x\":1}}~{m={x=1}}",
                "{\"m\":{\"x\":\"bad\",\"x\":1}}~{m={x=1}}",
                "{\"m\":7,\"m\":{}}~{m={}}",
                "{\"m\":{\"xs\":[\"bad\"],\"inner\":{\"y\":[],\"y\":\"z\"},\"xs\":[1,2]}}"
                        + "~{m={inner={y=\"z\"}, xs=[1, 2]}}",
                "{\"m\":{\"x\":\"bad\"},\"m\":null}~{}",
                "{\"ints\":[1,\"bad\"],\"ints\":[ 3 , 4 ]}~{ints=[3, 4]}",
                "{\"ints\":{},\"ints\":[]}~{ints=[]}",
                "{\"objects\":[{\"a\":\"bad\",\"a\":1},null,{\"bs\":[true],\"bs\":[\"s\"]}]}"
                        + "~{objects=[{a=1}, null, {bs=[\"s\"]}]}",
                "{\"names\":{\"a\":\"bad\",\"b\":2,\"a\":1}}~{names=[\"a\": 1, \"b\": 2]}",
                "{\"names\":{\"\\u0061\":\"bad\",\"a\":1},\"names\":{\"c\":3}}~{names=[\"c\": 3]}",
                "{\"numbers\":{\"1\":{\"a\":\"bad\"},\"01\":{\"a\":2},\"2\":{}}}~{numbers=[1: {a=2}, 2: {}]}",
                "{\"numbers\":{\"x\":{}},\"numbers\":{}}~{numbers=[]}",
                "{\"numbers\":{\"x\":{},\"1\":{}},\"m\":1,\"m\":{}}~rejected: key: \"x\" is not an int64",
                "{\"names\":{\"a\":1,\"b\":2,\"b\":\"bad\"}}~rejected: v: \"bad\" is not an int64",
                "{\"numbers\":{\"18446744073709551615\":{},\"-1\":{}}}"
                        + "~rejected: key: \"18446744073709551615\" is not an int64",
            })
    void aBadValueWithinWhatALaterOneOverridesDoesNoHarm(String payload, String expected) {
        assertThat(nested.read(payload)).isEqualTo(expected);
    }

    @Test
    void overriddenValuesDoNoHarmInADocumentThatIsRepaired() {
        byte[] name = "{\"i64\":\"x\",\"n\u00ff\":1,\"i64\":3}".getBytes(StandardCharsets.ISO_8859_1);
        assertThat(scalars.read(name)).isEqualTo("{i64=3}");
        byte[] first = "{\"n\u00ff\":1,\"i64\":\"x\",\"i64\":3}".getBytes(StandardCharsets.ISO_8859_1);
        assertThat(scalars.read(first)).isEqualTo("{i64=3}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            quoteCharacter = '`',
            value = {
                "{\"a\":1}~{a=1}",
                "{\"a\":1,\"b\":\"x\"}~{b=\"x\"}",
                "{\"b\":\"x\",\"a\":1,\"z\":5}~{a=1, z=5}",
                "{\"a\":0,\"b\":null}~{a=0}",
                "{\"m\":{\"x\":1},\"a\":2}~{a=2}",
                "{\"a\":2,\"m\":{\"x\":1}}~{m={x=1}}",
                "{\"a\":2,\"m\":{}}~{m={}}",
                "{\"d\":1.5,\"a\":2,\"d\":2.5}~{d=2.5/2500000}",
                "{\"d\":1.5,\"unread\":[{}]}~{}",
                "{\"d\":1.5,\"unread\":null}~{d=1.5/1500000}",
                "{\"unread\":1,\"d\":1.5}~{d=1.5/1500000}",
                "{\"z\":\"x\",\"z\":1,\"a\":1,\"unread\":{}}~{z=1}",
                "{\"b\":\"x\",\"a\":1,\"a\":null}~{}",
                "{\"b\":\"x\",\"a\":1,\"a\":null,\"z\":\"bad\",\"z\":1}~{z=1}",
                "{\"b\":\"x\",\"a\":\"bad\",\"a\":null}~{}",
                "{\"m\":{\"x\":\"bad\",\"x\":1},\"a\":1,\"a\":null}~{}",
                "{\"a\":1,\"b\":\"x\",\"a\":null,\"z\":\"bad\",\"z\":1}~{b=\"x\", z=1}",
                "{\"b\":true,\"a\":\"bad\",\"a\":null}~rejected: b: not a number or text",
                "{}~{}",
            })
    void theLastMemberGivenOfAOneofCounts(String payload, String expected) {
        Schemas schemas = new Schemas();
        Payloads oneof = new Payloads(Schemas.schema(
                EventSchema.Format.JSON,
                Schemas.inOneof(schemas.scalar("a", 1, FieldKind.INT64), 0),
                Schemas.inOneof(schemas.scalar("b", 2, FieldKind.STRING), 0),
                Schemas.inOneof(schemas.message("m", 3, s -> List.of(s.scalar("x", 1, FieldKind.INT64))), 0),
                schemas.scalar("z", 4, FieldKind.INT64),
                Schemas.inOneof(schemas.scalar("d", 5, FieldKind.DOUBLE), 0),
                FieldSchema.member("unread", "unreadJson", 6, 0)));
        assertThat(oneof.read(payload)).isEqualTo(expected);
    }

    /** Documents mean the same after any other documents. */
    @Test
    void aNameThatDocumentsEscapeIsNotComparedAsItIs() {
        Schemas schemas = new Schemas();
        Payloads odd = new Payloads(Schemas.schema(
                EventSchema.Format.JSON,
                Schemas.named("C:\\new", schemas.scalar("a", 1, FieldKind.INT64)),
                Schemas.named("tab\t", schemas.scalar("b", 2, FieldKind.INT64))));
        for (int i = 0; i < 3; i++) {
            assertThat(odd.read("{\"C:\\\\new\":7,\"tab\\t\":8}")).isEqualTo("{a=7, b=8}");
        }
        assertThat(odd.read("{\"C:\\new\":7,\"tab\\t\":8}")).isEqualTo("{b=8}");
        for (int i = 0; i < 3; i++) {
            assertThat(odd.read("{\"C:\\\\new\":7,\"tab\\t\":8}")).isEqualTo("{a=7, b=8}");
        }
        assertThat(odd.read("{\"C:\\\\new\":7,\"tab\t\":8}")).startsWith("rejected: not JSON");
    }

    @Test
    void keepsTheLastOfManyEqualKeys() {
        StringBuilder payload = new StringBuilder("{\"names\":{");
        for (int i = 0; i < 5000; i++) {
            payload.append(i == 0 ? "" : ",")
                    .append("\"k")
                    .append(i % 1000)
                    .append("\":")
                    .append(i);
        }
        assertThat(nested.decode(payload.append("}}").toString())).isNull();
        long list = nested.event.get(InputEvent.ROOT, NAMES_SLOT);
        assertThat(InputEvent.listLength(list)).isEqualTo(1000);
        int record = InputEvent.listHead(list);
        for (int i = 0; i < 1000; i++) {
            assertThat(nested.event.string(nested.event.get(record, 0))).isEqualTo("k" + i);
            assertThat(nested.event.get(record, 1)).isEqualTo(4000 + i);
            record = nested.event.next(record);
        }
    }

    @Test
    void boundsDepthAndElements() {
        int deep = JsonTokens.MAX_DEPTH + 1;
        assertThat(nested.read("{\"u\":" + "[".repeat(deep) + "]".repeat(deep) + "}"))
                .startsWith("rejected: ");
        int fine = JsonTokens.MAX_DEPTH - 1;
        assertThat(nested.read("{\"u\":" + "[".repeat(fine) + "]".repeat(fine) + "}"))
                .isEqualTo("{}");
        assertThat(nested.read("{\"ints\":[" + "0,".repeat(InputEvent.MAX_CELLS / 3) + "0]}"))
                .isEqualTo("rejected: too many list elements");
        assertThat(nested.read("{\"ints\":[4]}")).isEqualTo("{ints=[4]}");
    }

    @Test
    void forgetsNamesThatWouldTakeTooMuchMemory() throws Exception {
        JsonTokens tokens = JsonTokens.create();
        JsonMessage message =
                new JsonMessage(Schemas.schema(EventSchema.Format.JSON, new Schemas().scalar("i64", 1, FieldKind.INT64))
                        .root());
        int documents = 0;
        for (; !tokens.isSpent(); documents++) {
            // With a letter beyond ASCII, so that Jackson's table is used.
            String name = "\u00e9" + documents + "x".repeat(60_000);
            for (int repetition = 0; repetition < 2; repetition++) {
                byte[] bytes = ("{\"" + name + "\":1}").getBytes(StandardCharsets.UTF_8);
                tokens.start(bytes, 0, bytes.length);
                assertThat(tokens.open('}')).isTrue();
                assertThat(tokens.name(message, message.start).field).isEqualTo(JsonName.UNWANTED);
                tokens.skipValue();
                assertThat(tokens.next('}')).isFalse();
            }
            assertThat(documents).isLessThan(100);
        }
        assertThat(documents).as("each name counts once").isGreaterThan(60);
    }

    /** Strings of quotes, backslashes and letters, of all lengths to 7: as a member, in an array and as a name. */
    @Test
    void findsTheEndOfUnwantedStrings() {
        String alphabet = "\"\\x";
        for (int length = 0; length <= 7; length++) {
            int count = (int) Math.pow(alphabet.length(), length);
            for (int number = 0; number < count; number++) {
                StringBuilder text = new StringBuilder("x".repeat(number % 9));
                for (int rest = number, i = 0; i < length; i++, rest /= alphabet.length()) {
                    text.append(alphabet.charAt(rest % alphabet.length()));
                }
                String string = "\"" + text + "\"";
                boolean ends = endOfString(string + ",") == string.length();
                for (String before : List.of("{\"u\":", "{\"u\":[[],", "{\"u\":{")) {
                    String after = before.endsWith("[[],") ? "]" : before.endsWith(":{") ? ":0}" : "";
                    String document = before + string + after + ",\"i64\":1}";
                    String read = scalars.read(document);
                    assertThat(read).as(document).startsWith(ends ? "{i64=1}" : "rejected: not JSON");
                }
            }
        }
    }

    /** The position after the first quote, beyond the quote at 0, that no backslash escapes. */
    private static int endOfString(String text) {
        for (int at = 1; at < text.length(); at++) {
            if (text.charAt(at) == '\\') {
                at++;
            } else if (text.charAt(at) == '"') {
                return at + 1;
            }
        }
        return -1;
    }

    @Test
    void survivesAnyNumberOfNames() {
        for (int i = 0; i < 12_000; i++) {
            assertThat(scalars.decode("{\"name" + i + "\":0,\"a long name that takes several quads " + i
                            + "\":{\"i64\":2},\"i64\":1}"))
                    .isNull();
            assertThat(scalars.event.get(InputEvent.ROOT, 1)).isEqualTo(1);
        }
    }

    @Test
    void repairsInvalidUtf8WhereItIsUsed() {
        byte[] value = "{\"s\":\"a\u00ffb\",\"i64\":3}".getBytes(StandardCharsets.ISO_8859_1);
        assertThat(scalars.read(value)).isEqualTo("{i64=3, s=\"a\ufffdb\"}");
        assertThat(scalars.event.repaired()).isEqualTo(1);
        byte[] unused = "{\"u\":\"a\u00ffb\",\"i64\":3}".getBytes(StandardCharsets.ISO_8859_1);
        assertThat(scalars.read(unused)).isEqualTo("{i64=3}");
        assertThat(scalars.event.repaired()).isZero();
        byte[] name =
                "{\"s\":\"ok\",\"n\u00ff\":\"a\",\"s\":\"x\\ty\",\"i64\":3}".getBytes(StandardCharsets.ISO_8859_1);
        assertThat(scalars.read(name)).isEqualTo("{i64=3, s=\"x\ty\"}");
        assertThat(scalars.read("{\"s\":\"\\ud800x\"}")).isEqualTo("{s=\"\ufffdx\"}");
        assertThat(scalars.event.repaired()).isEqualTo(1);
        assertThat(scalars.read("{\"s\":\"\\ud800\\u0041\\udc00\"}")).isEqualTo("{s=\"\ufffdA\ufffd\"}");
    }
}
