package io.summarizer.dsl.generate;

import io.summarizer.core.bytes.Bytes;
import io.summarizer.core.store.KeyHash;
import io.summarizer.core.store.KeyLayout;
import io.summarizer.core.store.KeyType;
import io.summarizer.dsl.codegen.JavaClass;
import io.summarizer.dsl.codegen.JavaText;
import io.summarizer.dsl.codegen.Place;
import io.summarizer.dsl.codegen.Value;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes code that builds a key without strings, word by word, in its encoded form. The code shifts the columns into a
 * word, and then hashes and stores the word.
 *
 * @param bytes length of the encoded key
 * @param words variables with the words of the key
 * @param hash the variable with the hash of the key
 */
record KeyCode(int bytes, List<String> words, String hash) {
    /** Maximum number of columns of a key that is built in words; a larger key is built in a buffer. */
    static final int MAX_COLUMNS = 16;

    static boolean suits(KeyLayout layout) {
        return layout.strings() == 0 && layout.columns() <= MAX_COLUMNS;
    }

    /** Declares variables for the words and the hash of a key with these columns. */
    static KeyCode of(KeyLayout layout, List<Value> columns, JavaClass owner, Place place) {
        owner.use(KeyHash.class);
        int bytes = layout.fixedBytes();
        List<List<String>> parts = new ArrayList<>();
        for (int word = 0; word * 8 < bytes; word++) {
            parts.add(new ArrayList<>());
        }
        for (int i = 0; i < columns.size(); i++) {
            Value column = columns.get(i);
            if (!column.isNeverNull()) {
                parts.get(0).add(column.isAlwaysNull() ? bit(i) : "(" + column.isNull() + " ? " + bit(i) + " : 0L)");
            }
        }
        for (int i = 0; i < columns.size(); i++) {
            if (!columns.get(i).isAlwaysNull()) {
                place(parts, layout.offset(i), layout.type(i), columns.get(i).value());
            }
        }
        List<String> words = new ArrayList<>();
        for (List<String> part : parts) {
            words.add(place.declare("long", "key", part.isEmpty() ? "0L" : String.join(" | ", part)));
        }
        String hash = place.declare("long", "hash", "KeyHash.start(" + bytes + ")");
        for (int i = 0; i < words.size(); i++) {
            boolean whole = (i + 1) * 8 <= bytes;
            place.code()
                    .line(hash + " = KeyHash." + (whole ? "word" : "rest") + "(" + hash + ", " + words.get(i) + ");");
        }
        place.code().line(hash + " = KeyHash.end(" + hash + ");");
        return new KeyCode(bytes, words, hash);
    }

    private static String bit(int column) {
        return JavaText.literal(1L << column);
    }

    private static void place(List<List<String>> words, int offset, KeyType type, String value) {
        boolean narrow = type == KeyType.INT32 || type == KeyType.UINT32;
        String bits = narrow ? "(" + value + " & 0xffffffffL)" : value;
        int word = offset / 8;
        int shift = offset % 8 * 8;
        words.get(word).add(shift == 0 ? bits : bits + " << " + shift);
        if (offset % 8 + type.bytes() > 8) {
            words.get(word + 1).add(bits + " >>> " + (64 - shift));
        }
    }

    /** Stores the key. May overwrite up to seven bytes after the key. */
    void store(String array, String at, int offset, JavaClass owner, Place place) {
        owner.use(Bytes.class);
        for (int i = 0; i < words.size(); i++) {
            place.code()
                    .line("Bytes.putLong(" + array + ", " + Stretch.plus(at, offset + 8 * i) + ", " + words.get(i)
                            + ");");
        }
    }
}
