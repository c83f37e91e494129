package io.summarizer.core.snapshot;

/**
 * Thrown when a view can no longer be read: its cut was revoked because copies took too much memory, or its last holder
 * released it. All data that were read before this exception are correct.
 */
public final class CutRevokedException extends RuntimeException {
    /** The reason why cuts are revoked, for messages. */
    public static final String REASON =
            "rows that changed or moved to files since it was taken needed more memory than cuts may have"
                    + " (cuts.memory)";

    private static final long serialVersionUID = 1;

    CutRevokedException(String message) {
        super(message);
    }
}
