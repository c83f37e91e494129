package io.summarizer.core.sketch;

import io.summarizer.core.bytes.Bytes;

/** Search and insertion in a list of tokens, in the encoding of {@link SetLayout}. */
final class TokenList {
    private TokenList() {}

    /**
     * Searches the list at {@code base}. Returns the index of the first token whose hash bits are at least the hash
     * bits of {@code token}; returns {@code count} when there is no such token.
     *
     * <p>Hash bits are uniform, so the value of a token predicts its index. The prediction is wrong by about
     * sqrt(count) / 2, so the token is on the predicted cache line or next to it. A binary search would read one cache
     * line for each of its first steps. Even if somebody chooses values that defeat the prediction, a search reads no
     * more than the whole list.
     */
    static int find(byte[] bytes, int base, int count, int token) {
        int wanted = Token.hashBits(token);
        int index = (int) (((long) wanted * count) >>> Token.HASH_BITS);
        while (index < count && hashBits(bytes, base, index) < wanted) {
            index++;
        }
        while (index > 0 && hashBits(bytes, base, index - 1) >= wanted) {
            index--;
        }
        return index;
    }

    private static int hashBits(byte[] bytes, int base, int index) {
        return Token.hashBits(Bytes.getInt(bytes, base + index * Integer.BYTES));
    }

    /** Inserts {@code token} before {@code index}; the list must not be full. */
    static void insert(byte[] bytes, int base, int capacity, int count, int index, int token) {
        assert count < capacity;
        int at = base + index * Integer.BYTES;
        System.arraycopy(bytes, at, bytes, at + Integer.BYTES, (count - index) * Integer.BYTES);
        Bytes.putInt(bytes, at, token);
        if (count + 1 < capacity) {
            Bytes.putInt(bytes, base + (capacity - 1) * Integer.BYTES, SetLayout.mark(count + 1));
        }
    }
}
