package io.summarizer.core.decode;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Random documents: the decoder's result against Jackson's tree of the same document. */
class RandomJsonTest {
    private static final ObjectMapper TREES =
            new ObjectMapper().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);

    private final Random random = new Random();
    /** Whether names recur, so that a later value overrides a bad one, which then does no harm. */
    private boolean duplicates;

    private static MessageSchema message(Schemas schemas, int depth) {
        List<FieldSchema> fields = new ArrayList<>();
        fields.add(schemas.scalar("i", 1, FieldKind.INT64));
        fields.add(schemas.scalar("u", 2, FieldKind.UINT32));
        fields.add(schemas.scalar("d", 3, FieldKind.DOUBLE));
        fields.add(schemas.scalar("s", 4, FieldKind.STRING));
        fields.add(schemas.scalar("b", 5, FieldKind.BOOL));
        if (depth > 0) {
            fields.add(schemas.message("m", 6, s -> message(s, depth - 1).fields()));
            fields.add(schemas.list("li", 7, s -> s.scalar("e", 1, FieldKind.INT64)));
            fields.add(schemas.list(
                    "lm", 8, s -> s.message("e", 1, t -> message(t, depth - 1).fields())));
            fields.add(schemas.map("ms", 9, FieldKind.STRING, s -> s.scalar("e", 1, FieldKind.STRING)));
            fields.add(schemas.map(
                    "mm",
                    10,
                    FieldKind.INT64,
                    s -> s.message("e", 1, t -> message(t, depth - 1).fields())));
        }
        return new MessageSchema(fields, 0, 0);
    }

    @Test
    void agreesWithTheTree() throws Exception {
        long seed = System.nanoTime();
        random.setSeed(seed);
        MessageSchema message = message(new Schemas(), 2);
        Payloads payloads = new Payloads(
                Schemas.schema(EventSchema.Format.JSON, message.fields().toArray(new FieldSchema[0])));
        int rejected = 0;
        for (int round = 0; round < 8_000; round++) {
            StringBuilder json = new StringBuilder();
            duplicates = random.nextBoolean();
            object(json, message, 3);
            String read = payloads.read(json.toString());
            rejected += compare(read, json.toString(), message, "seed " + seed + ", round " + round) ? 0 : 1;
        }
        assertThat(rejected).isBetween(50, 4_000);
    }

    /**
     * Compares the decoder's result with the tree; returns false when the tree has a bad value, which must be rejected.
     */
    private static boolean compare(String read, String json, MessageSchema wanted, String round) throws Exception {
        String expected;
        try {
            expected = expected(TREES.readTree(json), wanted).toString();
        } catch (NumberFormatException | IllegalStateException e) {
            assertThat(read).as("%s: %s of %s", round, wanted, json).startsWith("rejected: ");
            return false;
        }
        assertThat(read).as("%s: %s of %s", round, wanted, json).isEqualTo(expected);
        return true;
    }

    @Test
    void agreesWhateverIsWanted() throws Exception {
        long seed = System.nanoTime();
        random.setSeed(seed);
        duplicates = true;
        MessageSchema message = message(new Schemas(), 2);
        for (int round = 0; round < 400; round++) {
            MessageSchema wanted = some(message);
            Payloads payloads = new Payloads(
                    Schemas.schema(EventSchema.Format.JSON, wanted.fields().toArray(new FieldSchema[0])));
            for (int document = 0; document < 10; document++) {
                StringBuilder json = new StringBuilder();
                object(json, message, 3);
                compare(payloads.read(json.toString()), json.toString(), wanted, "seed " + seed + ", round " + round);
            }
        }
    }

    /** A schema of some of the message's fields, at any depth. */
    private MessageSchema some(MessageSchema message) {
        List<FieldSchema> fields = new ArrayList<>();
        for (FieldSchema field : message.fields()) {
            if (random.nextInt(3) != 0) {
                fields.add(some(field));
            }
        }
        return new MessageSchema(fields, message.firstSlot(), message.endSlot());
    }

    private FieldSchema some(FieldSchema field) {
        ElementSchema element = field.element();
        return new FieldSchema(
                field.name(),
                field.jsonName(),
                field.column(),
                field.kind(),
                field.valueSlot(),
                field.microsSlot(),
                null,
                field.message() == null ? null : some(field.message()),
                element == null
                        ? null
                        : new ElementSchema(element.slots(), some(requireNonNull(element.value())), element.key()),
                FieldSchema.NO_ONEOF);
    }

    @Test
    void agreesThatATruncatedDocumentIsNone() {
        long seed = System.nanoTime();
        random.setSeed(seed);
        MessageSchema message = message(new Schemas(), 2);
        Payloads payloads = new Payloads(
                Schemas.schema(EventSchema.Format.JSON, message.fields().toArray(new FieldSchema[0])));
        for (int round = 0; round < 2000; round++) {
            StringBuilder json = new StringBuilder();
            object(json, message, 2);
            String whole = json.toString().stripTrailing();
            String cut = whole.substring(0, random.nextInt(whole.length()));
            assertThat(payloads.read(cut))
                    .as("seed %d, round %d: %s", seed, round, cut)
                    .startsWith("rejected: ");
        }
    }

    // Expectation

    private static Map<String, String> expected(JsonNode object, MessageSchema message) {
        Map<String, String> fields = new TreeMap<>();
        for (FieldSchema field : message.fields()) {
            String value = value(object.get(field.name()), field);
            if (value != null) {
                fields.put(field.name(), value);
            }
        }
        return fields;
    }

    private static @Nullable String value(@Nullable JsonNode node, FieldSchema field) {
        if (node == null || node.isNull()) {
            return null;
        }
        return switch (field.kind()) {
            case INT64 -> exact(node).toBigIntegerExactOrThrow();
            case UINT32 -> exact(node).unsigned32OrThrow();
            case DOUBLE -> exact(node).doubleAndMicros();
            case STRING -> {
                require(node.isTextual() || node.isNumber());
                yield '"' + node.asText() + '"';
            }
            case BOOL -> {
                require(node.isBoolean());
                yield node.asBoolean() ? "1" : "0";
            }
            case MESSAGE -> {
                require(node.isObject());
                yield expected(node, requireNonNull(field.message())).toString();
            }
            case LIST -> {
                require(node.isArray());
                List<String> elements = new ArrayList<>();
                FieldSchema element = requireNonNull(field.element()).value();
                node.forEach(child -> elements.add("" + value(child, requireNonNull(element))));
                yield elements.toString();
            }
            case MAP -> {
                require(node.isObject());
                List<String> entries = new ArrayList<>();
                ElementSchema element = requireNonNull(field.element());
                node.properties()
                        .forEach(entry ->
                                entries.add((requireNonNull(element.key()).kind() == FieldKind.STRING
                                                ? '"' + entry.getKey() + '"'
                                                : entry.getKey())
                                        + ": "
                                        + value(entry.getValue(), requireNonNull(element.value()))));
                yield entries.toString();
            }
            default -> throw new AssertionError();
        };
    }

    private static void require(boolean suits) {
        if (!suits) {
            throw new IllegalStateException();
        }
    }

    private static Exact exact(JsonNode node) {
        require(node.isNumber() || node.isTextual());
        return new Exact(new BigDecimal(node.asText()));
    }

    private record Exact(BigDecimal value) {
        String toBigIntegerExactOrThrow() {
            require(value.signum() == 0 || value.stripTrailingZeros().scale() <= 0);
            require(value.toBigInteger().bitLength() < 64);
            return value.toBigInteger().toString();
        }

        String unsigned32OrThrow() {
            BigInteger integer = new BigInteger(toBigIntegerExactOrThrow());
            require(integer.signum() >= 0 && integer.bitLength() <= 32);
            return integer.toString();
        }

        String doubleAndMicros() {
            return value.doubleValue() + "/" + Payloads.micros(value);
        }
    }

    // Input

    private void object(StringBuilder json, MessageSchema message, int depth) {
        json.append(space()).append('{').append(space());
        int count = random.nextInt(6);
        Set<String> names = new HashSet<>();
        for (int i = 0; i < count; i++) {
            json.append(i == 0 ? "" : ",").append(space());
            if (random.nextInt(4) == 0) {
                json.append(string("unknown" + random.nextInt(20)))
                        .append(space())
                        .append(':');
                anything(json, depth);
            } else {
                FieldSchema field =
                        message.fields().get(random.nextInt(message.fields().size()));
                if (!names.add(field.name()) && !duplicates) {
                    json.append("\"x\":0");
                    continue;
                }
                json.append(string(field.name())).append(space()).append(':').append(space());
                if (random.nextInt(30) == 0) {
                    json.append(
                            switch (random.nextInt(4)) {
                                case 0 -> "1.5";
                                case 1 -> "[{}]";
                                case 2 -> "true";
                                default -> "99999999999999999999";
                            });
                } else {
                    value(json, field, depth - 1);
                }
            }
            json.append(space());
        }
        json.append('}').append(space());
    }

    private void value(StringBuilder json, FieldSchema field, int depth) {
        if (random.nextInt(10) == 0) {
            json.append("null");
            return;
        }
        switch (field.kind()) {
            case INT64 -> number(json, Long.toString(random.nextLong() >> random.nextInt(64)));
            case UINT32 -> number(json, Long.toString((random.nextInt() & 0xffff_ffffL) >> random.nextInt(32)));
            case DOUBLE ->
                number(
                        json,
                        BigDecimal.valueOf(random.nextInt(), random.nextInt(12)).toPlainString());
            case STRING -> json.append(random.nextInt(5) == 0 ? "" + random.nextInt() : string(text()));
            case BOOL -> json.append(random.nextBoolean());
            case MESSAGE -> object(json, requireNonNull(field.message()), depth);
            case LIST -> {
                json.append('[').append(space());
                FieldSchema element =
                        requireNonNull(requireNonNull(field.element()).value());
                for (int i = random.nextInt(4); i > 0; i--) {
                    value(json, element, depth);
                    json.append(space()).append(i == 1 ? "" : ",").append(space());
                }
                json.append(']');
            }
            case MAP -> {
                json.append('{');
                ElementSchema element = requireNonNull(field.element());
                boolean text = requireNonNull(element.key()).kind() == FieldKind.STRING;
                for (int i = random.nextInt(4); i > 0; i--) {
                    String key = text ? text() : "" + random.nextInt(3);
                    json.append(string(duplicates ? key : "1" + key + i)).append(':');
                    value(json, requireNonNull(element.value()), depth);
                    json.append(i == 1 ? "" : ",");
                }
                json.append('}');
            }
            default -> throw new AssertionError();
        }
    }

    private void number(StringBuilder json, String number) {
        json.append(random.nextInt(4) == 0 ? '"' + number + '"' : number);
    }

    private void anything(StringBuilder json, int depth) {
        switch (random.nextInt(depth > 0 ? 7 : 5)) {
            case 0 -> json.append("-1.5e-3");
            case 1 -> json.append(string(text()));
            case 2 -> json.append("true");
            case 3 -> json.append("false");
            case 4 -> json.append("null");
            case 5 -> {
                json.append('[');
                anything(json, depth - 1);
                json.append(',');
                anything(json, depth - 1);
                json.append(']');
            }
            default -> {
                json.append("{\"i\":");
                anything(json, depth - 1);
                json.append('}');
            }
        }
    }

    private String space() {
        return random.nextInt(6) == 0 ? " \t\r\n".substring(random.nextInt(4)) : "";
    }

    private String text() {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(5); i > 0; i--) {
            text.appendCodePoint(
                    switch (random.nextInt(6)) {
                        case 0 -> '"';
                        case 1 -> '\\';
                        case 2 -> random.nextInt(0x20);
                        case 3 -> 0xe9;
                        case 4 -> 0x1d11e;
                        default -> 'a' + random.nextInt(26);
                    });
        }
        return text.toString();
    }

    /** A JSON string, with more escapes than necessary. */
    private String string(String text) {
        StringBuilder json = new StringBuilder("\"");
        text.codePoints().forEach(c -> {
            if (c < 0x20 || random.nextInt(12) == 0) {
                for (char unit : Character.toChars(c)) {
                    json.append(String.format(random.nextBoolean() ? "\\u%04x" : "\\u%04X", (int) unit));
                }
            } else if (c == '"' || c == '\\') {
                json.append('\\').append((char) c);
            } else {
                json.appendCodePoint(c);
            }
        });
        return json.append('"').toString();
    }
}
