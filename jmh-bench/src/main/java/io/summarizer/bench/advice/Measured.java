package io.summarizer.bench.advice;

import io.summarizer.bench.advice.Run.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/** A setting with the runs that succeeded. */
public record Measured(Setting setting, List<Run> runs) {
    /** Keeps the runs. */
    public Measured {
        runs = List.copyOf(runs);
    }

    /** The same without the first runs. */
    Measured behind(int first) {
        return new Measured(
                setting, runs.stream().filter(run -> run.number() > first).toList());
    }

    /** Runs at full speed. */
    public List<Run> throughputRuns() {
        return runs.stream().filter(run -> run.kind() == Kind.THROUGHPUT).toList();
    }

    /** Runs at offered rates, by rate. */
    public Map<Double, List<Run>> latencyRuns() {
        Map<Double, List<Run>> byRate = new TreeMap<>();
        for (Run run : runs) {
            if (run.kind() == Kind.LATENCY && !Double.isNaN(run.latency().p99())) {
                byRate.computeIfAbsent(run.offered(), rate -> new ArrayList<>()).add(run);
            }
        }
        return byRate;
    }

    /** A figure of each run at full speed that has it. */
    public double[] throughput(ToDoubleFunction<Run> figure) {
        return figures(throughputRuns(), figure);
    }

    /** Median of a figure over runs at full speed; NaN when no run has it. */
    public double median(ToDoubleFunction<Run> figure) {
        return Numbers.median(throughput(figure));
    }

    /** A figure of each of {@code runs} that has it. */
    public static double[] figures(List<Run> runs, ToDoubleFunction<Run> figure) {
        return runs.stream()
                .mapToDouble(figure)
                .filter(value -> !Double.isNaN(value))
                .toArray();
    }
}
