package io.summarizer.server.cli;

import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.Logger;

/** Log lines of the process: one line each, on standard error, until the process has ended. */
public final class Logging {
    static {
        // The JDK's own silences all loggers when the process is told to stop, which is when the service has things to
        // say.
        System.setProperty("java.util.logging.manager", Manager.class.getName());
    }

    /** A field, as the JDK forgets loggers that nobody holds. */
    private static final Logger OURS = Logger.getLogger("io.summarizer");

    private Logging() {}

    /** How a log line looks. */
    enum Format {
        /** Time, level and message, with spaces between. */
        TEXT,
        /** One JSON object. */
        JSON
    }

    /** To be called before anything logs. Warnings always; with {@code verbose} what happens in detail, and stack traces, too. */
    static void configure(boolean verbose) {
        // The JDK's own silences all loggers when the process is told to stop, which is when the service has things to
        // say.
        System.setProperty("java.util.logging.manager", Manager.class.getName());
        if (isConfiguredByHand()) {
            return;
        }
        Logger.getLogger("").setLevel(verbose ? Level.INFO : Level.WARNING);
        if (verbose) {
            OURS.setLevel(Level.FINE);
        }
        format(Format.TEXT, verbose);
    }

    /** Goes over to the lines of a service, which tells what happens in general. */
    static void serve(Format format, boolean verbose) {
        if (!isConfiguredByHand()) {
            Logger.getLogger("").setLevel(Level.INFO);
            format(format, verbose);
        }
    }

    private static void format(Format format, boolean verbose) {
        for (Handler handler : Logger.getLogger("").getHandlers()) {
            handler.setLevel(Level.ALL);
            handler.setFormatter(new LogFormatter(format, verbose));
        }
    }

    private static boolean isConfiguredByHand() {
        return System.getProperty("java.util.logging.config.file") != null;
    }

    /** A log manager that goes on while the process ends. */
    public static final class Manager extends LogManager {
        /** Made by the JDK, by name. */
        public Manager() {}

        /** Called by the JDK's shutdown hook; handlers write each line through, so that nothing is left to close. */
        @Override
        public void reset() {}
    }
}
