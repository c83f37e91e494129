package io.summarizer.core.store;

/**
 * Bounds on the values of one event in one row. Larger ones are refused for their row, nested row or column, and the
 * message is kept with the rejected ones. Immutable.
 *
 * @param keyBytes of an encoded key with texts, in the encoding of {@link KeyLayout}; the size of keys without texts is
 *     fixed
 * @param textBytes of a first or last text, in UTF-8
 */
public record ValueLimits(int keyBytes, int textBytes) {
    /** Bounds on messages only. */
    public static final ValueLimits NONE = new ValueLimits(Integer.MAX_VALUE, Integer.MAX_VALUE);

    /** The default bounds. */
    public static final ValueLimits DEFAULT = new ValueLimits(1024, 4096);
}
