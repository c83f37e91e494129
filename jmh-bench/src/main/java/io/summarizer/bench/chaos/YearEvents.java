package io.summarizer.bench.chaos;

import io.summarizer.core.text.TimestampText;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;

/**
 * Numbered events of successive hours. The number of an event determines all its fields, so the number of sent events
 * determines the rows of each hour. Events are out of order, but by a shorter time than {@code close after} allows. So
 * no event is late. Stateless.
 */
final class YearEvents {
    /** The summary. */
    static final String SUMMARY = "Hourly";
    /** Events for each hour. */
    static final int AN_HOUR = 120;

    static final long HOUR_MICROS = 3_600_000_000L;
    private static final String TOPIC = "year.hit";
    private static final int KEYS = 20;
    private static final long START_SECONDS =
            Instant.parse("2023-01-01T00:00:00Z").getEpochSecond();
    private static final int HOUR_SECONDS = 3_600;
    private static final int STEP_SECONDS = HOUR_SECONDS / AN_HOUR;
    private static final int DELAY_SECONDS_MAX = 100;
    private static final long MICROS = 1_000_000;

    static final String PROTO = """
            syntax = "proto3";
            import "google/protobuf/timestamp.proto";
            message Hit { google.protobuf.Timestamp time = 1; int64 k = 2; int64 amount = 3; }
            """;

    /**
     * The definitions. The time of {@code dedup} covers all repetitions. The bound on ids keeps the memory for ids
     * constant throughout the run.
     */
    static final String SUMM = """
            import "year.proto";
            event Hit on "year.hit" as csv dedup by syslog.sd["ev@32473"].id within 1h;
            summary Hourly {
                window hour every 1h close after 2m;
                key { timestamp hour = 1; int64 k = 2; }
                value { count events = 1; sumint64 amount = 2; }
            }
            map Hit into Hourly { key { hour = time; k; } events += 1; amount += amount; }
            """;

    /** Header of the rows. */
    static final String HEADER = "hour,k,events,amount\n";

    private record Row(long events, long amount) {
        static Row plus(Row a, Row b) {
            return new Row(a.events + b.events, a.amount + b.amount);
        }
    }

    private YearEvents() {}

    /** The message of an event. */
    static byte[] message(long number) {
        String time = TimestampText.toString(seconds(number) * MICROS);
        return ("<134>1 2023-01-01T00:00:00Z h a - " + TOPIC + " [ev@32473 id=\"" + number + "\"] " + time + ','
                        + key(number) + ',' + Numbered.amount(number))
                .getBytes(StandardCharsets.US_ASCII);
    }

    private static long seconds(long number) {
        long delay = Numbered.amount(~number) % DELAY_SECONDS_MAX;
        return START_SECONDS + Math.max(0, number * STEP_SECONDS - delay);
    }

    private static int key(long number) {
        return Numbered.key(number) % KEYS;
    }

    /** Start of an hour, in µs since the epoch. */
    static long start(int hour) {
        return START_SECONDS * MICROS + hour * HOUR_MICROS;
    }

    /** Start of an hour, as in CSV. */
    static String startText(int hour) {
        return TimestampText.toString(start(hour));
    }

    /**
     * The rows of an hour as CSV without a header, by key.
     *
     * @param sent number of events that were sent
     */
    static String rows(int hour, long sent) {
        Map<Integer, Row> rows = new TreeMap<>();
        long first = (long) hour * AN_HOUR;
        long end = Math.min(sent, first + AN_HOUR + DELAY_SECONDS_MAX / STEP_SECONDS + 1);
        for (long number = first; number < end; number++) {
            if ((seconds(number) - START_SECONDS) / HOUR_SECONDS == hour) {
                rows.merge(key(number), new Row(1, Numbered.amount(number)), Row::plus);
            }
        }
        StringBuilder csv = new StringBuilder();
        rows.forEach((key, row) -> csv.append(startText(hour))
                .append(',')
                .append(key)
                .append(',')
                .append(row.events)
                .append(',')
                .append(row.amount)
                .append('\n'));
        return csv.toString();
    }
}
