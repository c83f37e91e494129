package io.summarizer.server.cli;

import org.jspecify.annotations.Nullable;

/**
 * The end of a command that failed, in words for people; it becomes a line on standard error and the exit code of its
 * kind. Details, if there are any, are printed unchanged before that line.
 */
final class CommandFailure extends Exception {
    private static final long serialVersionUID = 1;

    private final Kind kind;
    private final String details;

    /** Causes that scripts can tell apart; {@link Exit} has the code of each. */
    enum Kind {
        /** The work was done, and the answer is no. */
        NO,
        /** An option, the configuration or a query is wrong. */
        USAGE,
        /** The work could not be done. */
        FAILED
    }

    /** Makes a failure of work that could not be done. */
    CommandFailure(String message) {
        this(Kind.FAILED, "", message, null);
    }

    /** Makes a failure of work that could not be done. */
    CommandFailure(String message, Throwable cause) {
        this(Kind.FAILED, "", message, cause);
    }

    /** Makes a failure of a kind. */
    CommandFailure(Kind kind, String message) {
        this(kind, "", message, null);
    }

    /** Makes a failure of a kind. */
    CommandFailure(Kind kind, String message, Throwable cause) {
        this(kind, "", message, cause);
    }

    /** Makes a failure because of an option, the configuration or a query. */
    static CommandFailure usage(String message) {
        return new CommandFailure(Kind.USAGE, message);
    }

    private CommandFailure(Kind kind, String details, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.kind = kind;
        this.details = details;
    }

    /** Makes a failure with several lines to print before its own. */
    static CommandFailure withDetails(Kind kind, String details, String message) {
        return new CommandFailure(kind, details, message, null);
    }

    /** Its kind. */
    Kind kind() {
        return kind;
    }

    /** Lines to print before the message; empty when there are none. */
    String details() {
        return details;
    }
}
