package io.summarizer.bench.plot;

import io.summarizer.bench.advice.Measured;
import io.summarizer.bench.plot.Chart.Point;
import io.summarizer.bench.sweep.Factor;
import io.summarizer.bench.sweep.Metric;
import io.summarizer.bench.sweep.SeriesSample;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/** Draws the fill of queues over the time of a run, and the shares of time in which queues are full or empty. */
record Fills(Selection selection) {
    private static final int SERIES_MOST = 8;
    private static final int BARS_MOST = 12;
    /**
     * Metrics whose extremes are drawn: for each metric, the picture also shows the setting with the largest value.
     * Without these extreme settings, all charts might look alike.
     */
    private static final List<Metric> EXTREMES =
            List.of(Metric.PARSE_FULL_SHARE, Metric.PARSE_EMPTY_SHARE, Metric.OWNER_FULL_SHARE);

    /** Draws the fill over time for notable and extreme settings; empty when there are no samples. */
    Optional<Figure> overTime() {
        Map<String, Measured> chosen = selection.notable(
                SERIES_MOST - EXTREMES.size(), one -> !samples(one).isEmpty());
        for (Metric extreme : EXTREMES) {
            selection.fastest(one -> !samples(one).isEmpty() && !Double.isNaN(one.median(extreme))).stream()
                    .max(Comparator.comparingDouble(one -> one.median(extreme)))
                    .ifPresent(one -> chosen.putIfAbsent(selection.describe(one), one));
        }
        if (chosen.isEmpty()) {
            return Optional.empty();
        }
        long most = chosen.values().stream()
                .flatMap(one -> samples(one).stream())
                .mapToLong(SeriesSample::tMs)
                .max()
                .orElse(0);
        Figure figure = new Figure("Queue fill over time, " + selection.workload, 2, 500, 170)
                .subtitle("One run of each setting, looked at about every 100 ms.")
                .axes("seconds since the run began", "queue fill")
                .entry("parse queue", Style.of(0))
                .entry("fullest owner queue", Style.of(1))
                .entry("emptiest owner queue", Style.of(2));
        Axis x = Axis.fromZero("", most / 1e3, Units::si);
        Axis y = Axis.linear("", 0, 1, Units::percent);
        chosen.forEach((name, one) -> {
            Chart chart = new Chart(name, x, y)
                    .curve(Style.of(0), points(one, SeriesSample::parseFill))
                    .curve(Style.of(1), points(one, SeriesSample::ownerFillMax));
            if (one.point().number(Factor.OWNER_WORKERS) > 1) { // one owner has one queue
                chart.curve(Style.of(2), points(one, SeriesSample::ownerFillMin));
            }
            figure.add(chart);
        });
        return Optional.of(figure);
    }

    /** Draws the shares of time in which queues were full and empty; empty without such figures. */
    Optional<Figure> shares() {
        Map<String, Measured> chosen = selection.notable(
                BARS_MOST,
                one -> one.point().value(Factor.MODE).equals("queued")
                        && !Double.isNaN(one.median(Metric.OWNER_FULL_SHARE)));
        if (chosen.isEmpty()) {
            return Optional.empty();
        }
        List<String> names = new ArrayList<>(chosen.keySet());
        Collections.reverse(names); // the axis starts at the bottom
        Axis share = Axis.linear("", -0.02, 1.02, Units::percent);
        Axis rows = Axis.of("", names);
        return Optional.of(new Figure("Full or empty, " + selection.workload, 1, 1040, 70 + 28 * names.size())
                .subtitle("Share of the samples that saw a queue at least 90 % full, and with nothing in it; of owner"
                        + " queues the mean. Medians of runs.")
                .entry("full", Style.of(1))
                .entry("empty", Style.of(0))
                .add(new Chart("parse queue", share, rows)
                        .marks(Style.of(1), medians(chosen, names, Metric.PARSE_FULL_SHARE))
                        .marks(Style.of(0), medians(chosen, names, Metric.PARSE_EMPTY_SHARE)))
                .add(new Chart("owner queues", share, rows)
                        .marks(Style.of(1), medians(chosen, names, Metric.OWNER_FULL_SHARE))
                        .marks(Style.of(0), medians(chosen, names, Metric.OWNER_EMPTY_SHARE))));
    }

    private static List<Point> medians(Map<String, Measured> chosen, List<String> rows, Metric metric) {
        List<Point> points = new ArrayList<>();
        chosen.forEach((name, one) -> points.add(new Point(one.median(metric), rows.indexOf(name))));
        return points;
    }

    /** Returns the samples of the setting's first run that has samples. */
    private List<SeriesSample> samples(Measured one) {
        return one.throughputRuns().stream()
                .map(selection.results::series)
                .filter(samples -> samples.stream()
                        .anyMatch(sample -> !Double.isNaN(sample.parseFill()) || !Double.isNaN(sample.ownerFillMax())))
                .findFirst()
                .orElse(List.of());
    }

    private List<Point> points(Measured one, ToDoubleFunction<SeriesSample> value) {
        return samples(one).stream()
                .map(sample -> new Point(sample.tMs() / 1e3, value.applyAsDouble(sample)))
                .toList();
    }
}
