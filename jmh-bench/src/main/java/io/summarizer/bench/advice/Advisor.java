package io.summarizer.bench.advice;

import io.summarizer.bench.advice.Noise.Answer;
import io.summarizer.bench.report.Numbers;
import io.summarizer.bench.sweep.Defaults;
import io.summarizer.bench.sweep.Factor;
import io.summarizer.bench.sweep.GarbageCollectors;
import io.summarizer.bench.sweep.Kind;
import io.summarizer.bench.sweep.LeadersPlan;
import io.summarizer.bench.sweep.Metric;
import io.summarizer.bench.sweep.Point;
import io.summarizer.bench.sweep.Results;
import io.summarizer.server.config.ConfigException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Picks the best settings of a workload. The rules:
 * <ul>
 * <li>Only settings that were measured with the usual number of connections are considered. If any setting has at least
 * three runs, settings with fewer than three runs are not considered.
 * <li>Some sweeps choose the settings with the best first runs, and then measure these settings again. Only the later
 * runs count, because the best of many first runs is partly lucky.
 * <li>Throughput: the largest median.
 * <li>Latency: the smallest median p99. All settings are compared at one offered rate: the rate at which most settings
 * were measured. If several rates tie, it is the highest of them. Between two measured rates of a run, the p99 is
 * interpolated. Beyond the highest measured rate, the p99 is unknown.
 * <li>CPU: the least CPU time per event, among the settings within 5 % of the largest throughput.
 * <li>Settings whose idle workers use CPU time are reported, not picked.
 * </ul>
 */
public final class Advisor {
    /** Limit for the pick by CPU time: the throughput of a setting may be below the best by at most this share. */
    public static final double CPU_SLACK = 0.05;

    private static final int REPEATS = LeadersPlan.NEW_RUNS;
    /** Factors of the load. All other factors belong to the server. */
    private static final Set<Factor> LOAD =
            Collections.unmodifiableSet(EnumSet.of(Factor.WORKLOAD, Factor.CONNECTIONS));

    private static final double SAME_RATE = 1.03;

    private Advisor() {}

    /** Makes the advice for a workload. The result is empty when no run at full speed succeeded. */
    public static Optional<Advice> advise(Results results, String workload) {
        List<Measured> all = Measured.of(results, workload).stream()
                .filter(one -> one.throughput(Metric.EVENTS_PER_S).length > 0)
                .toList();
        if (all.isEmpty()) {
            return Optional.empty();
        }
        List<String> gaps = new ArrayList<>();
        Point defaults = defaults(all);
        int choosing = choosing(results, workload);
        List<Measured> later = all.stream()
                .map(one -> one.behind(choosing))
                .filter(one -> one.throughput(Metric.EVENTS_PER_S).length > 0)
                .toList();
        List<Measured> measured = later.isEmpty() ? all : later;
        String connections = defaults.value(Factor.CONNECTIONS);
        int repeats = Math.min(
                REPEATS,
                measured.stream()
                        .mapToInt(one -> one.throughput(Metric.EVENTS_PER_S).length)
                        .max()
                        .orElse(1));
        List<Measured> candidates = measured.stream()
                .filter(one -> one.point().value(Factor.CONNECTIONS).equals(connections))
                .filter(one -> one.throughput(Metric.EVENTS_PER_S).length >= repeats)
                .toList();
        if (candidates.isEmpty()) {
            candidates = measured;
        }
        if (candidates.size() < all.size()) {
            gaps.add("picked among " + candidates.size() + " of " + all.size() + " settings: the others were measured "
                    + (repeats > 1 ? "fewer than " + repeats + " times" : "never")
                    + (choosing > 0 ? " after the " + choosing + " that chose what to measure again" : "")
                    + (connections.isEmpty() ? "" : ", or not over " + connections + " connections"));
        }
        Measured reference = nearest(defaults, candidates);
        Set<Factor> offDefault = differences(defaults, reference.point());
        Noise noise = noise(measured, Metric.EVENTS_PER_S);
        List<Measured> calm =
                candidates.stream().filter(one -> !one.point().burnsIdle()).toList();
        List<Measured> eligible = calm.isEmpty() ? candidates : calm;
        List<Pick> picks = new ArrayList<>();
        Pick fastest = pick(
                Goal.THROUGHPUT, eligible, reference, one -> one.throughput(Metric.EVENTS_PER_S), noise, Double.NaN);
        picks.add(fastest);
        Pick latency = latency(eligible, reference, gaps);
        if (latency != null) {
            picks.add(latency);
        }
        Pick cpu = cpu(eligible, reference, fastest.value(), noise(measured, Metric.CPU_S_PER_MILLION));
        if (cpu == null) {
            gaps.add("no CPU time in the results: nothing is said of CPU saved");
        } else {
            picks.add(cpu);
        }
        Optional<Measured> spinning = candidates.stream()
                .filter(one -> one.point().burnsIdle())
                .filter(one -> one.median(Metric.EVENTS_PER_S) > fastest.value())
                .max(Comparator.comparingDouble(one -> one.median(Metric.EVENTS_PER_S)));
        return Optional.of(new Advice(
                workload,
                reference,
                offDefault,
                candidates,
                noise,
                List.copyOf(picks),
                spinning,
                MainEffect.of(all, defaults),
                gaps));
    }

    /**
     * The default point: the values of this project's configuration file, the newest JDK of {@code measured}, the
     * collector G1, and the usual load.
     */
    private static Point defaults(List<Measured> measured) {
        Map<Factor, String> values;
        try {
            values = Defaults.of(Path.of(System.getProperty("summarizer.home", ".")), List.of());
        } catch (ConfigException e) {
            throw new IllegalArgumentException("the configuration file is refused: " + e.getMessage(), e);
        }
        values.put(
                Factor.JDK,
                measured.stream()
                        .map(one -> one.point().value(Factor.JDK))
                        .max(Numbers.NATURAL)
                        .orElse(""));
        values.put(Factor.GC, GarbageCollectors.SHIPPED);
        LOAD.forEach(factor -> values.put(factor, Measured.usual(measured, factor)));
        return Point.of(values);
    }

    /** Returns the factors of the server in which two points differ. */
    private static Set<Factor> differences(Point a, Point b) {
        Set<Factor> differing = a.differences(b);
        differing.removeAll(LOAD);
        return differing;
    }

    /**
     * Returns the number of runs that each setting had when the sweep chose the settings to repeat; 0 if the sweep
     * chose none. If no two settings differ by more than one run, the method assumes that the sweep chose none. A
     * difference of one run may come from a sweep that ended early.
     */
    private static int choosing(Results results, String workload) {
        Map<Point, Integer> last = new HashMap<>();
        results.rows().stream()
                .filter(run -> run.kind() == Kind.THROUGHPUT
                        && run.point().value(Factor.WORKLOAD).equals(workload))
                .forEach(run -> last.merge(run.point(), run.run(), Math::max));
        int fewest = last.values().stream().mapToInt(runs -> runs).min().orElse(0);
        int most = last.values().stream().mapToInt(runs -> runs).max().orElse(0);
        return most - fewest < 2 ? 0 : Math.max(fewest, most - REPEATS);
    }

    private static Measured nearest(Point defaults, List<Measured> candidates) {
        return candidates.stream()
                .min(Comparator.<Measured>comparingInt(
                                one -> differences(defaults, one.point()).size())
                        .thenComparingInt(one -> -one.throughputRuns().size()))
                .orElseThrow();
    }

    /** Estimates the noise of a figure from the runs at full speed. */
    static Noise noise(List<Measured> measured, Metric metric) {
        return Noise.of(
                measured.stream().map(one -> positive(one.throughput(metric))).toList());
    }

    private static double[] positive(double[] values) {
        return Arrays.stream(values).filter(value -> value > 0).toArray();
    }

    /** Picks the setting with the best median of a figure, and tests its lead over the reference. */
    private static Pick pick(
            Goal goal,
            List<Measured> among,
            Measured reference,
            Function<Measured, double[]> figures,
            Noise noise,
            double rate) {
        int sign = goal == Goal.THROUGHPUT ? 1 : -1;
        Measured best = among.stream()
                .max(Comparator.comparingDouble(one -> sign * Numbers.median(figures.apply(one))))
                .orElseThrow();
        double[] repeats = figures.apply(reference);
        List<double[]> others = among.stream()
                .filter(one -> !one.point().equals(reference.point()))
                .map(figures)
                .toList();
        Answer answer = sign > 0 ? noise.larger(repeats, others) : noise.smaller(repeats, others);
        return new Pick(goal, best, Numbers.median(figures.apply(best)), Numbers.median(repeats), answer, rate);
    }

    private static @Nullable Pick cpu(List<Measured> eligible, Measured reference, double most, Noise noise) {
        List<Measured> fast = eligible.stream()
                .filter(one -> one.median(Metric.EVENTS_PER_S) >= most * (1 - CPU_SLACK))
                .filter(one -> one.median(Metric.CPU_S_PER_MILLION) > 0)
                .toList();
        return fast.isEmpty()
                ? null
                : pick(
                        Goal.CPU,
                        fast,
                        reference,
                        one -> positive(one.throughput(Metric.CPU_S_PER_MILLION)),
                        noise,
                        Double.NaN);
    }

    private static @Nullable Pick latency(List<Measured> eligible, Measured reference, List<String> gaps) {
        List<Measured> timed =
                eligible.stream().filter(one -> !one.latencyRuns().isEmpty()).toList();
        if (timed.isEmpty()) {
            gaps.add("no runs at offered rates: nothing is said of latency");
            return null;
        }
        boolean known = !reference.latencyRuns().isEmpty();
        if (timed.size() == 1 && known) {
            gaps.add("latency was measured of one setting only: there is nothing to pick");
            return null;
        }
        TreeSet<Double> rates = new TreeSet<>();
        (known ? List.of(reference) : timed)
                .forEach(one -> rates.addAll(one.latencyRuns().keySet()));
        double rate = 0;
        long most = 0;
        for (double candidate : rates) {
            long count = timed.stream()
                    .filter(one -> p99At(one, candidate).length > 0)
                    .count();
            if (count >= most) {
                most = count;
                rate = candidate;
            }
        }
        double chosen = rate;
        List<Measured> there =
                timed.stream().filter(one -> p99At(one, chosen).length > 0).toList();
        if (p99At(reference, chosen).length == 0) {
            gaps.add("latency of " + reference.point().queues()
                    + ", which leads are over, was not measured: the lead of the pick for latency is not known");
        }
        Noise noise = Noise.of(there.stream().map(one -> p99At(one, chosen)).toList());
        return pick(Goal.LATENCY, there, reference, one -> p99At(one, chosen), noise, chosen);
    }

    /**
     * Returns the p99 in µs of each repeat at an offered rate. If a repeat was not measured at this rate, its p99 is
     * interpolated between a lower and a higher rate. If the lower or the higher rate is missing, the repeat is left
     * out.
     */
    static double[] p99At(Measured measured, double rate) {
        Map<Integer, TreeMap<Double, Double>> byRepeat = new TreeMap<>();
        measured.latencyRuns()
                .forEach((offered, runs) ->
                        runs.forEach(run -> byRepeat.computeIfAbsent(run.run(), number -> new TreeMap<>())
                                .put(offered, run.value(Metric.LATENCY_P99_US))));
        return byRepeat.values().stream()
                .mapToDouble(curve -> at(curve, rate))
                .filter(value -> value > 0)
                .toArray();
    }

    private static double at(NavigableMap<Double, Double> curve, double rate) {
        Map.Entry<Double, Double> below = curve.floorEntry(rate * SAME_RATE);
        Map.Entry<Double, Double> above = curve.ceilingEntry(rate / SAME_RATE);
        if (below == null || above == null) {
            return Double.NaN;
        }
        if (below.getKey() >= above.getKey()) {
            return below.getValue();
        }
        double share = Math.log(rate / below.getKey()) / Math.log(above.getKey() / below.getKey());
        return Math.exp(Math.log(below.getValue()) * (1 - share) + Math.log(above.getValue()) * share);
    }

    /** The process-wide factors: those whose value is the same for all pipelines of a process. */
    static Set<Factor> processWide() {
        return EnumSet.of(
                Factor.JDK,
                Factor.MODE,
                Factor.GC,
                Factor.NETTY_WORKERS,
                Factor.BATCH_MESSAGES,
                Factor.LINGER_US,
                Factor.CONNECTIONS);
    }
}
