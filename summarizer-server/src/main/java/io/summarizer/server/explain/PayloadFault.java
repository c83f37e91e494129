package io.summarizer.server.explain;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.summarizer.dsl.model.EventField;
import io.summarizer.dsl.model.EventType;
import java.io.IOException;
import java.util.Optional;

/** Finds the place at which a decoder rejected a payload. The decoder itself keeps no positions. Stateless. */
final class PayloadFault {
    private static final JsonFactory JSON = new JsonFactory();

    private PayloadFault() {}

    /**
     * Returns the place of the rejected part, such as {@code column 3} or {@code byte 17 of the payload}; empty when
     * the place is not known.
     */
    static String where(EventType type, String refusal, byte[] bytes, int offset, int length) {
        int colon = refusal.indexOf(':');
        String name = colon < 0 ? "" : refusal.substring(0, colon);
        return switch (type.format()) {
            case CSV -> {
                Optional<EventField> field = type.message().field(name);
                yield field.map(found -> "column " + found.number()).orElse("");
            }
            case JSON ->
                refusal.startsWith("not JSON") ? syntax(bytes, offset, length) : field(name, bytes, offset, length);
            case TEXT -> "";
        };
    }

    private static String syntax(byte[] bytes, int offset, int length) {
        try (JsonParser parser = JSON.createParser(bytes, offset, length)) {
            while (parser.nextToken() != null) {
                parser.skipChildren();
            }
            return "";
        } catch (JsonParseException e) {
            return "byte " + Math.max(0, e.getLocation().getByteOffset()) + " of the payload";
        } catch (IOException e) {
            return ""; // does not occur: the source is an array
        }
    }

    /** Returns the place of the field with this name; empty unless there is exactly one such field. */
    private static String field(String name, byte[] bytes, int offset, int length) {
        String found = "";
        int count = 0;
        try (JsonParser parser = JSON.createParser(bytes, offset, length)) {
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                if (token == JsonToken.FIELD_NAME && name.equals(parser.currentName())) {
                    parser.nextToken();
                    found = "byte " + parser.currentTokenLocation().getByteOffset() + " of the payload, at "
                            + parser.getParsingContext().pathAsPointer();
                    count++;
                }
            }
        } catch (IOException e) {
            return "";
        }
        return count == 1 ? found : "";
    }
}
