package io.summarizer.core.message;

/** The reason why a message was refused; the label of {@code summarizer_rejected_total}. */
public enum RejectReason {
    /** No reason: the message was not refused. */
    NONE,
    /** The stream broke the framing: a bad octet count, a partial counted frame, a failed decompression. */
    FRAME,
    /** The message is larger than the listener's bound on message size. */
    OVERSIZE,
    /** The message claims to be RFC 5424 and is malformed. */
    ENVELOPE,
    /** The payload cannot be decoded as its event type. */
    PAYLOAD,
    /** A summary had no room for a key, or a key or text was longer than its bound. */
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
