package io.summarizer.core.evolve;

/** Says that a row does not fit where it is to go, and what to do. */
public final class RowRefusedException extends Exception {
    private static final long serialVersionUID = 1;

    private final String reason;

    RowRefusedException(String reason) {
        super(reason);
        this.reason = reason;
    }

    /** What does not fit, and what to do. */
    public String reason() {
        return reason;
    }
}
