package io.summarizer.dsl.runtime;

import io.summarizer.core.bytes.Bytes;
import io.summarizer.core.decode.InputEvent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A set of strings: a hash table of their UTF-8 bytes that is at most half full. Immutable. */
public final class TextTable {
    private final byte[] @Nullable [] slots;
    private final int longest;

    private TextTable(List<byte[]> elements) {
        longest = elements.stream().mapToInt(element -> element.length).max().orElse(0);
        slots = new byte[Integer.highestOneBit(Math.max(1, elements.size())) * 4][];
        for (byte[] element : elements) {
            slots[slot(element, 0, element.length)] = element;
        }
    }

    /**
     * A table of elements that are given in one text. In the text, the number of characters and a colon come before
     * each element.
     */
    public static TextTable of(String elements) {
        List<byte[]> texts = new ArrayList<>();
        for (int from = 0; from < elements.length(); ) {
            int colon = elements.indexOf(':', from);
            int to = colon + 1 + Integer.parseInt(elements, from, colon, 10);
            texts.add(Texts.literal(elements.substring(colon + 1, to)));
            from = to;
        }
        return new TextTable(texts);
    }

    /** Whether a string of {@code event} is an element. */
    public boolean contains(InputEvent event, long string) {
        int length = InputEvent.stringLength(string);
        // Do not hash a long text that cannot be an element.
        return length <= longest
                && slots[slot(event.stringBytes(string), InputEvent.stringOffset(string), length)] != null;
    }

    /** The slot of a text, or the free slot into which the text would go. */
    private int slot(byte[] bytes, int offset, int length) {
        int mask = slots.length - 1;
        int slot = (int) Bytes.hash(bytes, offset, length, 0) & mask;
        for (byte[] element = slots[slot]; element != null; element = slots[slot]) {
            if (Arrays.equals(element, 0, element.length, bytes, offset, offset + length)) {
                return slot;
            }
            slot = (slot + 1) & mask;
        }
        return slot;
    }
}
