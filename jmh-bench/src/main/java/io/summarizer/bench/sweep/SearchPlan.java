package io.summarizer.bench.sweep;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * A local search with a time limit. The search starts at the default point and visits neighbours of the best point so
 * far. A neighbour has new values: values that the best point does not have. The search first visits neighbours whose
 * new values no visited point has. For each other neighbour, the search takes the best score of the visited points that
 * have the neighbour's new values. It visits these neighbours in the order of their scores, best first. A point may be
 * best only by luck, so a new best point is visited again before the search continues from it. When all neighbours of
 * the best point are tried, or little time is left, the leaders get {@link LeadersPlan#NEW_RUNS} more runs each. The
 * leaders are the best points and the default point. Their additional runs also measure latency, but do not change the
 * order of points in the search. If time is left, the search then tries neighbours of the next best point.
 *
 * <p>Each workload has its own search. The workloads take turns, one visit each.
 *
 * @param spaces a space for each workload
 * @param loads at which the latency of the leaders is measured
 * @param late tells whether it is too late for new points
 */
public record SearchPlan(List<Space> spaces, Objective objective, List<Load> loads, BooleanSupplier late)
        implements SweepPlan {
    /** Number of a point's first runs by which the search compares the point with others. */
    private static final int CHOOSING_RUNS = 2;
    /** Number of runs that each leader gets in total. */
    static final int LEADER_RUNS = CHOOSING_RUNS + LeadersPlan.NEW_RUNS;

    private static final int LEADERS = 3;
    /**
     * Limit for visiting a point again: its score may differ from the best score by at most this share of the best
     * score.
     */
    private static final double NOISE = 0.03;

    public SearchPlan {
        spaces = List.copyOf(spaces);
        loads = List.copyOf(loads);
    }

    @Override
    public Optional<Visit> next(Results results) {
        return spaces.stream()
                .sorted(Comparator.comparingLong(space -> visits(space, results)))
                .flatMap(space -> propose(space, results).stream())
                .findFirst();
    }

    @Override
    public Optional<List<Visit>> left(Results results) {
        return Optional.empty();
    }

    private Optional<Visit> propose(Space space, Results results) {
        Point base = space.base();
        if (runs(base, results) == 0) {
            return visit(base, results, List.of());
        }
        List<Point> ranking = ranking(space, results);
        Point top = ranking.get(0);
        double best = score(top, results);
        for (Point close : ranking.subList(0, Math.min(2, ranking.size()))) {
            if (score(close, results) >= best - Math.abs(best) * NOISE && runs(close, results) < CHOOSING_RUNS) {
                return visit(close, results, List.of());
            }
        }
        List<Point> leaders = new ArrayList<>(ranking.subList(0, Math.min(LEADERS, ranking.size())));
        if (!leaders.contains(base)) {
            leaders.add(base);
        }
        if (!late.getAsBoolean()) {
            Optional<Point> fresh = untried(top, space, results);
            if (fresh.isPresent()) {
                return visit(fresh.get(), results, List.of());
            }
        }
        Optional<Point> seldom = leaders.stream()
                .filter(point -> runs(point, results) < LEADER_RUNS)
                .min(Comparator.comparingInt(point -> runs(point, results)));
        if (seldom.isPresent()) {
            Point leader = seldom.get();
            return visit(leader, results, runs(leader, results) < CHOOSING_RUNS ? List.of() : loads);
        }
        return ranking.stream()
                .flatMap(point -> untried(point, space, results).stream())
                .findFirst()
                .flatMap(point -> visit(point, results, List.of()));
    }

    private Optional<Visit> visit(Point point, Results results, List<Load> at) {
        return Optional.of(new Visit(point, runs(point, results) + 1, at));
    }

    /** Returns the most promising neighbour of a point among those that were never visited. */
    private Optional<Point> untried(Point point, Space space, Results results) {
        List<Point> tried = ranking(space, results);
        return space.neighbours(point).stream()
                .filter(neighbour -> runs(neighbour, results) == 0)
                .max(Comparator.comparingDouble(neighbour -> promise(neighbour, point, tried, results)));
    }

    /**
     * Returns the best score among the tried points that have all new values of {@code to}. New values are values that
     * {@code from} does not have. If there is no such point, returns infinity.
     */
    private double promise(Point to, Point from, List<Point> tried, Results results) {
        return tried.stream()
                .filter(point -> to.values().entrySet().stream()
                        .allMatch(value -> value.getValue().equals(from.value(value.getKey()))
                                || value.getValue().equals(point.value(value.getKey()))))
                .mapToDouble(point -> score(point, results))
                .max()
                .orElse(Double.POSITIVE_INFINITY);
    }

    private List<Point> ranking(Space space, Results results) {
        return visited(space, results).stream()
                .sorted(Comparator.comparingDouble(point -> -score(point, results)))
                .toList();
    }

    private double score(Point point, Results results) {
        return objective.score(results, point, CHOOSING_RUNS);
    }

    private static List<Point> visited(Space space, Results results) {
        String workload = space.base().value(Factor.WORKLOAD);
        return results.points().stream()
                .filter(point -> point.value(Factor.WORKLOAD).equals(workload))
                .toList();
    }

    private static long visits(Space space, Results results) {
        return visited(space, results).stream()
                .mapToLong(point -> runs(point, results))
                .sum();
    }

    private static int runs(Point point, Results results) {
        return results.rows(point, row -> row.kind() == Kind.THROUGHPUT).size();
    }
}
