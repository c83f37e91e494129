package io.summarizer.core.decode;

import io.summarizer.core.text.DecimalText;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Removes overridden members of a document, so that a bad value in such a member does no harm. In an object, a member
 * is overridden by a later member of the same field. In a map, an entry is overridden by a later entry with the same
 * key. A decoder uses this class only after a bad value, because the class allocates memory, and makes a pass over the
 * document for each level of wanted messages. Belongs to one decoder.
 */
final class JsonOverrides {
    private static final byte[] NULL = {'n', 'u', 'l', 'l'};

    private final MessageSchema root;
    private final IdentityHashMap<MessageSchema, JsonMessage> names = new IdentityHashMap<>();
    private final DecimalText decimal = new DecimalText();
    private final ByteArrayOutputStream kept = new ByteArrayOutputStream();
    private JsonTokens tokens = JsonTokens.create();
    private byte[] document = new byte[0];
    private boolean overridden;

    /**
     * A member of an object.
     *
     * @param name start of the name
     * @param value the field
     * @param from start of the value, after the colon
     * @param present whether the value is not null
     * @param cleared whether a removed member of the same {@code oneof} had made this member null
     */
    private record Member(int name, @Nullable FieldSchema value, int from, boolean present, boolean cleared) {}

    JsonOverrides(EventSchema schema) {
        root = schema.root();
        schema.messages().forEach(message -> names.put(message, new JsonMessage(message)));
    }

    /**
     * The document with its wanted members only, each once.
     *
     * @param document well-formed UTF-8 that starts with an object
     * @param event the event whose scratch space is used
     * @return null when no wanted member recurs
     */
    byte @Nullable [] without(byte[] document, InputEvent event) throws IOException, BadPayloadException {
        if (tokens.isSpent()) {
            tokens = JsonTokens.create();
        }
        this.document = document;
        overridden = false;
        kept.reset();
        tokens.start(document, 0, document.length);
        tokens.peek();
        object(root, event);
        if (!overridden) {
            return null;
        }
        // Keeps text after the object. Such text is an error, and the decoder has to find it.
        kept.write(document, tokens.position(), document.length - tokens.position());
        return kept.toByteArray();
    }

    private void object(MessageSchema message, InputEvent event) throws IOException, BadPayloadException {
        JsonMessage known = names.get(message);
        if (known == null) {
            throw new IllegalArgumentException(message + " is not in the schema");
        }
        // A member that occurs again moves to the end, because the last member of a oneof is the valid one.
        Map<String, Member> members = new LinkedHashMap<>();
        if (tokens.open('}')) {
            do {
                tokens.peek();
                int name = tokens.position();
                int field = tokens.name(known, known.start).field;
                int from = tokens.position();
                boolean present = tokens.peek() != 'n';
                tokens.skipValue();
                if (field >= 0) {
                    FieldSchema schema = message.fields().get(field);
                    overridden |= members.containsKey(schema.name());
                    remove(schema, members);
                    members.put(schema.name(), new Member(name, schema, from, present, false));
                }
            } while (tokens.next('}'));
        }
        write(members.values(), event);
    }

    /** Removes the member of a field, if there is one. Its value made earlier members of the same oneof null. */
    private static void remove(FieldSchema field, Map<String, Member> members) {
        Member removed = members.get(field.name());
        if (removed == null) {
            return;
        }
        if (removed.present && field.oneof() != FieldSchema.NO_ONEOF) {
            for (Map.Entry<String, Member> earlier : members.entrySet()) {
                Member member = earlier.getValue();
                if (member.equals(removed)) {
                    break;
                }
                if (member.value != null && member.value.isRivalOf(field)) {
                    earlier.setValue(new Member(member.name, member.value, member.from, member.present, true));
                }
            }
        }
        members.remove(field.name());
    }

    private void map(ElementSchema element, FieldSchema key, InputEvent event) throws IOException, BadPayloadException {
        // An entry whose key recurs keeps its place.
        Map<Object, Member> members = new LinkedHashMap<>();
        if (tokens.open('}')) {
            do {
                tokens.peek();
                int name = tokens.position();
                tokens.openName();
                long reference = tokens.string(event);
                tokens.colon();
                int from = tokens.position();
                tokens.skipValue();
                Member entry = new Member(name, element.value(), from, true, false);
                overridden |= members.put(key(key, reference, event), entry) != null;
            } while (tokens.next('}'));
        }
        write(members.values(), event);
    }

    /**
     * An object that stands for the key of an entry. Equal keys have equal objects. Number keys are equal even when the
     * numbers are written in different ways.
     */
    private Object key(FieldSchema field, long reference, InputEvent event) {
        byte[] bytes = reference < 0 ? event.stringBytes(reference) : document;
        int from = InputEvent.stringOffset(reference);
        int to = from + InputEvent.stringLength(reference);
        boolean number = field.kind() != FieldKind.STRING && decimal.scan(bytes, from, to);
        boolean unsigned = field.kind() == FieldKind.UINT64 || field.kind() == FieldKind.UINT32;
        if (number && (unsigned ? decimal.toUint64() : decimal.toInt64())) {
            return decimal.value();
        }
        return new String(bytes, from, to - from, StandardCharsets.UTF_8);
    }

    /** Writes an object with these members. Leaves the cursor where it was. */
    private void write(Collection<Member> members, InputEvent event) throws IOException, BadPayloadException {
        int end = tokens.position();
        kept.write('{');
        boolean first = true;
        for (Member member : members) {
            if (!first) {
                kept.write(',');
            }
            first = false;
            kept.write(document, member.name, member.from - member.name);
            tokens.position(member.from);
            value(member.value, event);
            if (member.cleared) {
                // The value stays, because a bad value rejects the event although the member is null in the end.
                kept.write(',');
                kept.write(document, member.name, member.from - member.name);
                kept.writeBytes(NULL);
            }
        }
        kept.write('}');
        tokens.position(end);
    }

    private void value(@Nullable FieldSchema field, InputEvent event) throws IOException, BadPayloadException {
        byte first = tokens.peek();
        MessageSchema message = field == null ? null : field.message();
        ElementSchema element = field == null ? null : field.element();
        if (first == '{' && message != null) {
            object(message, event);
        } else if (first == '{' && element != null && element.key() != null) {
            map(element, element.key(), event);
        } else if (first == '[' && element != null && element.key() == null) {
            list(element, event);
        } else {
            int from = tokens.position();
            tokens.skipValue();
            kept.write(document, from, tokens.position() - from);
        }
    }

    private void list(ElementSchema element, InputEvent event) throws IOException, BadPayloadException {
        kept.write('[');
        if (tokens.open(']')) {
            value(element.value(), event);
            while (tokens.next(']')) {
                kept.write(',');
                value(element.value(), event);
            }
        }
        kept.write(']');
    }
}
