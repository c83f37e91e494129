package io.summarizer.bench.plot;

import io.summarizer.bench.advice.Advice;
import io.summarizer.bench.advice.Measured;
import io.summarizer.bench.report.Numbers;
import io.summarizer.bench.sweep.Factor;
import io.summarizer.bench.sweep.Metric;
import io.summarizer.bench.sweep.Point;
import io.summarizer.bench.sweep.Results;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.DoubleUnaryOperator;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;

/** The results of one workload in the form that its pictures need. */
final class Selection {
    final String workload;
    final Results results;
    final Advice advice;

    /** All measured settings. */
    final List<Measured> measured;

    Selection(Results results, Advice advice) {
        this.workload = advice.workload();
        this.results = results;
        this.advice = advice;
        this.measured = Measured.of(results, workload);
    }

    /** The setting to which the descriptions of other settings refer. */
    Point usual() {
        return advice.reference().point();
    }

    /** Describes a setting by its differences from the reference. */
    String describe(Measured one) {
        return one.point().describe(usual());
    }

    /** Distinct values of a factor, in natural order. */
    static List<String> values(List<Measured> measured, Factor factor) {
        TreeSet<String> values = new TreeSet<>(Numbers.NATURAL);
        measured.forEach(one -> values.add(one.point().value(factor)));
        return List.copyOf(values);
    }

    /**
     * Returns the settings to show, by their descriptions. Leaves out settings that {@code passing} refuses. The
     * reference, the picks and the baselines come first, then the fastest settings.
     */
    Map<String, Measured> notable(int most, Predicate<Measured> passing) {
        Map<String, Measured> chosen = new LinkedHashMap<>();
        List<Measured> inOrder = new ArrayList<>();
        inOrder.add(advice.reference());
        advice.picks().forEach(pick -> inOrder.add(pick.best()));
        for (String mode : List.of("inline", "locked")) {
            fastest(one -> one.point().value(Factor.MODE).equals(mode)).stream()
                    .filter(passing)
                    .limit(1)
                    .forEach(inOrder::add);
        }
        // One setting for each pair of queues shows more than several settings of the fastest pair.
        Map<String, Measured> ofQueues = new LinkedHashMap<>();
        String jdk = usual().value(Factor.JDK);
        fastest(one -> passing.test(one) && one.point().value(Factor.JDK).equals(jdk))
                .forEach(one -> ofQueues.putIfAbsent(one.point().queues(), one));
        inOrder.addAll(ofQueues.values());
        inOrder.addAll(fastest(one -> true));
        for (Measured one : inOrder) {
            if (chosen.size() < most && passing.test(one)) {
                chosen.putIfAbsent(describe(one), one);
            }
        }
        return chosen;
    }

    /** Returns the settings that match, the fastest first. */
    List<Measured> fastest(Predicate<Measured> passing) {
        return measured.stream()
                .filter(one -> one.throughput(Metric.EVENTS_PER_S).length > 0)
                .filter(passing)
                .sorted(Comparator.comparingDouble((Measured one) -> one.median(Metric.EVENTS_PER_S))
                        .reversed())
                .toList();
    }

    /**
     * Draws a line through the medians of a figure, and a pale dot for each run. On the x axis, each setting has a
     * position of its own.
     */
    static void line(
            Chart chart,
            Style style,
            List<Measured> settings,
            ToDoubleFunction<Measured> place,
            Metric metric,
            DoubleUnaryOperator scale) {
        List<Chart.Point> medians = new ArrayList<>();
        List<Chart.Point> repeats = new ArrayList<>();
        settings.stream().sorted(Comparator.comparingDouble(place)).forEach(one -> {
            double x = place.applyAsDouble(one);
            medians.add(new Chart.Point(x, scale.applyAsDouble(one.median(metric))));
            Arrays.stream(one.throughput(metric)).map(scale).forEach(each -> repeats.add(new Chart.Point(x, each)));
        });
        chart.repeats(style, repeats).line(style, medians);
    }
}
