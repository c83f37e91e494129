package io.summarizer.core.journal;

/** How the messages of a record are packed. */
public enum Compression {
    /** Zstandard at a fast level: some three to four times smaller, for what is mostly text. */
    ZSTD,
    /** As they are: for disks that are faster than the processor. */
    NONE
}
