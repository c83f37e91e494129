package io.summarizer.core.decode;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Arbitrary bytes as a line of CSV, against a splitter that goes character by character. */
class CsvDecoderFuzzTest {
    private static final int LAST_WANTED = 4;

    private final Payloads strings = new Payloads(Schemas.schema(
            EventSchema.Format.CSV,
            Schemas.scalar("c2", 2, FieldKind.STRING, 0),
            Schemas.scalar("c4", LAST_WANTED, FieldKind.STRING, 1)));

    private final Payloads typed = new Payloads(Schemas.schema(
            EventSchema.Format.CSV, Schemas.scalars(new Schemas()).toArray(new FieldSchema[0])));

    @FuzzTest(maxDuration = "10m")
    void splitsAnyLineAsTheModelDoes(byte[] input) {
        String read = strings.read(input);
        String text = utf8(input);
        if (text != null) {
            assertThat(read).isEqualTo(model(text));
        }
        String values = typed.read(input);
        assertThat(typed.read(input)).as("once more").isEqualTo(values);
    }

    private static @Nullable String utf8(byte[] input) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(input))
                    .toString();
        } catch (CharacterCodingException e) {
            return null;
        }
    }

    private static String model(String payload) {
        String line = payload.endsWith("\n") ? payload.substring(0, payload.length() - 1) : payload;
        line = line.endsWith("\r") ? line.substring(0, line.length() - 1) : line;
        TreeMap<String, String> fields = new TreeMap<>();
        int at = 0;
        for (int column = 1; column <= LAST_WANTED && at <= line.length(); column++) {
            boolean wanted = column % 2 == 0;
            StringBuilder value = new StringBuilder();
            boolean quoted = line.startsWith("\"", at);
            if (quoted) {
                at++;
                while (line.startsWith("\"\"", at) || !line.startsWith("\"", at)) {
                    if (at == line.length()) {
                        return "rejected: column " + column + ": the quote is never closed";
                    }
                    at += line.startsWith("\"", at) ? 1 : 0;
                    value.append(line.charAt(at++));
                }
                at++;
            }
            int comma = line.indexOf(',', at);
            String rest = line.substring(at, comma < 0 ? line.length() : comma);
            if (quoted && wanted && !rest.isEmpty()) {
                return "rejected: c" + column + ": text after the closing quote";
            }
            String found = quoted ? value.toString() : rest;
            if (wanted && (quoted || !found.isEmpty())) {
                fields.put("c" + column, '"' + found + '"');
            }
            at += rest.length() + 1;
        }
        return fields.toString();
    }
}
