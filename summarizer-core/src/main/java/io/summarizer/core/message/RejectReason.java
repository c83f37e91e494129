package io.summarizer.core.message;

/** The reason why a message was refused; the label of {@code summarizer_rejected_total}. */
public enum RejectReason {
    /** No reason: the message was not refused. */
    NONE,
    /** The stream broke the framing: a bad octet count, a partial counted frame, a failed decompression. */
    FRAME,
    /** Larger than the listener's bound on message size. */
    OVERSIZE,
    /** Claims to be RFC 5424 and is not. */
    ENVELOPE,
    /** The payload does not decode to its event type. */
    PAYLOAD,
    /** A summary had no room, or a key or text was longer than its bound. */
    LIMIT;

    private static final RejectReason[] VALUES = values();

    /** The label's text. */
    public String label() {
        return switch (this) {
            case NONE -> "none";
            case FRAME -> "frame";
            case OVERSIZE -> "oversize";
            case ENVELOPE -> "envelope";
            case PAYLOAD -> "payload";
            case LIMIT -> "limit";
        };
    }

    /** The constant with this ordinal, without the copy that {@code values()} makes. */
    public static RejectReason of(int ordinal) {
        return VALUES[ordinal];
    }
}
