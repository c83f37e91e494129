package io.summarizer.core.pipeline;

import io.summarizer.core.evolve.LayoutMatch;

/**
 * Says that other definitions were not taken: what the summaries hold does not go together with them, or cuts hold too much
 * already of what earlier reloads and resets took out; then trying later helps.
 */
public final class ReloadRefusedException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient LayoutMatch match;

    ReloadRefusedException(LayoutMatch match) {
        super(String.join("\n", match.refusals()));
        this.match = match;
    }

    /** Refused because of {@code why}, though all goes together. */
    ReloadRefusedException(LayoutMatch match, String why) {
        super(why);
        this.match = match;
    }

    /** What would have become of each summary, and what does not go together. */
    public LayoutMatch match() {
        return match;
    }
}
