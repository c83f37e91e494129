package io.summarizer.bench.sweep;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;

/** Visits point after point until the plan is completed or the time is over. */
public final class Sweeper {
    private static final int ROUNDS_SLOWNESS = 8;

    private final SweepPlan plan;
    private final Measurer measurer;
    private final Results results;
    private final Progress progress;
    private final LongSupplier nanoTime;
    /** Moving mean of a ratio: the actual duration of a visit divided by its estimated duration. */
    private double slowness = 1;

    public Sweeper(SweepPlan plan, Measurer measurer, Results results, Progress progress, LongSupplier nanoTime) {
        this.plan = plan;
        this.measurer = measurer;
        this.results = results;
        this.progress = progress;
        this.nanoTime = nanoTime;
    }

    /**
     * Runs the plan.
     *
     * @param budget time for all visits; a visit does not begin if it would exceed this time
     * @return whether the plan was completed
     */
    public boolean run(Duration budget) throws IOException, InterruptedException {
        long start = nanoTime.getAsLong();
        int made = 0;
        Visit before = null;
        while (true) {
            Optional<Visit> next = plan.next(results);
            if (next.isEmpty()) {
                return true;
            }
            Visit visit = next.get();
            if (visit.equals(before)) {
                throw new IllegalStateException("nothing came of " + visit);
            }
            before = visit;
            double estimate = slowness * seconds(measurer.estimate(visit));
            double left = seconds(budget) - (nanoTime.getAsLong() - start) / 1e9;
            if (estimate > left) {
                return false;
            }
            Optional<List<Visit>> known = plan.left(results);
            progress.visiting(
                    visit,
                    made,
                    known.map(visits -> visits.size()),
                    known.map(this::secondsOf).map(all -> Math.min(all, left)).orElse(left));
            long began = nanoTime.getAsLong();
            int rows = results.rows().size();
            measurer.measure(visit, results);
            double took = (nanoTime.getAsLong() - began) / 1e9;
            slowness += (took / Math.max(0.001, seconds(measurer.estimate(visit))) - slowness) / ROUNDS_SLOWNESS;
            made++;
            List<Row> all = results.rows();
            progress.visited(all.subList(rows, all.size()));
        }
    }

    private double secondsOf(List<Visit> visits) {
        return slowness
                * visits.stream()
                        .mapToDouble(visit -> seconds(measurer.estimate(visit)))
                        .sum();
    }

    private static double seconds(Duration duration) {
        return duration.toNanos() / 1e9;
    }
}
