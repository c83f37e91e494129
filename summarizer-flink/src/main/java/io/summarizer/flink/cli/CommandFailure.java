package io.summarizer.flink.cli;

/** Thrown when a command ends without doing its work; the message is the line that the user sees last. */
final class CommandFailure extends Exception {
    private static final long serialVersionUID = 1;

    private final int exit;
    private final String details;

    /**
     * A failure.
     *
     * @param exit the exit code
     * @param details lines to print before the message; may be empty
     */
    CommandFailure(int exit, String details, String message) {
        super(message);
        this.exit = exit;
        this.details = details;
    }

    int exit() {
        return exit;
    }

    /** The text to show: the details, and the message after {@code program}. */
    String text(String program) {
        return (details.isEmpty() ? "" : details + "\n\n") + program + ": " + getMessage();
    }
}
