package io.summarizer.core.decode;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import io.summarizer.core.message.IMessage;
import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.text.Utf8;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A JSON object, read as one stream of tokens: fields by their proto name or {@code json_name}, others skipped.
 *
 * <p>{@code null} is absence; of equal names, also of a map's keys, the last wins; an object in place of another replaces
 * it wholly, as does a list. Numbers and strings are read alike: a numeric string suits a number and a number's text a
 * string or enum. Elements of lists that are {@code null} are elements without a value.
 *
 * <p>The whole payload has to be one JSON object, but of what nobody wants only the structure is looked at. Invalid UTF-8
 * in a field's name makes the decoder start again on a repaired copy.
 */
final class JsonDecoder implements PayloadDecoder {
    private final EventSchema schema;
    private final JsonMessage root;
    private final ScalarReader scalars = new ScalarReader();
    private final MapKeys mapKeys = new MapKeys();
    private JsonTokens tokens = JsonTokens.create();
    /** Whether the tokens are those of a copy in scratch space. */
    private boolean copied;

    JsonDecoder(EventSchema schema) {
        this.schema = schema;
        root = new JsonMessage(schema.root());
    }

    @Override
    public @Nullable String decode(IMessage message, InputEvent event) {
        byte[] bytes = message.bytes();
        int from = message.offset(MessageBatch.PAYLOAD);
        int to = from + Math.max(0, message.length(MessageBatch.PAYLOAD));
        scalars.zone(schema.zone(message.listener()));
        try {
            return decodeInPlace(message, from, to, event);
        } catch (BadPayloadException e) {
            return e.getMessage();
        } catch (IOException e) {
            if (Utf8.isValid(bytes, from, to)) {
                return reason(e);
            }
            return decodeRepaired(message, from, to, event);
        }
    }

    private @Nullable String decodeInPlace(IMessage message, int from, int to, InputEvent event)
            throws IOException, BadPayloadException {
        copied = false;
        try {
            event.reset(message, schema.slots());
            return decode(message.bytes(), from, to, event);
        } catch (StreamConstraintsException e) {
            // Too deep, or earlier documents filled the table of names with colliding ones: a new table tells.
            tokens = JsonTokens.create();
            event.reset(message, schema.slots());
            return decode(message.bytes(), from, to, event);
        }
    }

    private @Nullable String decodeRepaired(IMessage message, int from, int to, InputEvent event) {
        try {
            event.reset(message, schema.slots());
            byte[] repaired = new String(message.bytes(), from, to - from, StandardCharsets.UTF_8)
                    .getBytes(StandardCharsets.UTF_8);
            if (event.copyToScratch(repaired, 0, repaired.length) == InputEvent.NULL_STRING) {
                return "too long a payload";
            }
            copied = true;
            // References into the copy stay good when the scratch space grows, for it then is copied along.
            return decode(event.scratch(), 0, repaired.length, event);
        } catch (BadPayloadException e) {
            return e.getMessage();
        } catch (IOException e) {
            return reason(e);
        }
    }

    private static String reason(IOException e) {
        return JsonTokens.reason(
                e instanceof JsonProcessingException json ? json.getOriginalMessage() : e.getMessage());
    }

    private @Nullable String decode(byte[] bytes, int from, int to, InputEvent event)
            throws IOException, BadPayloadException {
        if (tokens.isSpent()) {
            tokens = JsonTokens.create();
        }
        JsonTokens tokens = this.tokens;
        tokens.start(bytes, from, to);
        if (tokens.nextToken() != JsonToken.START_OBJECT) {
            return "not a JSON object";
        }
        readObject(event, InputEvent.ROOT, root);
        return tokens.isAtEnd() ? null : "text after the JSON object";
    }

    /** Reads the fields of the object whose START_OBJECT is the current token. */
    private void readObject(InputEvent event, int record, JsonMessage message) throws IOException, BadPayloadException {
        JsonTokens tokens = this.tokens;
        String name;
        while ((name = tokens.nextFieldName()) != null) {
            JsonField field = message.field(name);
            JsonToken token = tokens.nextToken();
            if (field != null) {
                readField(event, record, field, token);
            } else if (token.isStructStart()) {
                tokens.skipChildren();
            }
        }
    }

    /** Reads the value of a field, whose first token is the current one. */
    private void readField(InputEvent event, int record, JsonField field, JsonToken token)
            throws IOException, BadPayloadException {
        switch (field.kind) {
            case MESSAGE -> readMessage(event, record, field, token);
            case LIST -> readList(event, record, field, token);
            case MAP -> readMap(event, record, field, token);
            default -> readScalar(event, record, field.schema, token);
        }
    }

    private void readScalar(InputEvent event, int record, FieldSchema field, JsonToken token)
            throws IOException, BadPayloadException {
        switch (token) {
            case VALUE_STRING -> {
                if (field.kind() == FieldKind.BOOL) {
                    throw wrong(field, "true or false");
                }
                scalars.read(event, record, field, placed(tokens.string(event)));
            }
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> {
                if (field.kind() == FieldKind.BOOL) {
                    throw wrong(field, "true or false");
                }
                scalars.read(event, record, field, placed(tokens.number()));
            }
            case VALUE_TRUE, VALUE_FALSE -> {
                if (field.kind() != FieldKind.BOOL) {
                    throw wrong(field, "a number or text");
                }
                event.set(record, field.valueSlot(), token == JsonToken.VALUE_TRUE ? 1 : 0);
            }
            case VALUE_NULL -> forget(event, record, field);
            default -> throw wrong(field, "a single value");
        }
    }

    /** The reference in terms of the event, given one in terms of what is being read. */
    private long placed(long reference) {
        return copied
                ? InputEvent.scratchString(InputEvent.stringOffset(reference), InputEvent.stringLength(reference))
                : reference;
    }

    private static void forget(InputEvent event, int record, FieldSchema field) {
        if (field.valueSlot() >= 0) {
            event.clear(record, field.valueSlot(), field.valueSlot() + 1);
        }
        if (field.microsSlot() >= 0) {
            event.clear(record, field.microsSlot(), field.microsSlot() + 1);
        }
    }

    private static BadPayloadException wrong(FieldSchema field, String expected) {
        return new BadPayloadException(field.name() + ": not " + expected);
    }

    private void readMessage(InputEvent event, int record, JsonField field, JsonToken token)
            throws IOException, BadPayloadException {
        FieldSchema schema = field.schema;
        JsonMessage message = field.message;
        if (message != null) {
            event.clear(record, message.firstSlot, message.endSlot);
        }
        if (token == JsonToken.VALUE_NULL) {
            forget(event, record, schema);
            return;
        }
        if (token != JsonToken.START_OBJECT) {
            throw wrong(schema, "an object");
        }
        if (schema.valueSlot() >= 0) {
            event.set(record, schema.valueSlot(), 1);
        }
        if (message != null) {
            readObject(event, record, message);
        } else {
            tokens.skipChildren();
        }
    }

    private void readList(InputEvent event, int record, JsonField field, JsonToken first)
            throws IOException, BadPayloadException {
        if (first == JsonToken.VALUE_NULL) {
            forget(event, record, field.schema);
            return;
        }
        if (first != JsonToken.START_ARRAY) {
            throw wrong(field.schema, "an array");
        }
        int head = 0;
        int last = 0;
        int length = 0;
        JsonToken token;
        while ((token = tokens.nextToken()) != JsonToken.END_ARRAY) {
            int element = event.newRecord(field.elementSlots);
            if (length++ == 0) {
                head = element;
            } else {
                event.link(last, element);
            }
            last = element;
            readElement(event, element, field, token);
        }
        event.set(record, field.schema.valueSlot(), InputEvent.list(head, length));
    }

    private void readElement(InputEvent event, int element, JsonField field, JsonToken token)
            throws IOException, BadPayloadException {
        if (field.element != null) {
            readField(event, element, field.element, token);
        } else if (token.isStructStart()) {
            tokens.skipChildren();
        }
    }

    private void readMap(InputEvent event, int record, JsonField field, JsonToken first)
            throws IOException, BadPayloadException {
        if (first == JsonToken.VALUE_NULL) {
            forget(event, record, field.schema);
            return;
        }
        if (first != JsonToken.START_OBJECT) {
            throw wrong(field.schema, "an object");
        }
        FieldSchema key = Objects.requireNonNull(field.key);
        int head = 0;
        int last = 0;
        int length = 0;
        String name;
        while ((name = tokens.nextFieldName()) != null) {
            JsonToken token = tokens.nextToken();
            int element = event.newRecord(field.elementSlots);
            byte[] text = name.getBytes(StandardCharsets.UTF_8);
            long reference = event.copyToScratch(text, 0, text.length);
            if (reference == InputEvent.NULL_STRING) {
                throw new BadPayloadException("too long a string");
            }
            scalars.read(event, element, key, reference);
            readElement(event, element, field, token);
            if (length++ == 0) {
                head = element;
            } else {
                event.link(last, element);
            }
            last = element;
        }
        event.set(record, field.schema.valueSlot(), mapKeys.keepLast(event, key, field.elementSlots, head, length));
    }
}
