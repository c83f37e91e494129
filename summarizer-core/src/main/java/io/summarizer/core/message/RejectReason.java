package io.summarizer.core.message;

import java.util.Locale;

/**
 * The reason why a message was refused; a label of {@code summarizer_rejected_total}. Renaming a constant changes the
 * label.
 */
public enum RejectReason {
    /** No reason: the message was not refused. */
    NONE,
    /** The stream violated the framing rules: a bad octet count, a partial counted frame, a failed decompression. */
    FRAME,
    /** The message is larger than the listener's bound on message size. */
    OVERSIZE,
    /** The message starts like RFC 5424, but is malformed. */
    ENVELOPE,
    /** The payload cannot be decoded as an event of its type. */
    PAYLOAD,
    /** A summary could take no further key, or a key or text was too long. */
    LIMIT;

    private static final RejectReason[] VALUES = values();

    private final String label = name().toLowerCase(Locale.ROOT);

    /** The label's text. */
    public String label() {
        return label;
    }

    /** The constant with this ordinal, without the copy that {@code values()} makes. */
    public static RejectReason of(int ordinal) {
        return VALUES[ordinal];
    }
}
