package io.summarizer.bench.sweep;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/**
 * A value for each factor; empty for one that means nothing beside the others, so that two points which are the same server
 * are equal. Immutable.
 */
public final class Point {
    private static final int ID_BYTES = 4;

    private final Map<Factor, String> values;

    private Point(EnumMap<Factor, String> values) {
        this.values = Collections.unmodifiableMap(values);
    }

    /** The point of these values; a factor that is missing is empty. */
    public static Point of(Map<Factor, String> given) {
        EnumMap<Factor, String> values = new EnumMap<>(Factor.class);
        for (Factor factor : Factor.values()) {
            values.put(factor, given.getOrDefault(factor, ""));
        }
        switch (values.getOrDefault(Factor.MODE, "")) {
            case "locked", "inline" -> {
                for (Factor factor : List.of(
                        Factor.PARSE_QUEUE,
                        Factor.PARSE_CAPACITY,
                        Factor.PARSE_WORKERS,
                        Factor.OWNER_QUEUE,
                        Factor.OWNER_CAPACITY,
                        Factor.OWNER_WORKERS)) {
                    values.put(factor, "");
                }
            }
            default -> {}
        }
        settleWait(values, Factor.PARSE_QUEUE, Factor.PARSE_WAIT);
        settleWait(values, Factor.OWNER_QUEUE, Factor.OWNER_WAIT);
        return new Point(values);
    }

    /** A queue that blocks by itself has no wait to choose; the others' default is to block, too. */
    private static void settleWait(EnumMap<Factor, String> values, Factor queue, Factor wait) {
        boolean polls = Factor.POLLING.contains(values.getOrDefault(queue, ""));
        values.merge(wait, "", (given, none) -> !polls ? none : given.isEmpty() ? "blocking" : given);
    }

    /** What a factor is set to; empty when it means nothing here. */
    public String value(Factor factor) {
        return values.getOrDefault(factor, "");
    }

    /** All values. */
    public Map<Factor, String> values() {
        return values;
    }

    /** A short name that depends on all values and on nothing else. */
    public String id() {
        StringBuilder text = new StringBuilder();
        values.forEach((factor, value) ->
                text.append(factor.column()).append('=').append(value).append('\n'));
        try {
            byte[] hash =
                    MessageDigest.getInstance("SHA-256").digest(text.toString().getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash, 0, ID_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /** The settings that make a server this point. */
    public List<String> settings() {
        List<String> settings = new ArrayList<>();
        values.forEach((factor, value) -> {
            String key = factor.key();
            if (key == null || value.isEmpty()) {
                return;
            }
            settings.add(key + "=" + (factor == Factor.LINGER_US ? duration(value) : value));
        });
        return settings;
    }

    private static String duration(String micros) {
        long value = Long.parseLong(micros);
        return value % 1000 == 0 ? value / 1000 + "ms" : value + "us";
    }

    /** For people: what it is, as short as it can be told apart. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        text.append(value(Factor.WORKLOAD)).append(' ');
        if (value(Factor.MODE).equals("queued")) {
            text.append(value(Factor.PARSE_QUEUE)).append('-').append(value(Factor.OWNER_QUEUE));
        } else {
            text.append(value(Factor.MODE));
        }
        append(text, "", Factor.PARSE_WAIT);
        append(text, "", Factor.OWNER_WAIT);
        append(text, "netty ", Factor.NETTY_WORKERS);
        append(text, "parse ", Factor.PARSE_WORKERS);
        append(text, "owners ", Factor.OWNER_WORKERS);
        append(text, "capacity ", Factor.PARSE_CAPACITY);
        if (!value(Factor.OWNER_CAPACITY).equals(value(Factor.PARSE_CAPACITY))) {
            append(text, "and ", Factor.OWNER_CAPACITY);
        }
        append(text, "batch ", Factor.BATCH_MESSAGES);
        append(text, "linger µs ", Factor.LINGER_US);
        append(text, "", Factor.GC);
        append(text, "connections ", Factor.CONNECTIONS);
        append(text, "JDK ", Factor.JDK);
        return text.toString();
    }

    private void append(StringBuilder text, String name, Factor factor) {
        String value = value(factor);
        boolean usual = factor == Factor.BATCH_MESSAGES || factor == Factor.LINGER_US;
        if (!value.isEmpty() && !(usual && value.equals("0"))) {
            text.append(' ').append(name).append(value);
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Point point && values.equals(point.values);
    }

    @Override
    public int hashCode() {
        return values.hashCode();
    }
}
