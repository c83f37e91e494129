package io.summarizer.core.ledger;

import io.summarizer.core.message.RejectReason;
import java.util.List;

/**
 * What a message came to. Each has one fate only; where parts of it went different ways, the worst: the one further down.
 *
 * <p>The names stand in checkpoints, as {@link #label()} has them.
 */
public enum Fate {
    /** It is in the rows: of each summary that wanted it. */
    APPLIED("applied", false),
    /** No {@code where} held, or no mapping was for its topic: nobody wanted it. */
    FILTERED("filtered", false),
    /** No event type takes its topic; of a mapping: its own pattern does not. */
    UNMATCHED("unmatched", false),
    /** It had come before. */
    DUPLICATE("duplicate", false),
    /** The journal took it, and a damaged journal no longer has it; of listeners only. */
    LOST("lost", false),
    /** As {@link RejectReason#FRAME}. */
    FRAME("frame", true),
    /** As {@link RejectReason#OVERSIZE}. */
    OVERSIZE("oversize", true),
    /** As {@link RejectReason#ENVELOPE}. */
    ENVELOPE("envelope", true),
    /** As {@link RejectReason#PAYLOAD}. */
    PAYLOAD("payload", true),
    /** As {@link RejectReason#LIMIT}: a summary that it is for had no room for its key. */
    LIMIT("limit", true),
    /** A fault of this program kept it, or a part of it, out of the rows; never, unless there is a bug. */
    FAULT("fault", true);

    private static final List<Fate> ALL = List.of(values());

    private final String label;
    private final boolean rejection;

    Fate(String label, boolean rejection) {
        this.label = label;
        this.rejection = rejection;
    }

    /** All, in their order. */
    public static List<Fate> all() {
        return ALL;
    }

    /** What it is called; of a rejection, the reason. */
    public String label() {
        return label;
    }

    /** Whether the message was rejected. */
    public boolean isRejection() {
        return rejection;
    }

    /**
     * That of a message refused for {@code reason}.
     *
     * @throws IllegalArgumentException when it was not refused
     */
    public static Fate of(RejectReason reason) {
        return switch (reason) {
            case FRAME -> FRAME;
            case OVERSIZE -> OVERSIZE;
            case ENVELOPE -> ENVELOPE;
            case PAYLOAD -> PAYLOAD;
            case LIMIT -> LIMIT;
            case NONE -> throw new IllegalArgumentException("a message refused without a reason");
        };
    }
}
