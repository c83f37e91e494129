package io.summarizer.core.store;

/** Type of a key column. */
public enum KeyType {
    INT32(4),
    INT64(8),
    UINT32(4),
    UINT64(8),
    BOOL(1),
    /** UTF-8 bytes, of any length. */
    STRING(0),
    /** Microseconds since the epoch, UTC. */
    TIMESTAMP(8);

    private final int bytes;

    KeyType(int bytes) {
        this.bytes = bytes;
    }

    /** Number of bytes in the fixed part of an encoded key; 0 for a string, because strings are in the tail. */
    public int bytes() {
        return bytes;
    }

    /** The name in the language. */
    public String keyword() {
        return name().toLowerCase(java.util.Locale.ROOT);
    }
}
