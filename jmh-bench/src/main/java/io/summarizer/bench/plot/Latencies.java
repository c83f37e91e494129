package io.summarizer.bench.plot;

import io.summarizer.bench.advice.Measured;
import io.summarizer.bench.plot.Chart.Point;
import io.summarizer.bench.report.Numbers;
import io.summarizer.bench.sweep.Metric;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.DoubleSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Draws latency by load: a chart for each percentile, with a line for each setting, on the same scales. */
record Latencies(Selection selection) {
    private static final int SETTINGS_MOST = 6;
    private static final Map<String, Metric> PERCENTILES = new LinkedHashMap<>();

    static {
        PERCENTILES.put("p50", Metric.LATENCY_P50_US);
        PERCENTILES.put("p99", Metric.LATENCY_P99_US);
        PERCENTILES.put("p99.9", Metric.LATENCY_P999_US);
    }

    /** Draws the figure; empty when no latency was measured. */
    Optional<Figure> figure() {
        Map<String, Measured> chosen =
                selection.notable(SETTINGS_MOST, one -> !one.latencyRuns().isEmpty());
        if (chosen.isEmpty()) {
            // A setting may have latencies but no run at full speed; sometimes all settings with latencies are such
            // settings.
            selection.measured.stream()
                    .filter(one -> !one.latencyRuns().isEmpty())
                    .limit(SETTINGS_MOST)
                    .forEach(one -> chosen.putIfAbsent(selection.describe(one), one));
        }
        DoubleSummaryStatistics micros = new DoubleSummaryStatistics();
        DoubleSummaryStatistics rates = new DoubleSummaryStatistics();
        for (Measured one : chosen.values()) {
            one.latencyRuns().forEach((rate, runs) -> {
                rates.accept(rate);
                PERCENTILES
                        .values()
                        .forEach(metric -> Arrays.stream(Measured.figures(runs, metric))
                                .filter(value -> value > 0)
                                .forEach(micros));
            });
        }
        if (micros.getCount() == 0) {
            return Optional.empty();
        }
        Figure figure = new Figure("Latency against load, " + selection.workload, 3, 340, 320)
                .subtitle("From the moment an event was due to be sent until a pull shows it, so waiting of the sender"
                        + " counts. Pale dots are single runs, marks medians. Logarithmic.")
                .axes("events/s offered", "time until an event is seen");
        List<String> names = List.copyOf(chosen.keySet());
        for (int i = 0; i < names.size(); i++) {
            figure.entry(names.get(i), Style.of(i));
        }
        Axis x = Axis.fromZero("", rates.getMax(), Units::si);
        Axis y = Axis.logarithmic(
                "", micros.getMin() / 1.5, Math.max(100 * micros.getMin(), 1.5 * micros.getMax()), Units::micros);
        PERCENTILES.forEach((title, metric) -> figure.add(chart(new Chart(title, x, y), chosen, metric)));
        return Optional.of(figure);
    }

    private static Chart chart(Chart chart, Map<String, Measured> chosen, Metric metric) {
        int number = 0;
        for (Measured one : chosen.values()) {
            Style style = Style.of(number++);
            List<Point> medians = new ArrayList<>();
            List<Point> repeats = new ArrayList<>();
            one.latencyRuns().forEach((rate, runs) -> {
                double[] figures = Measured.figures(runs, metric);
                medians.add(new Point(rate, Numbers.median(figures)));
                Arrays.stream(figures).forEach(each -> repeats.add(new Point(rate, each)));
            });
            chart.repeats(style, repeats).line(style, medians);
        }
        return chart;
    }
}
