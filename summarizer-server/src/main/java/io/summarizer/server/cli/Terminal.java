package io.summarizer.server.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * The streams of a command. Answers go to {@link #out}. Large answers go to {@link #data}, which is the same stream.
 * Everything else goes to {@link #err}. Input comes from {@link #in}. The JVM cannot tell whether a single stream is a
 * terminal. So the start script finds out which of the streams {@code in}, {@code out} and {@code err} are terminals,
 * and puts their names into the property {@code summarizer.terminal}.
 */
record Terminal(
        InputStream in,
        PrintStream out,
        StandardOutput data,
        PrintStream err,
        boolean inIsTerminal,
        boolean outIsTerminal,
        boolean errIsTerminal,
        int columns) {
    private static final int COLUMNS_DEFAULT = 100;
    private static final int COLUMNS_MIN = 20;

    /** The streams of the process, UTF-8. */
    static Terminal ofProcess() {
        String terminals = System.getProperty("summarizer.terminal", "");
        return of(
                System.in,
                new FileOutputStream(FileDescriptor.out),
                new FileOutputStream(FileDescriptor.err),
                terminals,
                columnsOfProcess());
    }

    private static Terminal of(InputStream in, OutputStream out, OutputStream err, String terminals, int columns) {
        StandardOutput data = new StandardOutput(out);
        return new Terminal(
                in,
                new PrintStream(data, true, StandardCharsets.UTF_8),
                data,
                new PrintStream(err, true, StandardCharsets.UTF_8),
                terminals.contains("in"),
                terminals.contains("out"),
                terminals.contains("err"),
                columns);
    }

    /** Number of columns; some terminals report none. */
    private static int columnsOfProcess() {
        int columns = Integer.getInteger("summarizer.columns", COLUMNS_DEFAULT);
        return columns < COLUMNS_MIN ? COLUMNS_DEFAULT : columns;
    }

    /** Makes streams that are no terminal, for tests. */
    static Terminal of(OutputStream out, OutputStream err) {
        return of(InputStream.nullInputStream(), out, err, "", COLUMNS_DEFAULT);
    }

    /** Returns the text in bold if standard output is a terminal, otherwise the text itself. */
    String bold(String text) {
        return outIsTerminal ? "\033[1m" + text + "\033[0m" : text;
    }

    /** Returns the text in a quiet colour if standard output is a terminal, otherwise the text itself. */
    String dim(String text) {
        return outIsTerminal ? "\033[2m" + text + "\033[0m" : text;
    }

    /** Returns the text in an accent colour if standard output is a terminal, otherwise the text itself. */
    String accent(String text) {
        return outIsTerminal ? "\033[36m" + text + "\033[0m" : text;
    }
}
