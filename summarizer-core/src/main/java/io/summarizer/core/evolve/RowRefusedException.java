package io.summarizer.core.evolve;

/** Thrown when a row does not fit into its destination. The message names a remedy. */
public final class RowRefusedException extends Exception {
    private static final long serialVersionUID = 1;

    private final String reason;

    RowRefusedException(String reason) {
        super(reason);
        this.reason = reason;
    }

    /** The error and a remedy. */
    public String reason() {
        return reason;
    }
}
