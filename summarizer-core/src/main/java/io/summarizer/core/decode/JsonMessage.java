package io.summarizer.core.decode;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The wanted fields of a message by their names in JSON. Belongs to one decoder. */
final class JsonMessage {
    /** The message's range of slots, to forget an earlier occurrence. */
    final int firstSlot;

    final int endSlot;
    // An open-addressing table at most half full; the names' hashes are remembered by the strings themselves.
    private final @Nullable JsonField[] table;
    private final @Nullable String[] names;

    JsonMessage(MessageSchema schema) {
        firstSlot = schema.firstSlot();
        endSlot = schema.endSlot();
        Map<String, JsonField> byName = new HashMap<>();
        List<JsonField> fields = schema.fields().stream().map(JsonField::new).toList();
        fields.forEach(field -> byName.put(field.schema.jsonName(), field));
        // A field's own name wins over another's json_name.
        fields.forEach(field -> byName.put(field.schema.name(), field));
        table = new JsonField[Integer.highestOneBit(Math.max(1, byName.size())) * 4];
        names = new String[table.length];
        byName.forEach((name, field) -> {
            int at = slot(name);
            while (table[at] != null) {
                at = (at + 1) & (table.length - 1);
            }
            table[at] = field;
            names[at] = name;
        });
    }

    private int slot(String name) {
        int hash = name.hashCode();
        return (hash ^ (hash >>> 15)) & (table.length - 1);
    }

    /** The wanted field of this name, null when there is none. */
    @Nullable
    JsonField field(String name) {
        int at = slot(name);
        JsonField field;
        while ((field = table[at]) != null) {
            String known = names[at];
            if (isSame(name, known)) {
                return field;
            }
            if (name.equals(known)) {
                // The tokenizer gives the same object for the same name, so from now on this is the quick test.
                names[at] = name;
                return field;
            }
            at = (at + 1) & (table.length - 1);
        }
        return null;
    }

    @SuppressWarnings("ReferenceEquality") // a shortcut before equals
    private static boolean isSame(String name, @Nullable String known) {
        return name == known;
    }
}
