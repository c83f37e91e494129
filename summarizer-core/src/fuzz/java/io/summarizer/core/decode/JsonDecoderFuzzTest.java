package io.summarizer.core.decode;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Arbitrary bytes as a JSON document; Jackson decides whether it is one. */
class JsonDecoderFuzzTest {
    private static final ObjectMapper TREES = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    static {
        TREES.getFactory()
                .setStreamReadConstraints(StreamReadConstraints.builder()
                        .maxNumberLength(Integer.MAX_VALUE)
                        .build());
    }

    private final Payloads payloads = payloads();

    private static Payloads payloads() {
        Schemas schemas = new Schemas();
        return new Payloads(Schemas.schema(
                EventSchema.Format.JSON,
                schemas.scalar("i", 1, FieldKind.INT64),
                schemas.scalar("d", 2, FieldKind.DOUBLE),
                schemas.scalar("s", 3, FieldKind.STRING),
                schemas.message(
                        "m", 4, s -> List.of(s.scalar("i", 1, FieldKind.INT64), s.scalar("b", 2, FieldKind.BOOL))),
                schemas.list("l", 5, s -> s.scalar("e", 1, FieldKind.INT64)),
                schemas.map("p", 6, FieldKind.STRING, s -> s.scalar("e", 1, FieldKind.STRING))));
    }

    @FuzzTest(maxDuration = "10m")
    void takesObjectsAndNothingElse(byte[] input) {
        String read = payloads.read(input);
        assertThat(payloads.read(input)).as("once more").isEqualTo(read);
        String text = utf8(input);
        if (text == null || text.startsWith("\ufeff") || text.indexOf('\0') >= 0) {
            return; // Jackson may take it for another encoding
        }
        boolean isObject;
        try {
            isObject = TREES.readTree(input).isObject();
        } catch (IOException e) {
            isObject = false;
        }
        if (isObject) {
            assertThat(read).doesNotStartWith("rejected: not JSON");
            assertThat(read).doesNotStartWith("rejected: not a JSON object");
            assertThat(read).doesNotStartWith("rejected: text after");
        } else if (isStrict(text)) {
            assertThat(read).startsWith("rejected: ");
        }
    }

    /** Unwanted strings are not checked: they may contain invalid escapes and control characters. */
    private static boolean isStrict(String text) {
        return text.indexOf('\\') < 0 && text.chars().noneMatch(c -> c < ' ');
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
}
