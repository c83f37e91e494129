package io.summarizer.core.pipeline;

/**
 * Thrown when a summary is not emptied, because cuts hold too much of what earlier resets removed. A later try may
 * succeed.
 */
public final class ResetRefusedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** A refusal for {@code why}. */
    public ResetRefusedException(String why) {
        super(why);
    }
}
