package io.summarizer.core.window;

/**
 * A flag that tells whether an event belongs to a closed window. All {@link WindowInput}s of a parser worker share one
 * flag. Used by the worker's thread.
 */
public final class LateFlag {
    private boolean raised;

    /** Notes that an event belongs to a closed window. */
    void raise() {
        raised = true;
    }

    /** Whether the flag was raised since {@link #lower}. */
    public boolean isRaised() {
        return raised;
    }

    /** Lowers the flag, before the next message. */
    public void lower() {
        raised = false;
    }
}
