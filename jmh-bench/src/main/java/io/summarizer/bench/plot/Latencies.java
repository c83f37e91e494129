package io.summarizer.bench.plot;

import io.summarizer.bench.advice.Measured;
import io.summarizer.bench.plot.Chart.Point;
import io.summarizer.bench.report.Numbers;
import io.summarizer.bench.sweep.Row;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/** Latency against load: a panel for each percentile, a line for each setting, on the same scales. */
final class Latencies {
    private static final int SETTINGS_MOST = 6;

    private final Selection selection;

    Latencies(Selection selection) {
        this.selection = selection;
    }

    /** Empty when no latency was measured. */
    Optional<Figure> figure() {
        Map<String, Measured> chosen =
                selection.notable(SETTINGS_MOST, one -> !one.latencyRuns().isEmpty());
        if (chosen.isEmpty()) {
            // Perhaps only settings without a run at full speed have latency.
            selection.measured.stream()
                    .filter(one -> !one.latencyRuns().isEmpty())
                    .limit(SETTINGS_MOST)
                    .forEach(one -> chosen.putIfAbsent(selection.describe(one), one));
        }
        double least = Double.MAX_VALUE;
        double most = 0;
        double rate = 0;
        for (Measured one : chosen.values()) {
            for (Map.Entry<Double, List<Row>> entry : one.latencyRuns().entrySet()) {
                rate = Math.max(rate, entry.getKey());
                for (Row run : entry.getValue()) {
                    least = Math.min(least, positive(run.latency().p50(), Double.MAX_VALUE));
                    most = Math.max(
                            most,
                            Math.max(
                                    positive(run.latency().p99(), 0),
                                    positive(run.latency().p999(), 0)));
                }
            }
        }
        if (most == 0 || least > most) {
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
        Axis x = Axis.fromZero("", rate, Units::si);
        double from = rounded(least);
        Axis y = Axis.logarithmic("", from, Math.max(10 * from, 1 / rounded(1 / most)), Units::micros);
        figure.add(chart("p50", x, y, chosen, run -> run.latency().p50()));
        figure.add(chart("p99", x, y, chosen, run -> run.latency().p99()));
        figure.add(chart("p99.9", x, y, chosen, run -> run.latency().p999()));
        return Optional.of(figure);
    }

    /** The largest of 1, 2 and 5 times a power of ten that is not above {@code value}. */
    private static double rounded(double value) {
        double power = Math.pow(10, Math.floor(Math.log10(value)));
        double digit = value / power * 1.0000001;
        return power * (digit >= 5 ? 5 : digit >= 2 ? 2 : 1);
    }

    private static double positive(double value, double otherwise) {
        return value > 0 ? value : otherwise;
    }

    private static Chart chart(
            String title, Axis x, Axis y, Map<String, Measured> chosen, ToDoubleFunction<Row> value) {
        Chart chart = new Chart(title, x, y);
        int number = 0;
        for (Measured one : chosen.values()) {
            List<Point> medians = new ArrayList<>();
            List<Point> repeats = new ArrayList<>();
            one.latencyRuns().forEach((rate, runs) -> {
                double[] figures = Measured.figures(runs, value);
                medians.add(new Point(rate, Numbers.median(figures)));
                for (double figure : figures) {
                    repeats.add(new Point(rate, figure));
                }
            });
            chart.repeats(Style.of(number), repeats).line(Style.of(number), medians);
            number++;
        }
        return chart;
    }
}
