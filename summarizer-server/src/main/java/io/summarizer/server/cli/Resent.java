package io.summarizer.server.cli;

/** Reports that messages were sent more than once. */
final class Resent {
    private Resent() {}

    static void tell(Terminal terminal, long messages) {
        if (messages > 0) {
            terminal.err()
                    .println(Units.count(messages)
                            + " of the messages were sent again, as the session broke before they were answered;"
                            + " those that had arrived may count twice");
        }
    }
}
