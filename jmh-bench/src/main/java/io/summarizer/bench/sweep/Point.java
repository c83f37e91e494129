package io.summarizer.bench.sweep;

import io.summarizer.bench.report.Numbers;
import io.summarizer.core.bytes.Sha256;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * One value for each factor. A value is empty if its factor has no effect with the other values. So points that
 * describe the same server are equal. Immutable.
 */
public final class Point {
    private static final int ID_BYTES = 4;
    private static final String BLOCKING = "blocking";
    private static final Set<Factor> SAID_ALWAYS = Collections.unmodifiableSet(EnumSet.of(
            Factor.WORKLOAD,
            Factor.MODE,
            Factor.PARSE_QUEUE,
            Factor.OWNER_QUEUE,
            Factor.NETTY_WORKERS,
            Factor.PARSE_WORKERS,
            Factor.OWNER_WORKERS));

    /** Values that {@link #toString} leaves out, because they are the default. */
    private static final Point USUAL = of(Map.of(Factor.BATCH_MESSAGES, "0", Factor.LINGER_US, "2000"));

    private final Map<Factor, String> values;

    private Point(EnumMap<Factor, String> values) {
        this.values = Collections.unmodifiableMap(values);
    }

    /** Makes the point with these values. The value of a missing factor is empty. */
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

    /**
     * Clears the wait policy of a queue that always blocks. For other queues, sets a missing wait policy to blocking.
     */
    private static void settleWait(EnumMap<Factor, String> values, Factor queue, Factor wait) {
        boolean polls = Factor.POLLING.contains(values.getOrDefault(queue, ""));
        values.merge(wait, "", (given, none) -> !polls ? none : given.isEmpty() ? BLOCKING : given);
    }

    /** The value of a factor; empty when the factor has no meaning at this point. */
    public String value(Factor factor) {
        return values.getOrDefault(factor, "");
    }

    /** The value as a number; NaN when it is not a number. */
    public double number(Factor factor) {
        return Numbers.parse(value(factor));
    }

    /**
     * Returns the point with another value of a factor. With the new value, other factors may gain or lose their
     * effect; their values are then set or cleared.
     */
    public Point with(Factor factor, String value) {
        EnumMap<Factor, String> changed = new EnumMap<>(values);
        changed.put(factor, value);
        return of(changed);
    }

    /**
     * Returns this point without the values of some factors. The result does not describe a server, but is equal for
     * all points that differ only in these factors.
     */
    public Point without(Set<Factor> factors) {
        EnumMap<Factor, String> rest = new EnumMap<>(values);
        factors.forEach(factor -> rest.put(factor, ""));
        return new Point(rest);
    }

    /** Returns the factors whose values differ. */
    public Set<Factor> differences(Point other) {
        EnumSet<Factor> differing = EnumSet.noneOf(Factor.class);
        for (Factor factor : Factor.values()) {
            if (!value(factor).equals(other.value(factor))) {
                differing.add(factor);
            }
        }
        return differing;
    }

    /** Whether idle workers use CPU time, which they do under every wait policy except blocking. */
    public boolean burnsIdle() {
        return burns(value(Factor.PARSE_WAIT)) || burns(value(Factor.OWNER_WAIT));
    }

    private static boolean burns(String wait) {
        return !wait.isEmpty() && !wait.equals(BLOCKING);
    }

    /** The two queues, such as {@code lbq-lbq}; the mode if there are no queues. */
    public String queues() {
        return value(Factor.PARSE_QUEUE).isEmpty()
                ? value(Factor.MODE)
                : value(Factor.PARSE_QUEUE) + "-" + value(Factor.OWNER_QUEUE);
    }

    /**
     * Describes the point in words. The text always has queues and workers. It has other factors only if they differ
     * from {@code usual}.
     */
    public String describe(Point usual) {
        List<String> words = new ArrayList<>();
        words.add(queues());
        words.add(value(Factor.NETTY_WORKERS) + " netty");
        if (!value(Factor.PARSE_WORKERS).isEmpty()) {
            words.add(value(Factor.PARSE_WORKERS) + " parser");
        }
        if (!value(Factor.OWNER_WORKERS).isEmpty()) {
            words.add(value(Factor.OWNER_WORKERS) + " owner");
        }
        for (Factor factor : Factor.values()) {
            String value = value(factor);
            if (!SAID_ALWAYS.contains(factor)
                    && !value.isEmpty()
                    && !value.equals(usual.value(factor))
                    && !(isWait(factor) && value.equals(BLOCKING))) {
                words.add(said(factor, value));
            }
        }
        return String.join(", ", words);
    }

    private static boolean isWait(Factor factor) {
        return factor == Factor.PARSE_WAIT || factor == Factor.OWNER_WAIT;
    }

    private static String said(Factor factor, String value) {
        return switch (factor) {
            case JDK -> "JDK " + value;
            case GC -> value;
            case PARSE_WAIT -> "parser workers " + value;
            case OWNER_WAIT -> "owners " + value;
            case PARSE_CAPACITY -> "parse capacity " + value;
            case OWNER_CAPACITY -> "owner capacity " + value;
            case BATCH_MESSAGES -> value.equals("0") ? "batches bounded by bytes" : "batches of " + value;
            case LINGER_US -> "linger " + value + " µs";
            case CONNECTIONS -> value + " connections";
            default -> factor.title() + " " + value;
        };
    }

    /** All values. */
    public Map<Factor, String> values() {
        return values;
    }

    /** A short name, which is a hash of all values. */
    public String id() {
        StringBuilder text = new StringBuilder();
        values.forEach((factor, value) ->
                text.append(factor.column()).append('=').append(value).append('\n'));
        return HexFormat.of().formatHex(Sha256.of(text.toString()), 0, ID_BYTES);
    }

    /** The settings that configure a server for this point. */
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

    /** A name for people, without default values. */
    @Override
    public String toString() {
        return value(Factor.WORKLOAD) + " " + describe(USUAL);
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
