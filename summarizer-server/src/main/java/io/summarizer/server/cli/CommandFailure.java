package io.summarizer.server.cli;

/**
 * What a command cannot do, in words for people; becomes a line on standard error and exit code 1. Where there is more to
 * show than a line, the details stand before it, as they are.
 */
final class CommandFailure extends Exception {
    private static final long serialVersionUID = 1;

    private final String details;

    CommandFailure(String message) {
        super(message);
        details = "";
    }

    CommandFailure(String message, Throwable cause) {
        super(message, cause);
        details = "";
    }

    private CommandFailure(String details, String message) {
        super(message);
        this.details = details;
    }

    /** A failure with several lines to be shown before its own. */
    static CommandFailure withDetails(String details, String message) {
        return new CommandFailure(details, message);
    }

    /** Lines to be shown before the message; empty when there are none. */
    String details() {
        return details;
    }
}
