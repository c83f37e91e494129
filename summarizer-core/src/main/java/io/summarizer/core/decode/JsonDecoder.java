package io.summarizer.core.decode;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import io.summarizer.core.message.IMessage;
import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.text.JacksonText;
import io.summarizer.core.text.Utf8;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Decodes a JSON object, read as one stream of tokens. Fields have their proto name or {@code json_name}; members with
 * other names are skipped.
 *
 * <p>A value {@code null} means that the field is absent. When an object has a name several times, or a map has a key
 * several times, the last occurrence is used. Bad values of earlier occurrences do no harm. A later object or list
 * replaces an earlier object or list as a whole. Of the members of a {@code oneof}, the last in the document is used,
 * and the others are null. Numbers and strings are interchangeable: a number field takes a numeric string, and a string
 * or enum field takes the text of a number. A {@code null} in a list is an element without a value.
 *
 * <p>The whole payload has to be one JSON object. In unwanted values, only the structure is checked. When the name of a
 * field has invalid UTF-8, the decoder starts again, with a repaired copy of the payload.
 *
 * <p>A subclass walks the objects. For each name, it calls the method that reads the value into the slot. Fields and
 * messages have the numbers that {@link EventSchema#fields()} and {@link EventSchema#messages()} give them.
 */
public abstract class JsonDecoder implements PayloadDecoder {
    private static final int LONG_DIGITS = 15;
    private static final int INT_DIGITS = 9;
    private static final long MICROS_IN_MILLI = 1000;

    private final EventSchema schema;
    private final FieldSchema[] fields;
    private final JsonMessage[] messages;
    private final ScalarReader scalars = new ScalarReader();
    private final FieldSchema[][] rivals;
    private final MapKeys mapKeys = new MapKeys();
    private JsonTokens tokens = JsonTokens.create();
    private @Nullable JsonOverrides overrides;
    /** Whether the tokens refer to a copy of the document in scratch space. */
    private boolean copied;

    /** A decoder for one parser worker. */
    protected JsonDecoder(EventSchema schema) {
        this.schema = schema;
        fields = schema.fields().toArray(new FieldSchema[0]);
        rivals = schema.rivals();
        messages = schema.messages().stream().map(JsonMessage::new).toArray(JsonMessage[]::new);
    }

    @Override
    public final @Nullable String decode(IMessage message, InputEvent event) {
        byte[] bytes = message.bytes();
        int from = message.offset(MessageBatch.PAYLOAD);
        int to = from + Math.max(0, message.length(MessageBatch.PAYLOAD));
        scalars.zone(schema.zone(message.listener()));
        try {
            return decodeInPlace(message, from, to, event);
        } catch (BadPayloadException e) {
            return decodeLast(message, repaired(bytes, from, to), event, e);
        } catch (IOException e) {
            if (Utf8.isValid(bytes, from, to)) {
                return reason(e);
            }
            return decodeRepaired(message, repaired(bytes, from, to), event);
        }
    }

    private static byte[] repaired(byte[] bytes, int from, int to) {
        return new String(bytes, from, to - from, StandardCharsets.UTF_8).getBytes(StandardCharsets.UTF_8);
    }

    private @Nullable String decodeInPlace(IMessage message, int from, int to, InputEvent event)
            throws IOException, BadPayloadException {
        copied = false;
        try {
            event.reset(message, schema.slots());
            return decode(message.bytes(), from, to, event);
        } catch (StreamConstraintsException e) {
            // Either the document is too deep, or earlier documents filled Jackson's table of names with colliding
            // names. A second attempt with a new table shows which is true.
            tokens = JsonTokens.create();
            event.reset(message, schema.slots());
            return decode(message.bytes(), from, to, event);
        }
    }

    private @Nullable String decodeRepaired(IMessage message, byte[] repaired, InputEvent event) {
        try {
            return decodeCopy(message, repaired, event);
        } catch (BadPayloadException e) {
            return decodeLast(message, repaired, event, e);
        } catch (IOException e) {
            return reason(e);
        }
    }

    /**
     * Decodes a document for the second time, after a bad value. Leaves out each overridden member, which is a member
     * that a later member replaces.
     */
    private @Nullable String decodeLast(
            IMessage message, byte[] document, InputEvent event, BadPayloadException problem) {
        try {
            event.reset(message, schema.slots());
            if (overrides == null) {
                overrides = new JsonOverrides(schema);
            }
            byte[] last = overrides.without(document, event);
            return last == null ? problem.getMessage() : decodeCopy(message, last, event);
        } catch (BadPayloadException e) {
            return e.getMessage();
        } catch (IOException e) {
            return reason(e);
        }
    }

    private @Nullable String decodeCopy(IMessage message, byte[] document, InputEvent event)
            throws IOException, BadPayloadException {
        event.reset(message, schema.slots());
        if (event.copyToScratch(document, 0, document.length) == InputEvent.NULL_STRING) {
            return "too long a payload";
        }
        copied = true;
        // When the scratch space grows, the copy moves with it, so references into the copy stay valid.
        return decode(event.scratch(), 0, document.length, event);
    }

    private static String reason(IOException e) {
        return JacksonText.reason(
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
        readRoot(event);
        return tokens.hasMore() ? "text after the JSON object" : null;
    }

    /** Reads the event's own object, whose bracket is the current byte. */
    protected abstract void readRoot(InputEvent event) throws IOException, BadPayloadException;

    // Structure

    /** The names of message {@code number}. */
    protected final JsonMessage message(int number) {
        return messages[number];
    }

    /** Enters the object whose bracket is the current byte. Returns whether the object has any fields. */
    protected final boolean openObject() throws IOException, BadPayloadException {
        return tokens.open('}');
    }

    /**
     * Moves on after the value of a field. Returns whether the object has a further field. If not, leaves the object.
     */
    protected final boolean nextField() throws IOException {
        return tokens.next('}');
    }

    /** Reads a name and its colon; {@code last} is the previous name, or {@link JsonMessage#start}. */
    protected final JsonName name(JsonMessage message, JsonName last) throws IOException {
        JsonName expected = last.next;
        JsonName name = tokens.name(message, expected);
        if (name != expected) {
            last.next = name;
        }
        return name;
    }

    /** Enters the array whose bracket is the current byte. Returns whether the array has any elements. */
    protected final boolean openArray() throws IOException, BadPayloadException {
        return tokens.open(']');
    }

    /** Moves on after an element. Returns whether the array has a further element. If not, leaves the array. */
    protected final boolean nextElement() throws IOException {
        return tokens.next(']');
    }

    /** Skips an unwanted value; white space may come first. */
    protected final void skip() throws IOException, BadPayloadException {
        tokens.skipValue();
    }

    /**
     * Sets the other members of a field's {@code oneof} to null, unless the next token is {@code null}. Called before
     * the value of the field is read.
     */
    protected final void choose(InputEvent event, int record, int field) throws IOException {
        if (tokens.peek() != 'n') {
            for (FieldSchema rival : rivals[field]) {
                rival.clear(event, record);
            }
        }
    }

    /**
     * Prepares for reading the object of a MESSAGE, and drops the object of an earlier occurrence of the field. Returns
     * whether the value is an object. If so, the current byte is the object's bracket, and the field is marked as
     * present.
     *
     * @param slot slot of the message's presence, -1 if not wanted
     * @param first the message's first slot
     * @param end the slot after the message's last slot
     */
    protected final boolean startMessage(InputEvent event, int record, int slot, int first, int end, int field)
            throws IOException, BadPayloadException {
        event.clear(record, first, end);
        if (!starts('{', "an object", event, record, field)) {
            return false;
        }
        if (slot >= 0) {
            event.set(record, slot, 1);
        }
        return true;
    }

    /**
     * Prepares for reading the array of a LIST. Returns whether the value is an array. If so, the current byte is the
     * array's bracket.
     */
    protected final boolean startList(InputEvent event, int record, int field) throws IOException, BadPayloadException {
        return starts('[', "an array", event, record, field);
    }

    /**
     * Prepares for reading the object of a MAP. Returns whether the value is an object. If so, the current byte is the
     * object's bracket.
     */
    protected final boolean startMap(InputEvent event, int record, int field) throws IOException, BadPayloadException {
        return starts('{', "an object", event, record, field);
    }

    private boolean starts(char bracket, String expected, InputEvent event, int record, int field)
            throws IOException, BadPayloadException {
        byte first = tokens.peek();
        if (first == bracket) {
            return true;
        }
        if (first != 'n') {
            throw wrong(fields[field], expected);
        }
        readNull(event, record, fields[field]);
        return false;
    }

    /** Reads the key of a map's entry into the entry's record, and moves past the colon. */
    protected final void mapKey(InputEvent event, int element, int key) throws IOException, BadPayloadException {
        long name = string(event);
        tokens.colon();
        scalars.read(event, element, fields[key], name);
    }

    /** The list of a map's entries, without entries whose key occurs again later. */
    protected final long lastOfEqualKeys(InputEvent event, int key, int slots, int head, int length) {
        return mapKeys.keepLast(event, fields[key], slots, head, length);
    }

    // Scalars. The common forms of numbers are read here; ScalarReader reads all forms, and describes errors.

    /** Reads an INT64 or UINT64. In this method and in the methods below, white space may come before the value. */
    protected final void integer64(InputEvent event, int record, int slot, int field)
            throws IOException, BadPayloadException {
        readInteger(event, record, slot, field, LONG_DIGITS, 1);
    }

    /** Reads an INT32 or UINT32. */
    protected final void integer32(InputEvent event, int record, int slot, int field)
            throws IOException, BadPayloadException {
        readInteger(event, record, slot, field, INT_DIGITS, 1);
    }

    /** Reads a TIMESTAMP. */
    protected final void timestamp(InputEvent event, int record, int slot, int field)
            throws IOException, BadPayloadException {
        byte first = tokens.peek();
        if (first != '"') {
            readInteger(event, record, slot, field, LONG_DIGITS, MICROS_IN_MILLI);
        } else if (tokens.plainString()) {
            event.set(
                    record, slot, scalars.timestamp(fields[field], tokens.bytes(), tokens.textFrom(), tokens.textTo()));
        } else {
            readScalar(event, record, fields[field], first);
        }
    }

    /** Reads a STRING. */
    protected final void text(InputEvent event, int record, int slot, int field)
            throws IOException, BadPayloadException {
        JsonTokens tokens = this.tokens;
        byte first = tokens.peek();
        if (first == '"' && tokens.plainString()) {
            int from = tokens.textFrom();
            event.set(record, slot, placed(InputEvent.messageString(from, tokens.textTo() - from)));
        } else {
            readScalar(event, record, fields[field], first);
        }
    }

    /**
     * Reads a scalar. Integers of at most {@code maxDigits} digits are read fast, without a check of their range,
     * because the field can hold each of them.
     */
    private void readInteger(InputEvent event, int record, int slot, int field, int maxDigits, long factor)
            throws IOException, BadPayloadException {
        JsonTokens tokens = this.tokens;
        byte first = tokens.peek();
        if (tokens.shortInteger(maxDigits)) {
            event.set(record, slot, tokens.integer() * factor);
        } else {
            readScalar(event, record, fields[field], first);
        }
    }

    /**
     * Reads a DOUBLE.
     *
     * @param slot slot of the value, -1 if not wanted
     * @param microsSlot slot of the exact millionths, -1 if not wanted
     */
    protected final void decimal(InputEvent event, int record, int slot, int microsSlot, int field)
            throws IOException, BadPayloadException {
        JsonTokens tokens = this.tokens;
        byte first = tokens.peek();
        if (!tokens.shortDecimal()) {
            readScalar(event, record, fields[field], first);
            return;
        }
        if (microsSlot >= 0) {
            event.set(record, microsSlot, tokens.micros());
        }
        if (slot >= 0) {
            event.set(record, slot, Double.doubleToRawLongBits(tokens.number64()));
        }
    }

    /** Reads a scalar of any kind. */
    protected final void scalar(InputEvent event, int record, int field) throws IOException, BadPayloadException {
        readScalar(event, record, fields[field], tokens.peek());
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

    /**
     * Turns a reference of {@link #tokens} into a reference of the event. The two differ when the tokens refer to a
     * copy of the document.
     */
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
}
