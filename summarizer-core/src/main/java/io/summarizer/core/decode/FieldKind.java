package io.summarizer.core.decode;

/** The kind of a wanted field: how decoders read it, and what its slot holds. */
public enum FieldKind {
    /** A signed 32-bit integer, as a long. */
    INT32,
    /** A signed 64-bit integer. */
    INT64,
    /** An unsigned 32-bit integer, as a long. */
    UINT32,
    /** An unsigned 64-bit integer, as the bits of a long. */
    UINT64,
    /** A finite number, as the bits of the nearest double (for a proto {@code float} too). */
    DOUBLE,
    /** {@code true} or {@code false}, as 1 or 0. */
    BOOL,
    /** A text in well-formed UTF-8, as a string reference of {@link InputEvent}. */
    STRING,
    /** A string reference to the name of an enum's constant. */
    ENUM,
    /** µs since the epoch. */
    TIMESTAMP,
    /**
     * A singular message, flattened into its parent's record. If the message has a slot, the slot shows only whether
     * the message is present.
     */
    MESSAGE,
    /** A repeated field, as a list of element records. */
    LIST,
    /** A map, as a list of element records with one record for each key. */
    MAP,
    /**
     * A field that no mapping reads, but that is a member of a {@code oneof}. If the field is present, the other
     * members become null. Has no slot.
     */
    MEMBER
}
