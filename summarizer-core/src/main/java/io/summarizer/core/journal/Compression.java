package io.summarizer.core.journal;

/** The compression of the messages of a record. */
public enum Compression {
    /** Zstandard at a fast level. It makes messages three to four times smaller, because messages are mostly text. */
    ZSTD,
    /** No compression: for disks that are faster than the processor. */
    NONE
}
