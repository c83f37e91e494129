package io.summarizer.core.ledger;

import java.util.List;

/** Why an expression of a mapping came to null though its operands were there. The labels stand in checkpoints. */
public enum NullReason {
    /** Text that is no number, or no time. */
    UNREADABLE("unreadable"),
    /** A number that the result, the column or the type of an operand cannot hold. */
    RANGE("range"),
    /** A division by zero. */
    DIVISION("division"),
    /** Texts of one event that take more room than there is for them. */
    SPACE("space");

    private static final List<NullReason> ALL = List.of(values());

    private final String label;

    NullReason(String label) {
        this.label = label;
    }

    /** All, in their order. */
    public static List<NullReason> all() {
        return ALL;
    }

    /** Its name in metrics, JSON and checkpoints. */
    public String label() {
        return label;
    }
}
