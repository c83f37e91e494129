package io.summarizer.core.ledger;

import io.summarizer.core.message.RejectReason;
import java.util.List;

/**
 * The fate of a message. Each message has one fate; if its parts have different fates, the worst counts, which is the
 * last of them in this order.
 *
 * <p>Checkpoints contain the names, as {@link #label()}.
 */
public enum Fate {
    /** It is in the rows of each summary that wanted it. */
    APPLIED("applied", false),
    /** Every {@code where} was false, or no mapping takes its topic. */
    FILTERED("filtered", false),
    /** No event type takes its topic; for a mapping: its own pattern does not. */
    UNMATCHED("unmatched", false),
    /** It was received before. */
    DUPLICATE("duplicate", false),
    /** The journal took it, and lost it by damage; of listeners only. */
    LOST("lost", false),
    /** As {@link RejectReason#FRAME}. */
    FRAME("frame", true),
    /** As {@link RejectReason#OVERSIZE}. */
    OVERSIZE("oversize", true),
    /** As {@link RejectReason#ENVELOPE}. */
    ENVELOPE("envelope", true),
    /** As {@link RejectReason#PAYLOAD}. */
    PAYLOAD("payload", true),
    /** As {@link RejectReason#LIMIT}: one of its summaries had no room for its key. */
    LIMIT("limit", true),
    /** Not applied, or not in full, because of a fault of this program, which indicates a bug. */
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

    /** The name; for a rejection, the reason. */
    public String label() {
        return label;
    }

    /** Whether the message was rejected. */
    public boolean isRejection() {
        return rejection;
    }

    /**
     * The fate of a message refused for {@code reason}.
     *
     * @throws IllegalArgumentException for {@link RejectReason#NONE}
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
