package io.summarizer.bench.advice;

import io.summarizer.bench.advice.Noise.Answer;
import io.summarizer.bench.advice.Noise.Verdict;
import io.summarizer.bench.sweep.Factor;
import io.summarizer.bench.sweep.Metric;
import io.summarizer.bench.sweep.Point;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The throughput that several workloads lose when one setting has to serve all of them. With a setting for all, each
 * workload reaches only a share of the throughput that its own best setting gives. The setting for all workloads is the
 * setting with the largest geometric mean of these shares.
 *
 * @param all the setting that is best for all workloads together, without a value for the factor {@code workload}; null
 *     when no setting was measured with all workloads
 * @param apart the setting of each workload's own pipeline, with all pipelines in one process; empty when separate
 *     pipelines gain too little, or when their gain is unknown
 */
public record Workloads(@Nullable Point all, List<Loss> losses, List<Loss> crossed, Map<String, Point> apart) {
    /** Smallest gain in throughput, as a share, for which separate pipelines are advised. */
    public static final double WORTH = 0.05;

    /**
     * The loss of a workload with a setting other than its best.
     *
     * @param of name of the workload whose best setting is used for this workload; {@code all} for the setting that is
     *     best for all workloads together
     * @param share lost share of the throughput, 0 to 1; NaN when the setting was not measured with the workload
     */
    public record Loss(String workload, String of, double share, Answer answer) {}

    /** Compares the workloads of {@code advices}. The result is empty when there are fewer than two workloads. */
    public static Optional<Workloads> compare(List<Advice> advices) {
        if (advices.size() < 2) {
            return Optional.empty();
        }
        Point all = best(advices, null);
        List<Loss> crossed = new ArrayList<>();
        List<Loss> losses = new ArrayList<>();
        for (Advice advice : advices) {
            for (Advice other : advices) {
                if (!other.workload().equals(advice.workload())) {
                    crossed.add(loss(advice, other.workload(), own(other)));
                }
            }
            if (all != null) {
                losses.add(loss(advice, "all", all));
            }
        }
        Map<String, Point> apart = all == null ? Map.of() : apart(advices, all);
        return Optional.of(new Workloads(all, losses, crossed, apart));
    }

    private static Point own(Advice advice) {
        return withoutWorkload(advice.pick(Goal.THROUGHPUT).orElseThrow().best().point());
    }

    private static Point withoutWorkload(Point setting) {
        return setting.without(EnumSet.of(Factor.WORKLOAD));
    }

    /**
     * Returns the share of a workload's best throughput that a setting reaches; NaN when the setting was not measured.
     */
    private static double reached(Advice advice, Point setting) {
        double most = advice.pick(Goal.THROUGHPUT).orElseThrow().value();
        return measured(advice, setting)
                .map(one -> one.median(Metric.EVENTS_PER_S) / most)
                .orElse(Double.NaN);
    }

    private static Optional<Measured> measured(Advice advice, Point setting) {
        return advice.candidates().stream()
                .filter(one -> withoutWorkload(one.point()).equals(setting))
                .findFirst();
    }

    private static Loss loss(Advice advice, String of, Point setting) {
        Optional<Measured> measured = measured(advice, setting);
        if (measured.isEmpty()) {
            return new Loss(advice.workload(), of, Double.NaN, new Answer(Verdict.CANNOT_TELL, Double.NaN));
        }
        Answer answer = ahead(advice, one -> true, measured.get());
        return new Loss(advice.workload(), of, 1 - reached(advice, setting), answer);
    }

    private static List<Measured> calm(Advice advice) {
        return advice.candidates().stream()
                .filter(one -> !one.point().burnsIdle())
                .toList();
    }

    /**
     * Returns the setting that is best for all workloads together. For each workload, a setting reaches a share of the
     * best throughput; the best setting has the largest geometric mean of these shares. If {@code processWide} is
     * given, the method considers only settings with the same process-wide values.
     */
    private static @Nullable Point best(List<Advice> advices, @Nullable Point processWide) {
        Point best = null;
        double most = 0;
        for (Measured one : calm(advices.get(0))) {
            Point setting = withoutWorkload(one.point());
            if (processWide != null && !processWide.equals(processWide(setting))) {
                continue;
            }
            double mean = Math.exp(advices.stream()
                    .mapToDouble(advice -> Math.log(reached(advice, setting)))
                    .average()
                    .orElseThrow());
            if (mean > most) {
                most = mean;
                best = setting;
            }
        }
        return best;
    }

    private static Point processWide(Point setting) {
        Set<Factor> others = EnumSet.complementOf(EnumSet.copyOf(Advisor.processWide()));
        return setting.without(others);
    }

    /**
     * Chooses the best process-wide values, and returns the best setting with these values for each workload. The
     * result is empty when no workload gains enough compared with the setting {@code all}.
     */
    private static Map<String, Point> apart(List<Advice> advices, Point all) {
        Map<String, Point> best = Map.of();
        double most = 0;
        List<Point> shared = calm(advices.get(0)).stream()
                .map(one -> processWide(one.point()))
                .filter(setting -> setting.value(Factor.MODE).equals("queued"))
                .distinct()
                .toList();
        for (Point process : shared) {
            Map<String, Point> each = new LinkedHashMap<>();
            double mean = 1;
            for (Advice advice : advices) {
                Optional<Point> own = calm(advice).stream()
                        .filter(one -> processWide(one.point()).equals(process))
                        .max(Comparator.comparingDouble(one -> one.median(Metric.EVENTS_PER_S)))
                        .map(one -> withoutWorkload(one.point()));
                if (own.isPresent()) {
                    each.put(advice.workload(), own.get());
                    mean *= reached(advice, own.get());
                }
            }
            if (each.size() == advices.size() && mean > most) {
                most = mean;
                best = each;
            }
        }
        Map<String, Point> chosen = best;
        boolean worth = advices.stream().anyMatch(advice -> {
            Point own = chosen.get(advice.workload());
            if (own == null) {
                return false;
            }
            Measured with = measured(advice, own).orElseThrow();
            Measured without = measured(advice, all).orElseThrow();
            double gain = with.median(Metric.EVENTS_PER_S) / without.median(Metric.EVENTS_PER_S) - 1;
            Answer answer = ahead(advice, one -> processWide(one.point()).equals(processWide(own)), without);
            return gain >= WORTH && answer.verdict() == Verdict.ABOVE_NOISE;
        });
        return worth ? best : Map.of();
    }

    /** Tests whether the best of the matching settings leads {@code other}. */
    private static Answer ahead(Advice advice, Predicate<Measured> matching, Measured other) {
        return advice.noise()
                .larger(
                        other.throughput(Metric.EVENTS_PER_S),
                        calm(advice).stream()
                                .filter(matching)
                                .filter(one -> !one.point().equals(other.point()))
                                .map(one -> one.throughput(Metric.EVENTS_PER_S))
                                .toList());
    }
}
