package io.summarizer.bench.advice;

import io.summarizer.bench.report.Numbers;
import io.summarizer.bench.sweep.Factor;
import io.summarizer.bench.sweep.Kind;
import io.summarizer.bench.sweep.Metric;
import io.summarizer.bench.sweep.Point;
import io.summarizer.bench.sweep.Results;
import io.summarizer.bench.sweep.Row;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A point with the runs that succeeded. */
public record Measured(Point point, List<Row> runs) {
    /** Copies the runs. */
    public Measured {
        runs = List.copyOf(runs);
    }

    /** Returns the points of a workload with their successful runs, in the order of the file. */
    public static List<Measured> of(Results results, String workload) {
        List<Measured> measured = new ArrayList<>();
        for (Point point : results.points()) {
            List<Row> runs = results.rows(point, Row::isOk);
            if (!runs.isEmpty() && point.value(Factor.WORKLOAD).equals(workload)) {
                measured.add(new Measured(point, runs));
            }
        }
        return measured;
    }

    /**
     * Returns the most frequent value of a factor over all runs; of several equally frequent values, the alphabetically
     * first.
     */
    public static String usual(Collection<Measured> measured, Factor factor) {
        Map<String, Integer> counts = new TreeMap<>();
        measured.forEach(
                one -> counts.merge(one.point().value(factor), one.runs().size(), Integer::sum));
        String usual = "";
        int most = 0;
        for (Map.Entry<String, Integer> value : counts.entrySet()) {
            if (value.getValue() > most) {
                usual = value.getKey();
                most = value.getValue();
            }
        }
        return usual;
    }

    /** Returns this point without its runs 1 to {@code first}. */
    Measured behind(int first) {
        return new Measured(
                point, runs.stream().filter(run -> run.run() > first).toList());
    }

    /** Runs at full speed. */
    public List<Row> throughputRuns() {
        return runs.stream().filter(run -> run.kind() == Kind.THROUGHPUT).toList();
    }

    /** Runs at offered rates, by rate. */
    public Map<Double, List<Row>> latencyRuns() {
        Map<Double, List<Row>> byRate = new TreeMap<>();
        for (Row run : runs) {
            if (run.kind() == Kind.LATENCY && !Double.isNaN(run.value(Metric.LATENCY_P99_US))) {
                byRate.computeIfAbsent((double) run.offeredPerS(), rate -> new ArrayList<>())
                        .add(run);
            }
        }
        return byRate;
    }

    /** Returns the values of a figure for the runs at full speed; leaves out runs without this figure. */
    public double[] throughput(Metric metric) {
        return figures(throughputRuns(), metric);
    }

    /** Median of a figure over runs at full speed; NaN when no run has the figure. */
    public double median(Metric metric) {
        return Numbers.median(throughput(metric));
    }

    /** Returns the values of a figure for {@code runs}; leaves out runs without this figure. */
    public static double[] figures(List<Row> runs, Metric metric) {
        return runs.stream()
                .mapToDouble(run -> run.value(metric))
                .filter(value -> !Double.isNaN(value))
                .toArray();
    }
}
