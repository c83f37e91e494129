package io.summarizer.core.ledger;

import java.util.List;
import java.util.Locale;

/**
 * The reason why an expression of a mapping was null although its operands were not null. Checkpoints contain the
 * labels. Renaming a constant changes the label.
 */
public enum NullReason {
    /** A text that is not a number, or not a time. */
    UNREADABLE,
    /** A number outside the range of the result, of the column, or of the type of an operand. */
    RANGE,
    /** A division by zero. */
    DIVISION,
    /** Texts of one event that need more memory than is allowed, or of which its loops read more than is allowed. */
    SPACE;

    private static final List<NullReason> ALL = List.of(values());

    private final String label = name().toLowerCase(Locale.ROOT);

    /** All reasons, in their order. */
    public static List<NullReason> all() {
        return ALL;
    }

    /** The name of the reason in metrics, JSON and checkpoints. */
    public String label() {
        return label;
    }
}
