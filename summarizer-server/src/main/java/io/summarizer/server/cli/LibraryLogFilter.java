package io.summarizer.server.cli;

import io.summarizer.server.net.Throttle;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
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
    private final Map<String, Throttle> lines = new ConcurrentHashMap<>();

    LibraryLogFilter(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    @Override
    public boolean isLoggable(LogRecord line) {
        String logger = String.valueOf(line.getLoggerName());
        if (!logger.startsWith(PREFIX)) {
            return true;
        }
        long leftOut = lines.computeIfAbsent(logger, first -> new Throttle(INTERVAL_NANOS))
                .admit(nanoTime.getAsLong());
        if (leftOut > 0) {
            line.setMessage(line.getMessage() + Throttle.more(leftOut));
        }
        return leftOut >= 0;
    }
}
