package io.summarizer.bench.advice;

import io.summarizer.bench.report.Numbers;
import io.summarizer.bench.sweep.Factor;
import io.summarizer.bench.sweep.Metric;
import io.summarizer.bench.sweep.Point;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The average effect of a factor's values on the throughput: the main effect of a factorial experiment (R. A. Fisher,
 * The Design of Experiments, 1935). Settings that differ only in this factor form a group, which has every value of the
 * factor once. The throughputs of the values are compared within each group, and the ratios are averaged over all
 * groups. In a grid of many groups, this average may show an effect that noise hides in single runs.
 *
 * @param title title of the factor, in words
 * @param groups number of groups; each value has one setting in each group
 * @param usual the value with which the other values are compared: the default value, or the first value if the groups
 *     do not have the default value
 * @param values in natural order
 */
public record MainEffect(String title, int groups, String usual, List<Value> values) {
    /** Fewest groups for an average. */
    static final int GROUPS_MIN = 4;

    /**
     * Quantiles of Student's t for a two-sided level of 5 %; the first is for one degree of freedom, the next for two,
     * and so on. Beyond the last quantile, {@code T_LIMIT} applies.
     */
    private static final double[] T = {
        12.71, 4.30, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26, 2.23, 2.20, 2.18, 2.16, 2.14, 2.13, 2.12, 2.11, 2.10,
        2.09, 2.09, 2.08, 2.07, 2.07, 2.06, 2.06, 2.06, 2.05, 2.05, 2.05, 2.04
    };

    private static final double T_LIMIT = 1.96;

    /** Copies the values. */
    public MainEffect {
        values = List.copyOf(values);
    }

    /**
     * A value of the factor.
     *
     * @param mean geometric mean of events per second over all groups
     * @param ratio throughput relative to that of the usual value: the geometric mean of the ratios in all groups
     * @param low lower end of the ratio's 95 % confidence interval, 1 for the usual value
     * @param high upper end of the interval
     */
    public record Value(String name, double mean, double ratio, double low, double high) {
        /** Whether the interval excludes 1. */
        public boolean differs() {
            return low > 1 || high < 1;
        }
    }

    /** A factor whose effect is computed. Several factors that are varied together count as one factor. */
    private enum Varied {
        QUEUES("queues", EnumSet.of(Factor.PARSE_QUEUE, Factor.OWNER_QUEUE, Factor.PARSE_WAIT, Factor.OWNER_WAIT)) {
            @Override
            String value(Point setting) {
                return setting.burnsIdle() ? "" : setting.queues();
            }
        },
        WORKERS("parser and owner workers", EnumSet.of(Factor.PARSE_WORKERS, Factor.OWNER_WORKERS)) {
            @Override
            String value(Point setting) {
                return setting.value(Factor.PARSE_WORKERS) + " and " + setting.value(Factor.OWNER_WORKERS);
            }
        },
        JDK("JDK", EnumSet.of(Factor.JDK)) {
            @Override
            String value(Point setting) {
                return setting.value(Factor.JDK);
            }
        };

        final String title;

        @SuppressWarnings("ImmutableEnumChecker") // unmodifiable
        final Set<Factor> factors;

        Varied(String title, Set<Factor> factors) {
            this.title = title;
            this.factors = Collections.unmodifiableSet(factors);
        }

        /** Returns the setting's value; empty for a setting that is left out of the comparison. */
        abstract String value(Point setting);
    }

    /**
     * Returns the effect of each factor for which there are enough groups. Only settings with queues are considered.
     */
    static List<MainEffect> of(List<Measured> measured, Point usual) {
        List<Measured> queued = measured.stream()
                .filter(one -> one.point().value(Factor.MODE).equals("queued"))
                .filter(one -> one.median(Metric.EVENTS_PER_S) > 0)
                .toList();
        List<MainEffect> effects = new ArrayList<>();
        for (Varied varied : Varied.values()) {
            Map<Point, Map<String, Double>> groups = groups(queued, varied);
            Set<String> names = mostCommonValues(groups);
            List<Map<String, Double>> whole = groups.values().stream()
                    .filter(group -> group.keySet().containsAll(names))
                    .toList();
            if (names.size() > 1 && whole.size() >= GROUPS_MIN) {
                String wanted = varied.value(usual);
                String reference =
                        names.contains(wanted) ? wanted : names.iterator().next();
                effects.add(new MainEffect(
                        varied.title,
                        whole.size(),
                        reference,
                        names.stream()
                                .map(name -> value(name, reference, whole))
                                .toList()));
            }
        }
        return effects;
    }

    /**
     * Returns the groups. Each group maps a value of the factor to the logarithm of the throughput of the setting with
     * this value.
     */
    private static Map<Point, Map<String, Double>> groups(List<Measured> queued, Varied varied) {
        Map<Point, Map<String, Double>> groups = new LinkedHashMap<>();
        for (Measured one : queued) {
            String value = varied.value(one.point());
            if (!value.isEmpty()) {
                groups.computeIfAbsent(one.point().without(varied.factors), rest -> new TreeMap<>(Numbers.NATURAL))
                        .put(value, Math.log(one.median(Metric.EVENTS_PER_S)));
            }
        }
        return groups;
    }

    /**
     * Returns the values to compare. Groups may have different sets of values. For each set, this method counts the
     * settings in all groups with this set. The set with the most settings is returned.
     */
    private static Set<String> mostCommonValues(Map<Point, Map<String, Double>> groups) {
        Map<Set<String>, Integer> settings = new HashMap<>();
        groups.values().forEach(group -> settings.merge(group.keySet(), group.size(), Integer::sum));
        return settings.entrySet().stream()
                .max(Map.Entry.comparingByValue())
                .map(Map.Entry::getKey)
                .orElse(Set.of());
    }

    private static Value value(String name, String reference, List<Map<String, Double>> groups) {
        double[] logs = groups.stream()
                .mapToDouble(group -> group.getOrDefault(name, Double.NaN))
                .toArray();
        double mean = Math.exp(Arrays.stream(logs).average().orElse(Double.NaN));
        if (name.equals(reference)) {
            return new Value(name, mean, 1, 1, 1);
        }
        double[] leads = groups.stream()
                .mapToDouble(group -> group.getOrDefault(name, Double.NaN) - group.getOrDefault(reference, Double.NaN))
                .toArray();
        double lead = Arrays.stream(leads).average().orElse(Double.NaN);
        double squares =
                Arrays.stream(leads).map(each -> (each - lead) * (each - lead)).sum();
        int freedom = leads.length - 1;
        double error = Math.sqrt(squares / freedom / leads.length);
        double width = error * (freedom <= T.length ? T[freedom - 1] : T_LIMIT);
        return new Value(name, mean, Math.exp(lead), Math.exp(lead - width), Math.exp(lead + width));
    }
}
