package io.summarizer.bench.sweep;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Another plan, then more runs of each workload's default point and of the best ones of each mode, until what they differ by
 * can be told from noise.
 */
public final class LeadersPlan implements Plan {
    private final Plan first;
    private final List<Point> bases;
    private final int leaders;
    private final int runs;
    private final List<Load> loads;

    /**
     * @param bases the default points, one for each workload
     * @param leaders points of each mode
     * @param runs that each comes to
     */
    public LeadersPlan(Plan first, List<Point> bases, int leaders, int runs, List<Load> loads) {
        this.first = first;
        this.bases = List.copyOf(bases);
        this.leaders = leaders;
        this.runs = runs;
        this.loads = List.copyOf(loads);
    }

    @Override
    public Optional<Visit> next(Results results) {
        return first.next(results).or(() -> repeats(results).stream().min(Comparator.comparingInt(Visit::run)));
    }

    @Override
    public Optional<List<Visit>> left(Results results) {
        return first.left(results).map(known -> {
            if (!known.isEmpty()) {
                List<Visit> all = new ArrayList<>(known);
                for (Point base : bases) { // who leads is not known yet; how many will is
                    for (int i = 0; i < (leaders + 1) * (runs - 1); i++) {
                        all.add(new Visit(base, 1, loads));
                    }
                }
                return all;
            }
            List<Visit> all = new ArrayList<>();
            for (Visit next : repeats(results)) {
                for (int run = next.run(); run <= runs; run++) {
                    all.add(new Visit(next.point(), run, loads));
                }
            }
            return all;
        });
    }

    /** The next visit of each that is to be repeated. */
    private List<Visit> repeats(Results results) {
        List<Visit> visits = new ArrayList<>();
        for (Point base : bases) {
            Set<Point> chosen = new LinkedHashSet<>();
            chosen.add(base);
            for (String mode : List.of("queued", "inline", "locked")) {
                results.points().stream()
                        .filter(point -> point.value(Factor.WORKLOAD).equals(base.value(Factor.WORKLOAD))
                                && point.value(Factor.MODE).equals(mode)
                                && results.throughput(point).isPresent())
                        .sorted(Comparator.comparingDouble(
                                point -> -results.throughput(point).orElse(0)))
                        .limit(mode.equals("queued") ? leaders : 1)
                        .forEach(chosen::add);
            }
            for (Point point : chosen) {
                for (int run = 1; run <= runs; run++) {
                    Visit visit = new Visit(point, run, run == 1 ? List.of() : loads);
                    if (!visit.isDone(results)) {
                        visits.add(visit);
                        break;
                    }
                }
            }
        }
        return visits;
    }
}
