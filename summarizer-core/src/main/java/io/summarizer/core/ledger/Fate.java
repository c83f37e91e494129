package io.summarizer.core.ledger;

import io.summarizer.core.message.RejectReason;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The fate of a message. Each message has one fate. If parts of a message have different fates, the worst of them is
 * the fate of the message. The constants are in order, the worst fate last.
 *
 * <p>Checkpoints contain the names, as {@link #label()}. Renaming a constant changes the label.
 */
public enum Fate {
    /** The message is in the rows of each summary that wanted it. */
    APPLIED(false),
    /** Every {@code where} was false, or no mapping takes the topic of the message. */
    FILTERED(false),
    /** No event type takes the topic of the message. For a mapping: the mapping's pattern does not match the topic. */
    UNMATCHED(false),
    /** The message was received before. */
    DUPLICATE(false),
    /** The journal took the message, and lost it by damage. Only accounts of listeners have this fate. */
    LOST(false),
    /** Rejected for {@link RejectReason#FRAME}. */
    FRAME(true),
    /** Rejected for {@link RejectReason#OVERSIZE}. */
    OVERSIZE(true),
    /** Rejected for {@link RejectReason#ENVELOPE}. */
    ENVELOPE(true),
    /** Rejected for {@link RejectReason#PAYLOAD}. */
    PAYLOAD(true),
    /** Rejected because a summary has windows, and the time of the event is null. */
    UNTIMED(true),
    /** Rejected because a summary has windows, and the time of the event is too far after its arrival. */
    EARLY(true),
    /** Rejected because the window of the event was closed. */
    LATE(true),
    /** Rejected for {@link RejectReason#LIMIT}: one of the summaries of the message had no room for the key. */
    LIMIT(true),
    /** Not applied, or not in full, because of a fault of this program. This indicates a bug. */
    FAULT(true);

    private static final List<Fate> ALL = List.of(values());
    private static final List<Fate> REJECTIONS =
            ALL.stream().filter(fate -> fate.rejection && fate != FAULT).toList();

    private final String label = name().toLowerCase(Locale.ROOT);
    private final boolean rejection;

    Fate(boolean rejection) {
        this.rejection = rejection;
    }

    /** All fates, in their order. */
    public static List<Fate> all() {
        return ALL;
    }

    /** The rejections, without faults of this program. */
    public static List<Fate> rejections() {
        return REJECTIONS;
    }

    /** The name of the fate; for a rejection, the reason. */
    public String label() {
        return label;
    }

    /** Whether the message was rejected. */
    public boolean isRejection() {
        return rejection;
    }

    /** Whether owners reject single updates with this fate, and apply the other updates of the message. */
    public boolean isOfUpdates() {
        return this == UNTIMED || this == EARLY || this == LATE || this == LIMIT;
    }

    /** Returns the worse of two fates. Null stands for no fate. */
    public static @Nullable Fate worse(@Nullable Fate a, @Nullable Fate b) {
        return a == null || (b != null && a.compareTo(b) < 0) ? b : a;
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
