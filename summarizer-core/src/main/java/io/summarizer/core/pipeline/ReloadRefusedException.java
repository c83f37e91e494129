package io.summarizer.core.pipeline;

import io.summarizer.core.evolve.LayoutMatch;

/**
 * Thrown when other definitions are refused. Either the rows of the summaries are not compatible with the new
 * definitions, or cuts hold too many stores that earlier reloads and resets retired. In the second case, a later try
 * may succeed.
 */
public final class ReloadRefusedException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient LayoutMatch match;

    ReloadRefusedException(LayoutMatch match) {
        super(String.join("\n", match.refusals()));
        this.match = match;
    }

    /** A refusal for the reason {@code why}, although all summaries are compatible. */
    ReloadRefusedException(LayoutMatch match, String why) {
        super(why);
        this.match = match;
    }

    /** The match of the refused definitions, with the incompatibilities. */
    public LayoutMatch match() {
        return match;
    }
}
