package io.summarizer.bench.chaos;

import java.nio.charset.StandardCharsets;

/**
 * Numbered events. The number of an event determines all its fields, so the count of sent events determines the rows.
 * One event in {@value #PLAIN_EVERY} is of a type without {@code dedup}. Stateless.
 */
final class Numbered {
    /** Number of keys; each event has one of them. */
    static final int KEYS = 499;

    static final int PLAIN_EVERY = 4;

    /** The event types. */
    static final String PROTO = """
            syntax = "proto3";
            message Once  { int64 n = 1; int64 k = 2; int64 amount = 3; }
            message Plain { int64 n = 1; int64 k = 2; int64 amount = 3; }
            """;

    private Numbered() {}

    /**
     * The definitions.
     *
     * @param wider whether each summary has one more field. A reload that adds or removes this field rewrites all rows
     *     and keeps their values.
     */
    static String summ(boolean wider) {
        String more = wider ? "count more = 9;" : "";
        return totals(more) + """
                summary Seen        { key { int64 n = 1; } value { %1$s count times = 1; } }
                map Once  into Seen        { key { n; } times += 1; }
                map Plain into Seen        { key { n; } times += 1; }
                """.formatted(more);
    }

    /** The definitions without the summary {@code Seen}, which has a row for each event. */
    static String totals() {
        return totals("");
    }

    private static String totals(String more) {
        return """
                import "numbered.proto";
                event Once  on "numbered.once"  as csv dedup by syslog.sd["ev@32473"].id within 1h;
                event Plain on "numbered.plain" as csv;
                summary OnceTotals  { key { int64 k = 1; } value { %1$s count events = 1; sumint64 amount = 2; } }
                summary PlainTotals { key { int64 k = 1; } value { %1$s count events = 1; sumint64 amount = 2; } }
                map Once  into OnceTotals  { key { k; } events += 1; amount += amount; }
                map Plain into PlainTotals { key { k; } events += 1; amount += amount; }
                """.formatted(more);
    }

    static boolean isPlain(long number) {
        return number % PLAIN_EVERY == 0;
    }

    static int key(long number) {
        return (int) Long.remainderUnsigned(mix(number), KEYS);
    }

    /** The amount of an event. Different events have different amounts, so a wrong set of events gives a wrong sum. */
    static long amount(long number) {
        return mix(~number) >>> 32;
    }

    private static long mix(long value) {
        long z = (value + 0x9E3779B97F4A7C15L) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }

    /** The event as a message without an id; rsyslog adds an id. */
    static byte[] line(long number) {
        return message(number, "-");
    }

    /** The event as a message with an id of its own. */
    static byte[] withId(long number) {
        return message(number, "[ev@32473 id=\"" + number + "\"]");
    }

    private static byte[] message(long number, String structuredData) {
        String topic = isPlain(number) ? "numbered.plain" : "numbered.once";
        return ("<134>1 2026-11-21T00:00:00Z h a - " + topic + ' ' + structuredData + ' ' + number + ',' + key(number)
                        + ',' + amount(number))
                .getBytes(StandardCharsets.US_ASCII);
    }
}
