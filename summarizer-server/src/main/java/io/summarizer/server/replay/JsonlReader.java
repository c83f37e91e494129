package io.summarizer.server.replay;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import io.summarizer.core.receive.EnvelopeFault;
import io.summarizer.core.text.JacksonText;
import io.summarizer.server.json.Json;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;

/**
 * Reads messages from JSON with one object on each line. {@code rejects} writes such lines, and {@code jq -c} preserves
 * them.
 *
 * <p>{@code message} is the whole message as text, {@code base64} is the whole message as bytes. If an object has
 * neither of these, the reader makes a message of RFC 5424 from {@code topic}, {@code payload} (text, or any JSON,
 * whose bytes stay as they are), {@code host} and {@code time}. {@code reason} says why the message was rejected. Other
 * names are ignored.
 */
final class JsonlReader implements MessageReader {
    /** Priority of facility local0 and severity informational. */
    private static final String PRIORITY = "<134>1";

    private static final int TOPIC_BYTES_MAX = 255;
    private static final byte[] NONE = {};
    private static final char BOM = '\ufeff';

    /** Does not ignore what follows an object on its line. */
    private static final ObjectReader ONE_VALUE =
            Json.MAPPER.reader().with(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    private final FrameReader lines;
    private byte[] message = NONE;
    private Passage.Origin origin = Passage.Origin.UNKNOWN;

    JsonlReader(InputStream in) throws IOException {
        lines = new FrameReader(in, FrameFormat.LF);
    }

    @Override
    public boolean next() throws IOException {
        if (!lines.next()) {
            return false;
        }
        byte[] line = Arrays.copyOfRange(lines.buffer(), lines.offset(), lines.offset() + lines.length());
        JsonNode object;
        try {
            object = ONE_VALUE.readTree(line);
        } catch (JsonProcessingException e) {
            throw new UnusableMessageException(JacksonText.reason(e.getOriginalMessage()));
        }
        message = message(object, line);
        origin = Passage.Origin.of(object.path("reason").asText());
        if (message.length == 0) {
            throw new UnusableMessageException("an empty message");
        }
        return true;
    }

    private static byte[] message(JsonNode object, byte[] line) throws IOException {
        if (!object.isObject()) {
            throw new UnusableMessageException("no JSON object");
        }
        if (object.has("message")) {
            return text(object, "message").getBytes(StandardCharsets.UTF_8);
        }
        if (object.has("base64")) {
            try {
                return Base64.getDecoder().decode(text(object, "base64"));
            } catch (IllegalArgumentException e) {
                throw new UnusableMessageException("\"base64\" is no base64: " + e.getMessage());
            }
        }
        if (!object.has("topic") || !object.has("payload")) {
            throw new UnusableMessageException(
                    "it has no \"message\", no \"base64\", and not both \"topic\" and \"payload\"");
        }
        String header = PRIORITY + " " + word(object, "time") + " " + word(object, "host") + " - - "
                + word(object, "topic") + " -  "; // a listener drops one of two spaces before the payload
        ByteArrayOutputStream composed = new ByteArrayOutputStream();
        composed.writeBytes(header.getBytes(StandardCharsets.US_ASCII));
        String fault = EnvelopeFault.describe(composed.toByteArray(), 0, composed.size());
        if (!fault.isEmpty()) {
            throw new UnusableMessageException(fault);
        }
        JsonNode payload = object.get("payload");
        composed.writeBytes(payload.isTextual() ? text(payload.textValue()) : payload(line));
        return composed.toByteArray();
    }

    /** The bytes of a text, sent so that a listener reads the text: it drops a BOM in front and a final line feed. */
    private static byte[] text(String payload) {
        String sent = payload;
        if (!payload.isEmpty() && payload.charAt(0) == BOM) {
            sent = BOM + sent;
        }
        if (payload.endsWith("\n")) {
            sent += "\n";
        }
        return sent.getBytes(StandardCharsets.UTF_8);
    }

    /** The bytes of the last member {@code payload} of an object. A tree would not keep the text of its numbers. */
    private static byte[] payload(byte[] line) throws IOException {
        long from = 0;
        long to = 0;
        try (JsonParser parser = Json.MAPPER.createParser(line)) {
            parser.nextToken();
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                boolean wanted = parser.currentName().equals("payload");
                JsonToken value = parser.nextToken();
                if (wanted) {
                    from = parser.currentTokenLocation().getByteOffset();
                }
                parser.skipChildren();
                if (wanted) {
                    to = value.isNumeric()
                            ? from + parser.getTextLength()
                            : parser.currentLocation().getByteOffset();
                }
            }
        }
        return Arrays.copyOfRange(line, (int) from, (int) to);
    }

    private static String text(JsonNode object, String name) throws UnusableMessageException {
        JsonNode value = object.get(name);
        if (!value.isTextual()) {
            throw new UnusableMessageException("\"" + name + "\" is no text");
        }
        return value.textValue();
    }

    /** Returns a word of the header; {@code -} when the object has no such word. */
    private static String word(JsonNode object, String name) throws UnusableMessageException {
        if (!object.hasNonNull(name)) {
            return "-";
        }
        String word = text(object, name);
        if (word.isEmpty() || word.length() > TOPIC_BYTES_MAX || !word.chars().allMatch(c -> c > ' ' && c < 0x7f)) {
            throw new UnusableMessageException("\"" + name + "\" is not 1 to " + TOPIC_BYTES_MAX
                    + " printable characters of ASCII without a space");
        }
        return word;
    }

    @Override
    public byte[] buffer() {
        return message;
    }

    @Override
    public int offset() {
        return 0;
    }

    @Override
    public int length() {
        return message.length;
    }

    @Override
    public Passage.Origin origin() {
        return origin;
    }

    @Override
    public boolean isLines() {
        return false;
    }
}
