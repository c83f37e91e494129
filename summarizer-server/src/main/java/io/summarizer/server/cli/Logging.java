package io.summarizer.server.cli;

import java.util.logging.Level;
import java.util.logging.Logger;

/** Log lines of the process: one line each, on standard error. */
final class Logging {
    private static final String FORMAT_PROPERTY = "java.util.logging.SimpleFormatter.format";

    private Logging() {}

    /** To be called before anything logs. Warnings always; with {@code verbose} what happens in general, too. */
    static void configure(boolean verbose) {
        if (System.getProperty("java.util.logging.config.file") != null) {
            return; // somebody wants it otherwise
        }
        if (System.getProperty(FORMAT_PROPERTY) == null) {
            System.setProperty(FORMAT_PROPERTY, "%1$tFT%1$tT.%1$tL %4$s %5$s%6$s%n");
        }
        Logger.getLogger("").setLevel(verbose ? Level.INFO : Level.WARNING);
    }
}
