package io.summarizer.server.cli;

import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.Logger;

/** Logging of the process: one line per record, on standard error. It works until the end of the process. */
public final class Logging {
    static {
        // The JDK's own manager silences all loggers as soon as the process is told to stop. The service still has
        // things to log then.
        System.setProperty("java.util.logging.manager", Manager.class.getName());
    }

    /** The logger of the program, kept in a field because the JDK forgets loggers that nothing refers to. */
    private static final Logger OURS = Logger.getLogger("io.summarizer");

    /**
     * The loggers of Kafka's client, which are switched off. So nothing that the client knows, such as a password, gets
     * into the log. The service itself logs the client's exceptions, which say what is wrong and do not flood the log.
     */
    private static final Logger KAFKA = Logger.getLogger("org.apache.kafka");

    private Logging() {}

    /** Format of log lines. */
    enum Format {
        /** Time, level and message, with spaces between. */
        TEXT,
        /** One JSON object. */
        JSON
    }

    /**
     * Configures logging; called before the first record. Warnings are always logged. With {@code verbose}, details and
     * stack traces are logged, too.
     */
    static void configure(boolean verbose) {
        if (isConfiguredByHand()) {
            return;
        }
        Logger.getLogger("").setLevel(verbose ? Level.INFO : Level.WARNING);
        KAFKA.setLevel(Level.OFF);
        if (verbose) {
            OURS.setLevel(Level.FINE);
        }
        format(Format.TEXT, verbose);
    }

    /** Switches to the log of a service, which has general events, too. */
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
            handler.setFilter(new LibraryLogFilter(System::nanoTime));
        }
    }

    private static boolean isConfiguredByHand() {
        return System.getProperty("java.util.logging.config.file") != null;
    }

    /** A log manager whose loggers work until the process has ended. */
    public static final class Manager extends LogManager {
        /** Made by the JDK, by name. */
        public Manager() {}

        /**
         * Does nothing, because the JDK's shutdown hook calls it too early. Handlers flush each line, so nothing is
         * left to close.
         */
        @Override
        public void reset() {}
    }
}
