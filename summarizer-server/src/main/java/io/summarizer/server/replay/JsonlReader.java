package io.summarizer.server.replay;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.summarizer.server.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * Reads messages from JSON with one object on each line. {@code rejects} writes such lines, and {@code jq -c} preserves
 * them.
 *
 * <p>{@code message} is the whole message as text, {@code base64} is the whole message as bytes. If an object has
 * neither of these, the reader makes a message of RFC 5424 from {@code topic}, {@code payload} (text, or any JSON),
 * {@code host} and {@code time}. Other names are ignored.
 */
final class JsonlReader implements MessageReader {
    /** Priority of facility local0 and severity informational. */
    private static final String PRIORITY = "<134>1";

    private static final int TOPIC_BYTES_MAX = 255;
    private static final byte[] NONE = {};

    private final FrameReader lines;
    private byte[] message = NONE;

    JsonlReader(InputStream in) throws IOException {
        lines = new FrameReader(in, FrameFormat.LF);
    }

    @Override
    public boolean next() throws IOException {
        if (!lines.next()) {
            return false;
        }
        JsonNode object;
        try {
            object = Json.MAPPER.readTree(lines.buffer(), lines.offset(), lines.length());
        } catch (JsonProcessingException e) {
            throw new UnusableMessageException("no JSON: " + e.getOriginalMessage());
        }
        message = message(object);
        if (message.length == 0) {
            throw new UnusableMessageException("an empty message");
        }
        return true;
    }

    private static byte[] message(JsonNode object) throws UnusableMessageException {
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
        JsonNode payload = object.get("payload");
        String composed = PRIORITY + " " + word(object, "time") + " " + word(object, "host") + " - - "
                + word(object, "topic") + " - " + (payload.isTextual() ? payload.textValue() : payload.toString());
        return composed.getBytes(StandardCharsets.UTF_8);
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
    public boolean isLines() {
        return false;
    }
}
