package io.summarizer.core.decode;

import io.summarizer.core.bytes.Bytes;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A name as it stands in documents, {@code "name":}, compared a word at a time. Belongs to one decoder. */
public final class JsonName {
    static final int UNWANTED = -1;

    final String text;
    /** Position of the field among the wanted fields of its message, -1 when the field is unwanted. */
    public final int field;
    /** The name that followed this name last time. */
    JsonName next = this;

    private final byte[] written;
    private final long mask0;
    private final long mask1;
    private final long word0;
    private final long word1;

    /**
     * A name for a wanted or unwanted field.
     *
     * @param comparable whether {@link #isAt} compares bytes with the name; if false, {@link #isAt} always returns
     *     false
     */
    JsonName(String text, int field, boolean comparable) {
        this.text = text;
        this.field = field;
        written = ('"' + text + "\":").getBytes(StandardCharsets.UTF_8);
        byte[] padded = Arrays.copyOf(written, Math.max(16, written.length));
        mask0 = comparable ? mask(written.length) : 0;
        mask1 = comparable ? mask(written.length - 8) : 0;
        // With an empty mask, every masked word is 0, so it never equals this 1.
        word0 = comparable ? Bytes.getLong(padded, 0) : 1;
        word1 = Bytes.getLong(padded, 8);
    }

    /** Whether documents have the name as it is; a quote, a backslash or a control character is written differently. */
    static boolean isWrittenPlainly(String text) {
        return text.chars().noneMatch(c -> c < ' ' || c == '"' || c == '\\');
    }

    /** A mask of the low {@code bytes} bytes of a word. A negative number means 0, a number above 8 means 8. */
    private static long mask(int bytes) {
        return bytes >= 8 ? -1 : bytes <= 0 ? 0 : (1L << (8 * bytes)) - 1;
    }

    /** Length in bytes with quotes and colon. */
    int length() {
        return written.length;
    }

    /** Whether the name with quotes and colon begins at {@code at} and ends at or before {@code end}. */
    boolean isAt(byte[] bytes, int at, int end) {
        int length = written.length;
        if (length > end - at || at > bytes.length - 16) {
            // Too close to the end of the array to load words. The lookup that follows instead is just as fast.
            return false;
        }
        return (Bytes.getLong(bytes, at) & mask0) == word0
                && (Bytes.getLong(bytes, at + 8) & mask1) == word1
                && (length <= 16 || Arrays.equals(written, 16, length, bytes, at + 16, at + length));
    }

    /** Whether these bytes are the name without quotes and colon. */
    boolean hasBytes(byte[] bytes, int from, int to) {
        return Arrays.equals(written, 1, written.length - 2, bytes, from, to);
    }
}
