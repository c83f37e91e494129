package io.summarizer.bench.sweep;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Extends another plan: each workload's default point and the best points of each mode get {@link #NEW_RUNS} more runs,
 * enough to tell differences from noise. The best points are chosen once, by the runs of the other plan. The best of
 * many runs is partly lucky, so only the runs after the choice count when the chosen points are compared.
 *
 * @param first the plan to extend; its runs choose the best points
 * @param bases the default points, one for each workload
 * @param leaders number of best points in mode queued that are repeated for each workload; in each other mode, one
 *     point is repeated
 * @param screened number of runs that {@code first} makes for each point
 * @param loads the loads at which the latency of the repeated points is measured
 */
public record LeadersPlan(SweepPlan first, List<Point> bases, int leaders, int screened, List<Load> loads)
        implements SweepPlan {
    /** Number of runs of a point after the runs that chose it. */
    public static final int NEW_RUNS = 3;

    private static final List<String> OTHER_MODES = List.of("inline", "locked");

    public LeadersPlan {
        bases = List.copyOf(bases);
        loads = List.copyOf(loads);
    }

    @Override
    public Optional<Visit> next(Results results) {
        return first.next(results).or(() -> repeats(results).stream().min(Comparator.comparingInt(Visit::run)));
    }

    @Override
    public Optional<List<Visit>> left(Results results) {
        return first.left(results).map(known -> {
            if (known.isEmpty()) {
                return repeats(results);
            }
            List<Visit> all = new ArrayList<>(known);
            for (Point base : bases) { // only the number of leaders is known yet
                for (int i = 0; i < (1 + leaders + OTHER_MODES.size()) * NEW_RUNS; i++) {
                    all.add(new Visit(base, screened + 1, loads));
                }
            }
            return all;
        });
    }

    /** Returns the remaining visits of all points that are to be repeated. */
    private List<Visit> repeats(Results results) {
        List<Visit> visits = new ArrayList<>();
        for (Point base : bases) {
            Set<Point> chosen = new LinkedHashSet<>();
            chosen.add(base);
            best(base, "queued", leaders, results).forEach(chosen::add);
            OTHER_MODES.forEach(mode -> best(base, mode, 1, results).forEach(chosen::add));
            for (Point point : chosen) {
                for (int run = screened + 1; run <= screened + NEW_RUNS; run++) {
                    Visit visit = new Visit(point, run, loads);
                    if (!visit.isDone(results)) {
                        visits.add(visit);
                    }
                }
            }
        }
        return visits;
    }

    private List<Point> best(Point base, String mode, int count, Results results) {
        return results.points().stream()
                .filter(point -> point.value(Factor.WORKLOAD).equals(base.value(Factor.WORKLOAD))
                        && point.value(Factor.MODE).equals(mode)
                        && !point.equals(base)
                        && score(point, results) > 0)
                .sorted(Comparator.comparingDouble(point -> -score(point, results)))
                .limit(count)
                .toList();
    }

    private double score(Point point, Results results) {
        return results.median(point, Metric.EVENTS_PER_S, screened).orElse(0);
    }
}
