package io.summarizer.core.pipeline;

/**
 * Thrown when a reset is refused because cuts hold too many rows that earlier resets removed. A later try may succeed.
 */
public final class ResetRefusedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** A refusal for {@code why}. */
    public ResetRefusedException(String why) {
        super(why);
    }
}
