package io.summarizer.bench.advice;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A value for each factor, as written in the results; empty where a factor means nothing (no parse queue in mode {@code inline}).
 * Immutable.
 */
public final class Setting {
    private static final Set<Factor> SAID_ALWAYS = Collections.unmodifiableSet(EnumSet.of(
            Factor.WORKLOAD,
            Factor.MODE,
            Factor.PARSE_QUEUE,
            Factor.OWNER_QUEUE,
            Factor.NETTY_WORKERS,
            Factor.PARSE_WORKERS,
            Factor.OWNER_WORKERS));

    private final EnumMap<Factor, String> values;

    private Setting(EnumMap<Factor, String> values) {
        this.values = values;
    }

    /** A setting of these values; factors that are missing are empty. */
    public static Setting of(Map<Factor, String> values) {
        EnumMap<Factor, String> all = new EnumMap<>(Factor.class);
        for (Factor factor : Factor.values()) {
            all.put(factor, values.getOrDefault(factor, ""));
        }
        return new Setting(all);
    }

    /** The value of a factor, empty when it has none. */
    public String get(Factor factor) {
        return values.getOrDefault(factor, "");
    }

    /** The value as a number; NaN when it is none. */
    public double number(Factor factor) {
        return Numbers.parse(get(factor));
    }

    /** This setting with another value for one factor. */
    public Setting with(Factor factor, String value) {
        EnumMap<Factor, String> changed = new EnumMap<>(values);
        changed.put(factor, value);
        return new Setting(changed);
    }

    /** This setting without the values of some factors: equal for settings that differ in those only. */
    public Setting without(Set<Factor> factors) {
        EnumMap<Factor, String> rest = new EnumMap<>(values);
        factors.forEach(factor -> rest.put(factor, ""));
        return new Setting(rest);
    }

    /** Factors whose values differ. */
    public Set<Factor> differences(Setting other) {
        EnumSet<Factor> differing = EnumSet.noneOf(Factor.class);
        for (Factor factor : Factor.values()) {
            if (!get(factor).equals(other.get(factor))) {
                differing.add(factor);
            }
        }
        return differing;
    }

    /** The two queues as the article has them, {@code lbq-lbq}; the mode where there are none. */
    public String queues() {
        return get(Factor.PARSE_QUEUE).isEmpty()
                ? get(Factor.MODE)
                : get(Factor.PARSE_QUEUE) + "-" + get(Factor.OWNER_QUEUE);
    }

    /**
     * In words: queues and workers always, anything else where it differs from {@code usual}.
     */
    public String describe(Setting usual) {
        List<String> words = new ArrayList<>();
        words.add(queues());
        words.add(get(Factor.NETTY_WORKERS) + " netty");
        if (!get(Factor.PARSE_WORKERS).isEmpty()) {
            words.add(get(Factor.PARSE_WORKERS) + " parser");
        }
        if (!get(Factor.OWNER_WORKERS).isEmpty()) {
            words.add(get(Factor.OWNER_WORKERS) + " owner");
        }
        for (Factor factor : Factor.values()) {
            String value = get(factor);
            if (!SAID_ALWAYS.contains(factor)
                    && !value.isEmpty()
                    && !value.equals(usual.get(factor))
                    && !(isWait(factor) && value.equals("blocking"))) {
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

    @Override
    public boolean equals(Object other) {
        return other instanceof Setting setting && values.equals(setting.values);
    }

    @Override
    public int hashCode() {
        return values.hashCode();
    }

    @Override
    public String toString() {
        return values.toString();
    }
}
