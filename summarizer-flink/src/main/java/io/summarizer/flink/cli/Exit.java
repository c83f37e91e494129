package io.summarizer.flink.cli;

/** The exit codes, which are those of all commands. */
final class Exit {
    /** Success. */
    static final int OK = 0;
    /** The command did its work, and its answer is no. */
    static final int NO = 1;
    /** An option is wrong. */
    static final int USAGE = 2;
    /** The command could not do its work. */
    static final int FAILED = 3;

    private Exit() {}
}
