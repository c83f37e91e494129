package io.summarizer.core.decode;

import io.summarizer.core.bytes.Bytes;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The JSON names of a message: the names of all wanted fields, and unwanted names that occurred. Belongs to one
 * decoder.
 *
 * <p>Senders mostly write members in the same order. So each name remembers the name that followed it last time.
 * Usually, one comparison with the remembered name is enough. If this comparison fails, the name is looked up by its
 * bytes.
 */
public final class JsonMessage {
    /**
     * Maximum number of unwanted names that are remembered. Any further unwanted name costs a search without a result
     * each time it occurs.
     */
    private static final int MAX_LEARNED = 64;

    private static final int MAX_LEARNED_BYTES = 64;

    /** Stands for the name before the first name of an object. */
    public final JsonName start = new JsonName("", JsonName.UNWANTED, false);

    /** Stands for all names that are neither wanted nor remembered. */
    private final JsonName stranger = new JsonName("", JsonName.UNWANTED, false);

    /** Names in an open-addressing table, at most half full. */
    private final @Nullable JsonName[] table;

    private int learned;

    JsonMessage(MessageSchema schema) {
        List<FieldSchema> fields = schema.fields();
        table = new JsonName[Integer.highestOneBit(2 * fields.size() + MAX_LEARNED) * 4];
        // A field's own name takes precedence over another field's json_name.
        for (int i = 0; i < fields.size(); i++) {
            put(fields.get(i).jsonName(), i);
        }
        for (int i = 0; i < fields.size(); i++) {
            put(fields.get(i).name(), i);
        }
    }

    private void put(String name, int field) {
        byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
        table[slot(bytes, 0, bytes.length)] = new JsonName(name, field, JsonName.isWrittenPlainly(name));
    }

    /** Position of the name in the table, or the empty position where it would be added. */
    private int slot(byte[] bytes, int from, int to) {
        int mask = table.length - 1;
        int at = (int) (Bytes.hash(bytes, from, to - from, 0) >>> 32) & mask;
        JsonName name;
        while ((name = table[at]) != null && !name.hasBytes(bytes, from, to)) {
            at = (at + 1) & mask;
        }
        return at;
    }

    /** The wanted or remembered name with these bytes, null when there is none. */
    @Nullable
    JsonName find(byte[] bytes, int from, int to) {
        return table[slot(bytes, from, to)];
    }

    /** The name with this text, wanted or not. */
    JsonName find(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        JsonName name = find(bytes, 0, bytes.length);
        // A text with half a surrogate pair has no form in UTF-8.
        return name != null && name.text.equals(text) ? name : stranger;
    }

    /**
     * Remembers an unwanted name, unless too many names are remembered already, or the name is too long. The name is
     * ASCII without escapes.
     */
    JsonName learn(byte[] bytes, int from, int to) {
        if (learned == MAX_LEARNED || to - from > MAX_LEARNED_BYTES) {
            return stranger;
        }
        learned++;
        JsonName name =
                new JsonName(new String(bytes, from, to - from, StandardCharsets.US_ASCII), JsonName.UNWANTED, true);
        table[slot(bytes, from, to)] = name;
        return name;
    }
}
