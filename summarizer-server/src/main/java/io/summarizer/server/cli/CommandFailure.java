package io.summarizer.server.cli;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Ends a command that failed. The message is printed as a line on standard error, after the details, if there are any.
 * The kind of the failure determines the exit code.
 */
final class CommandFailure extends Exception {
    private static final long serialVersionUID = 1;

    private final int exit;
    private final String details;

    /** Makes a failure for work that could not be done. */
    CommandFailure(String message) {
        this(Exit.FAILED, "", message, null);
    }

    /** Makes a failure for work that could not be done. */
    CommandFailure(String message, Throwable cause) {
        this(Exit.FAILED, "", message, cause);
    }

    /** Makes a failure with an exit code. */
    CommandFailure(int exit, String message) {
        this(exit, "", message, null);
    }

    /** Makes a failure with an exit code. */
    CommandFailure(int exit, String message, Throwable cause) {
        this(exit, "", message, cause);
    }

    /** Makes a failure for an invalid option, configuration or query. */
    static CommandFailure usage(String message) {
        return new CommandFailure(Exit.USAGE, message);
    }

    /**
     * Makes the failure for {@code asked}, which is not the name of a summary. The message lists the existing
     * summaries.
     */
    static CommandFailure noSummary(String asked, List<String> present) {
        return usage("there is no summary " + asked
                + (present.isEmpty() ? ", nor any other" : "; there are: " + String.join(", ", present)));
    }

    private CommandFailure(int exit, String details, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.exit = exit;
        this.details = details;
    }

    /** Makes a failure with several lines to print before its own line. */
    static CommandFailure withDetails(int exit, String details, String message) {
        return new CommandFailure(exit, details, message, null);
    }

    /** The exit code, one of {@link Exit}. */
    int exit() {
        return exit;
    }

    /** The lines to print before the message; empty when there are no such lines. */
    String details() {
        return details;
    }
}
