package io.summarizer.core.pipeline;

/** Says that a summary was not emptied, because too much is kept of what earlier resets took out. Trying later helps. */
public final class ResetRefusedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Refused because of {@code why}. */
    public ResetRefusedException(String why) {
        super(why);
    }
}
