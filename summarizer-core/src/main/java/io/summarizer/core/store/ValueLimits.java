package io.summarizer.core.store;

/**
 * Bounds on what one event may put into one row. What is larger is refused for its row, nested row or column, and the message is
 * kept with the rejected ones. Immutable.
 *
 * @param keyBytes of an encoded key that has texts, as {@link KeyLayout} lays it out; keys without texts are as large as they
 *     are defined
 * @param textBytes of a first or last text, in UTF-8
 */
public record ValueLimits(int keyBytes, int textBytes) {
    /** No bounds but those on messages. */
    public static final ValueLimits NONE = new ValueLimits(Integer.MAX_VALUE, Integer.MAX_VALUE);

    /** The bounds when nothing else is said. */
    public static final ValueLimits DEFAULT = new ValueLimits(1024, 4096);
}
