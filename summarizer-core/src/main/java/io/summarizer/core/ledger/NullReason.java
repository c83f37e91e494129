package io.summarizer.core.ledger;

import java.util.List;

/**
 * The reason why an expression of a mapping was null although its operands were not null. Checkpoints contain the
 * labels.
 */
public enum NullReason {
    /** A text that is not a number, or not a time. */
    UNREADABLE("unreadable"),
    /** A number outside the range of the result, of the column, or of the type of an operand. */
    RANGE("range"),
    /** A division by zero. */
    DIVISION("division"),
    /** Texts of one event that need more memory than is allowed. */
    SPACE("space");

    private static final List<NullReason> ALL = List.of(values());

    private final String label;

    NullReason(String label) {
        this.label = label;
    }

    /** All reasons, in their order. */
    public static List<NullReason> all() {
        return ALL;
    }

    /** The name of the reason in metrics, JSON and checkpoints. */
    public String label() {
        return label;
    }
}
