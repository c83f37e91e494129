package io.summarizer.core.decode;

import com.fasterxml.jackson.core.JsonProcessingException;
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
    private static final int LONG_DIGITS = 15;
    private static final int INT_DIGITS = 9;
    private static final long MICROS_IN_MILLI = 1000;

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
        if (!tokens.hasMore() || tokens.peek() != '{') {
            return "not a JSON object";
        }
        readObject(event, InputEvent.ROOT, root);
        return tokens.hasMore() ? "text after the JSON object" : null;
    }

    /** Reads the object whose bracket is the current byte. */
    private void readObject(InputEvent event, int record, JsonMessage message) throws IOException, BadPayloadException {
        JsonTokens tokens = this.tokens;
        if (!tokens.open('}')) {
            return;
        }
        JsonName last = message.start;
        do {
            JsonName expected = last.next;
            JsonName name = tokens.name(message, expected);
            if (name != expected) {
                last.next = name;
            }
            last = name;
            JsonField field = name.field;
            if (field == null) {
                tokens.skipValue();
            } else {
                readField(event, record, field);
            }
        } while (tokens.next('}'));
    }

    /** Reads the value of a field; white space may come first. */
    private void readField(InputEvent event, int record, JsonField field) throws IOException, BadPayloadException {
        JsonTokens tokens = this.tokens;
        byte first = tokens.peek();
        // The common forms of numbers; ScalarReader knows all forms, and says what is wrong.
        switch (field.kind) {
            case MESSAGE -> readMessage(event, record, field, first);
            case LIST -> readList(event, record, field, first);
            case MAP -> readMap(event, record, field, first);
            case INT64, UINT64 -> readInteger(event, record, field, first, LONG_DIGITS, 1);
            case INT32, UINT32 -> readInteger(event, record, field, first, INT_DIGITS, 1);
            case TIMESTAMP -> readInteger(event, record, field, first, LONG_DIGITS, MICROS_IN_MILLI);
            case DOUBLE -> {
                if (tokens.shortDecimal()) {
                    if (field.microsSlot >= 0) {
                        event.set(record, field.microsSlot, tokens.micros());
                    }
                    if (field.valueSlot >= 0) {
                        event.set(record, field.valueSlot, Double.doubleToRawLongBits(tokens.number64()));
                    }
                } else {
                    readScalar(event, record, field.schema, first);
                }
            }
            default -> readScalar(event, record, field.schema, first);
        }
    }

    /** Reads a short integer, which cannot be out of the field's range, or whatever else there is. */
    private void readInteger(InputEvent event, int record, JsonField field, byte first, int maxDigits, long factor)
            throws IOException, BadPayloadException {
        if (tokens.shortInteger(maxDigits)) {
            event.set(record, field.valueSlot, tokens.integer() * factor);
        } else {
            readScalar(event, record, field.schema, first);
        }
    }

    private void readScalar(InputEvent event, int record, FieldSchema field, byte first)
            throws IOException, BadPayloadException {
        switch (first) {
            case '"' -> {
                if (field.kind() == FieldKind.BOOL) {
                    throw wrong(field, "true or false");
                }
                scalars.read(event, record, field, string(event));
            }
            case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9' -> {
                if (field.kind() == FieldKind.BOOL) {
                    throw wrong(field, "true or false");
                }
                scalars.read(event, record, field, placed(tokens.number()));
            }
            case 'n' -> readNull(event, record, field);
            case 't', 'f' -> {
                boolean truth = tokens.literal("true");
                if (!truth && !tokens.literal("false")) {
                    throw tokens.unexpected();
                }
                if (field.kind() != FieldKind.BOOL) {
                    throw wrong(field, "a number or text");
                }
                event.set(record, field.valueSlot(), truth ? 1 : 0);
            }
            case '{', '[' -> throw wrong(field, "a single value");
            default -> throw tokens.unexpected();
        }
    }

    /** Reads the string whose quote is the current byte. */
    private long string(InputEvent event) throws IOException, BadPayloadException {
        tokens.openName();
        return placed(tokens.string(event));
    }

    /** The reference in terms of the event, given one in terms of what is being read. */
    private long placed(long reference) {
        return copied
                ? InputEvent.scratchString(InputEvent.stringOffset(reference), InputEvent.stringLength(reference))
                : reference;
    }

    private void readNull(InputEvent event, int record, FieldSchema field) throws IOException {
        if (!tokens.literal("null")) {
            throw tokens.unexpected();
        }
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

    private void readMessage(InputEvent event, int record, JsonField field, byte first)
            throws IOException, BadPayloadException {
        JsonMessage message = field.message;
        if (message != null) {
            event.clear(record, message.firstSlot, message.endSlot);
        }
        if (first == 'n') {
            readNull(event, record, field.schema);
            return;
        }
        if (first != '{') {
            throw wrong(field.schema, "an object");
        }
        if (field.valueSlot >= 0) {
            event.set(record, field.valueSlot, 1);
        }
        if (message != null) {
            readObject(event, record, message);
        } else {
            tokens.skipValue();
        }
    }

    private void readList(InputEvent event, int record, JsonField field, byte first)
            throws IOException, BadPayloadException {
        if (first == 'n') {
            readNull(event, record, field.schema);
            return;
        }
        if (first != '[') {
            throw wrong(field.schema, "an array");
        }
        int head = 0;
        int last = 0;
        int length = 0;
        if (tokens.open(']')) {
            do {
                int element = event.newRecord(field.elementSlots);
                if (length++ == 0) {
                    head = element;
                } else {
                    event.link(last, element);
                }
                last = element;
                readElement(event, element, field);
            } while (tokens.next(']'));
        }
        event.set(record, field.valueSlot, InputEvent.list(head, length));
    }

    private void readElement(InputEvent event, int element, JsonField field) throws IOException, BadPayloadException {
        if (field.element != null) {
            readField(event, element, field.element);
        } else {
            tokens.skipValue();
        }
    }

    private void readMap(InputEvent event, int record, JsonField field, byte first)
            throws IOException, BadPayloadException {
        if (first == 'n') {
            readNull(event, record, field.schema);
            return;
        }
        if (first != '{') {
            throw wrong(field.schema, "an object");
        }
        FieldSchema key = Objects.requireNonNull(field.key);
        int head = 0;
        int last = 0;
        int length = 0;
        if (tokens.open('}')) {
            do {
                int element = event.newRecord(field.elementSlots);
                long name = string(event);
                tokens.colon();
                scalars.read(event, element, key, name);
                readElement(event, element, field);
                if (length++ == 0) {
                    head = element;
                } else {
                    event.link(last, element);
                }
                last = element;
            } while (tokens.next('}'));
        }
        event.set(record, field.valueSlot, mapKeys.keepLast(event, key, field.elementSlots, head, length));
    }
}
