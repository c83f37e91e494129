package io.summarizer.core.store;

/**
 * Bounds on the size of the keys and texts of an event. A key or text that is too large is refused: the row, nested row
 * or column does not get the update. The message is kept with the rejected messages. Immutable.
 *
 * @param keyBytes maximum length in bytes of a key that contains texts, encoded as {@link KeyLayout} does; a key
 *     without texts has a fixed length
 * @param textBytes maximum length in bytes of a first or last text, in UTF-8
 */
public record ValueLimits(int keyBytes, int textBytes) {
    /** No bounds except the bound on the size of a message. */
    public static final ValueLimits NONE = new ValueLimits(Integer.MAX_VALUE, Integer.MAX_VALUE);

    /** The default bounds. */
    public static final ValueLimits DEFAULT = new ValueLimits(1024, 4096);
}
