package io.summarizer.core.store;

/**
 * How many keys a summary, or a nested one over all its parents, may have by its definition, and what becomes of updates for
 * further ones. Immutable.
 *
 * @param keys the bound, or 0: what the server allows
 */
public record KeyLimit(long keys, Overflow overflow) {
    /** What becomes of updates for keys beyond the bound. */
    public enum Overflow {
        /** They are refused. */
        REJECT,
        /** They go to the summary that takes the overflow of this one. */
        OTHER,
        /** This is such a summary: whatever the key, there is one row, and its key is null. */
        KEYLESS
    }

    /** As many as the server allows; further ones are refused. */
    public static final KeyLimit DEFAULT = new KeyLimit(0, Overflow.REJECT);

    /** Of a summary that takes the overflow of another one. */
    public static final KeyLimit KEYLESS = new KeyLimit(0, Overflow.KEYLESS);

    /** A bound of so many keys; further ones are refused. */
    public static KeyLimit of(long keys) {
        return new KeyLimit(keys, Overflow.REJECT);
    }

    /** A bound of so many keys; updates for further ones are kept together. */
    public static KeyLimit withOther(long keys) {
        return new KeyLimit(keys, Overflow.OTHER);
    }
}
