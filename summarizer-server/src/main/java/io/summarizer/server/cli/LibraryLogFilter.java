package io.summarizer.server.cli;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.logging.Filter;
import java.util.logging.LogRecord;

/**
 * Lets at most one line of each class of Netty through every 10 s. Clients cause some of these lines, so they could
 * fill the disk. Lines of other loggers pass. Thread-safe; the classes of Netty bound the size of the map.
 */
final class LibraryLogFilter implements Filter {
    private static final String PREFIX = "io.netty.";
    private static final long INTERVAL_NANOS = Duration.ofSeconds(10).toNanos();

    private final LongSupplier nanoTime;
    private final Map<String, Lines> lines = new HashMap<>();

    LibraryLogFilter(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    private static final class Lines {
        private final long writtenAt;
        private long leftOut;

        Lines(long writtenAt) {
            this.writtenAt = writtenAt;
        }
    }

    @Override
    public synchronized boolean isLoggable(LogRecord line) {
        String logger = String.valueOf(line.getLoggerName());
        if (!logger.startsWith(PREFIX)) {
            return true;
        }
        long now = nanoTime.getAsLong();
        Lines before = lines.get(logger);
        if (before != null && now - before.writtenAt < INTERVAL_NANOS) {
            before.leftOut++;
            return false;
        }
        lines.put(logger, new Lines(now));
        if (before != null && before.leftOut > 0) {
            line.setMessage(line.getMessage() + " (and " + before.leftOut + " more since the last such line)");
        }
        return true;
    }
}
