package io.summarizer.bench.chaos;

import io.summarizer.core.text.TimestampText;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/**
 * The events of a {@link WindowsRun}. When an event is first sent, it gets its time: the present time less a delay. The
 * number of an event determines the delay and all other fields. Most delays are shorter than {@code close after}. Of
 * 1,000 events, three have no time, and three have a time far ahead. Ten have so long a delay that their windows are
 * usually closed when they arrive; only an outage of the service may keep these windows open. Thread-safe.
 */
final class TimedEvents {
    static final String TOPIC = "windows.beat";
    /** Width of a window of {@code Slots}, in µs. */
    static final long SLOT_MICROS = TimeUnit.SECONDS.toMicros(5);
    /** Width of a window of {@code Brief}, in µs. */
    static final long BRIEF_MICROS = TimeUnit.SECONDS.toMicros(1);
    /** Time for which the files of {@code Brief} are kept, in µs. */
    static final long KEEP_MICROS = TimeUnit.SECONDS.toMicros(60);

    static final String PROTO = """
            syntax = "proto3";
            import "google/protobuf/timestamp.proto";
            message Beat { google.protobuf.Timestamp time = 1; int64 n = 2; int64 k = 3; int64 amount = 4; }
            """;

    private static final int OF = 1_000;
    private static final int UNTIMED = 3;
    private static final int EARLY = 6;
    private static final int LATE = 16;
    private static final long EARLY_MICROS = TimeUnit.HOURS.toMicros(2);
    private static final long LATE_MICROS_MIN = TimeUnit.SECONDS.toMicros(12);
    private static final long LATE_MICROS_MAX = TimeUnit.SECONDS.toMicros(30);
    private static final long DELAY_MICROS_MAX = TimeUnit.MILLISECONDS.toMicros(1_500);

    /** Times of the sent events in µs since the epoch, by the number of the event. */
    private long[] times = new long[1 << 16];

    private int sent;

    /**
     * The definitions. {@code Slots} has a row for each event, and the files of its windows are not deleted; {@code
     * Brief} has narrower windows with sums by key; {@code Totals} has the same sums without windows.
     *
     * @param keeps whether the windows of {@code Brief} are deleted after a time
     */
    static String summ(boolean keeps) {
        return """
                import "beat.proto";
                event Beat on "%s" as csv dedup by syslog.sd["ev@32473"].id within 1h;
                summary Slots {
                    window slot every 5s close after 2s;
                    key { timestamp slot = 1; int64 n = 2; }
                    value { count times = 1; }
                }
                summary Brief {
                    window second every 1s close after 2s%s;
                    key { timestamp second = 1; int64 k = 2; }
                    value { count events = 1; sumint64 amount = 2; }
                }
                summary Totals { key { int64 k = 1; } value { count events = 1; sumint64 amount = 2; } }
                map Beat into Slots  { key { slot = time; n; } times += 1; }
                map Beat into Brief  { key { second = time; k; } events += 1; amount += amount; }
                map Beat into Totals { key { k; } events += 1; amount += amount; }
                """.formatted(TOPIC, keeps ? " keep 60s" : "");
    }

    /** The event as a message without an id; rsyslog adds an id. */
    byte[] line(long number) {
        return message(number, "-");
    }

    /** The event as a message with an id of its own. */
    byte[] withId(long number) {
        return message(number, "[ev@32473 id=\"" + number + "\"]");
    }

    private byte[] message(long number, String structuredData) {
        long time = timeToSend(number);
        String text = isUntimed(number) ? "" : TimestampText.toString(time);
        return ("<134>1 2026-11-21T00:00:00Z h a - " + TOPIC + ' ' + structuredData + ' ' + text + ',' + number + ','
                        + Numbered.key(number) + ',' + Numbered.amount(number))
                .getBytes(StandardCharsets.US_ASCII);
    }

    private synchronized long timeToSend(long number) {
        int at = Math.toIntExact(number);
        if (at == sent) {
            if (at == times.length) {
                times = Arrays.copyOf(times, 2 * at);
            }
            times[at] = ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now()) - delay(number);
            sent++;
        }
        return times[at];
    }

    private static long delay(long number) {
        int share = share(number);
        long random = Numbered.amount(~number);
        if (share < EARLY) {
            return -EARLY_MICROS;
        }
        return share < LATE
                ? LATE_MICROS_MIN + random % (LATE_MICROS_MAX - LATE_MICROS_MIN)
                : random % DELAY_MICROS_MAX;
    }

    private static int share(long number) {
        return (int) (Numbered.amount(number ^ Integer.MAX_VALUE) % OF);
    }

    /** Whether an event has no time. */
    static boolean isUntimed(long number) {
        return share(number) < UNTIMED;
    }

    /** Whether the time of an event is too far ahead. */
    static boolean isEarly(long number) {
        return !isUntimed(number) && share(number) < EARLY;
    }

    /** Whether an event has a window. */
    static boolean hasWindow(long number) {
        return share(number) >= EARLY;
    }

    /** Whether an event is sent with a delay after which its window is usually closed. */
    static boolean isLate(long number) {
        return hasWindow(number) && share(number) < LATE;
    }

    /** Start of an event's window, in µs since the epoch. The event must have been sent, and must have a window. */
    synchronized long window(long number, long widthMicros) {
        return Math.floorDiv(times[Math.toIntExact(number)], widthMicros) * widthMicros;
    }
}
