package io.summarizer.bench.topics;

import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A mutable map from words to values. A lookup with a word of {@link Words} makes no object. The map uses open
 * addressing with linear probing. A removal moves later entries into the gap, so it leaves no tombstone. Not
 * thread-safe.
 */
final class WordMap<V> {
    private static final int LEAST = 4;

    private long[] keys = new long[LEAST];
    private byte[] @Nullable [] words = new byte[LEAST][];
    private @Nullable Object[] values = new @Nullable Object[LEAST];
    private int size;

    /** Number of words. */
    int size() {
        return size;
    }

    /** The value of a topic's word, or null. */
    @Nullable
    V get(Words topic, int word) {
        long key = topic.key(word);
        int mask = keys.length - 1;
        for (int slot = topic.hash(word) & mask; values[slot] != null; slot = slot + 1 & mask) {
            if (keys[slot] == key && topic.isExactly(word, key, word(slot))) {
                return value(slot);
            }
        }
        return null;
    }

    /** The value of a pattern's word, or null. */
    @Nullable
    V get(Pattern pattern, int word) {
        return value(find(pattern, word));
    }

    /** Sets the value of a pattern's word. */
    void put(Pattern pattern, int word, V value) {
        int slot = find(pattern, word);
        if (values[slot] == null) {
            if (4 * (size + 1) > 3 * keys.length) {
                grow();
                slot = find(pattern, word);
            }
            keys[slot] = pattern.key(word);
            words[slot] = pattern.word(word);
            size++;
        }
        values[slot] = value;
    }

    /** Removes a pattern's word if it is there. */
    void remove(Pattern pattern, int word) {
        int mask = keys.length - 1;
        int hole = find(pattern, word);
        if (values[hole] == null) {
            return;
        }
        for (int slot = hole + 1 & mask; values[slot] != null; slot = slot + 1 & mask) {
            int home = Words.hash(keys[slot]) & mask;
            // The entry may move into the hole if the entry's home position is not after the hole.
            if ((slot - home & mask) >= (slot - hole & mask)) {
                keys[hole] = keys[slot];
                words[hole] = words[slot];
                values[hole] = values[slot];
                hole = slot;
            }
        }
        words[hole] = null;
        values[hole] = null;
        size--;
    }

    /** Passes every value to an action. */
    void forEach(Consumer<? super V> action) {
        for (int slot = 0; slot < values.length; slot++) {
            V value = value(slot);
            if (value != null) {
                action.accept(value);
            }
        }
    }

    private int find(Pattern pattern, int word) {
        long key = pattern.key(word);
        int mask = keys.length - 1;
        int slot = pattern.hash(word) & mask;
        while (values[slot] != null
                && !(keys[slot] == key && (key >= 0 || Arrays.equals(word(slot), pattern.word(word))))) {
            slot = slot + 1 & mask;
        }
        return slot;
    }

    private void grow() {
        long[] oldKeys = keys;
        byte[] @Nullable [] oldWords = words;
        @Nullable Object[] oldValues = values;
        int capacity = 2 * oldKeys.length;
        keys = new long[capacity];
        words = new byte[capacity][];
        values = new @Nullable Object[capacity];
        for (int i = 0; i < oldKeys.length; i++) {
            if (oldValues[i] != null) {
                int slot = Words.hash(oldKeys[i]) & capacity - 1;
                while (values[slot] != null) {
                    slot = slot + 1 & capacity - 1;
                }
                keys[slot] = oldKeys[i];
                words[slot] = oldWords[i];
                values[slot] = oldValues[i];
            }
        }
    }

    @SuppressWarnings("NullAway") // a slot with a value has a word
    private byte[] word(int slot) {
        return words[slot];
    }

    @SuppressWarnings("unchecked") // only values of this type are put
    private @Nullable V value(int slot) {
        return (V) values[slot];
    }
}
