package io.summarizer.bench.sweep;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/**
 * A plan of points that are known in advance. Each round visits all points that need more visits. Each round has
 * another order, so that changes of the machine's speed favour no point. The first round starts with the references,
 * because loads are shares of the references' throughput.
 */
public final class ListedPlan implements SweepPlan {
    private final List<Visit> visits = new ArrayList<>();

    /**
     * Makes a plan.
     *
     * @param references points to begin with, in this order; points without a task are ignored
     * @param tasks a task for each point; of several tasks for a point, the first is used
     */
    public ListedPlan(List<Point> references, List<Task> tasks, long seed) {
        List<Task> once = new ArrayList<>();
        Set<Point> known = new HashSet<>();
        for (Task task : tasks) {
            if (known.add(task.point())) {
                once.add(task);
            }
        }
        int rounds = once.stream().mapToInt(Task::repeats).max().orElse(0);
        for (int run = 1; run <= rounds; run++) {
            int round = run;
            List<Task> order = new ArrayList<>(
                    once.stream().filter(task -> task.repeats() >= round).toList());
            Collections.shuffle(order, new Random(seed + run));
            if (run == 1) {
                List<Task> first = references.stream()
                        .flatMap(point ->
                                once.stream().filter(task -> task.point().equals(point)))
                        .toList();
                order.removeAll(first);
                order.addAll(0, first);
            }
            order.forEach(task ->
                    visits.add(new Visit(task.point(), round, round <= task.loadRepeats() ? task.loads() : List.of())));
        }
    }

    @Override
    public Optional<Visit> next(Results results) {
        return visits.stream().filter(visit -> !visit.isDone(results)).findFirst();
    }

    @Override
    public Optional<List<Visit>> left(Results results) {
        return Optional.of(
                visits.stream().filter(visit -> !visit.isDone(results)).toList());
    }
}
