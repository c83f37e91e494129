package io.summarizer.server.net;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A log that a hostile peer cannot flood. For each kind of event it writes the first event, then at most one event per
 * interval, together with the number of events that were left out. The design follows agrona's {@code
 * DistinctErrorLog}, which keeps a count and two times for each distinct error.
 *
 * <p>Thread-safe. A suppressed event costs a map lookup and no allocation, and its text is not made. Kinds are
 * constants in the code of callers, so the size of the map is bounded.
 */
public final class ThrottledLog {
    private static final Duration INTERVAL = Duration.ofSeconds(10);

    private final System.Logger logger;
    private final long intervalNanos;
    private final LongSupplier nanoTime;
    private final Map<String, Throttle> kinds = new ConcurrentHashMap<>();

    /** Makes a log that writes warnings of each kind at most every 10 s. */
    public ThrottledLog(System.Logger logger) {
        this(logger, INTERVAL, System::nanoTime);
    }

    ThrottledLog(System.Logger logger, Duration interval, LongSupplier nanoTime) {
        this.logger = logger;
        this.intervalNanos = interval.toNanos();
        this.nanoTime = nanoTime;
    }

    /**
     * Writes a warning unless a warning of this kind was written within the interval.
     *
     * @param kind kind of the event, a constant; the line begins with it
     */
    public void warn(String kind, Supplier<String> detail) {
        warn(kind, detail, null);
    }

    /** Writes a warning like {@link #warn(String, Supplier)}, with the stack of {@code cause}. For internal errors. */
    public void warn(String kind, Supplier<String> detail, @Nullable Throwable cause) {
        long leftOut =
                kinds.computeIfAbsent(kind, k -> new Throttle(intervalNanos)).admit(nanoTime.getAsLong());
        if (leftOut >= 0) {
            logger.log(System.Logger.Level.WARNING, kind + ": " + detail.get() + Throttle.more(leftOut), cause);
        }
    }
}
