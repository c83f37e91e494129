package io.summarizer.server.cli;

import io.summarizer.server.replay.RelpTarget;

/** Tells that messages were sent more than once. */
final class Resent {
    private Resent() {}

    static void tell(Terminal terminal, RelpTarget target) {
        if (target.resent() > 0) {
            terminal.err()
                    .println(Units.count(target.resent())
                            + " of the messages were sent again, as the session broke before they were answered;"
                            + " those that had arrived may count twice");
        }
    }
}
