package io.summarizer.bench.plot;

import io.summarizer.bench.advice.Measured;
import io.summarizer.bench.plot.Chart.Point;
import io.summarizer.bench.sweep.Factor;
import io.summarizer.bench.sweep.Row;
import io.summarizer.bench.sweep.Row.Fill;
import io.summarizer.bench.sweep.SeriesSample;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** How full queues are: over the time of a run, and how much of it they are full or empty. */
final class Fills {
    private static final int SERIES_MOST = 8;
    private static final int BARS_MOST = 12;
    private static final Style PARSE = Style.of(0);
    private static final Style FULLEST = Style.of(1);
    private static final Style EMPTIEST = Style.of(2);
    private static final Style FULL = Style.of(1);
    private static final Style EMPTY = Style.of(0);

    private final Selection selection;

    Fills(Selection selection) {
        this.selection = selection;
    }

    /** Fill over time of the settings that advice is about and of the extremes; empty without samples. */
    Optional<Figure> overTime() {
        Map<String, Measured> chosen = new LinkedHashMap<>();
        // The pictures with most to tell, should the notable ones all look alike.
        List<ToDoubleFunction<Measured>> extremes = List.of(
                one -> one.median(run -> run.parseQueue().full()),
                one -> one.median(run -> run.parseQueue().empty()),
                one -> one.median(run -> run.ownerQueue().full()));
        chosen.putAll(selection.notable(SERIES_MOST - extremes.size(), one -> sampled(one) != null));
        for (ToDoubleFunction<Measured> extreme : extremes) {
            selection.fastest(one -> sampled(one) != null && !Double.isNaN(extreme.applyAsDouble(one))).stream()
                    .max((a, b) -> Double.compare(extreme.applyAsDouble(a), extreme.applyAsDouble(b)))
                    .ifPresent(one -> chosen.putIfAbsent(selection.describe(one), one));
        }
        if (chosen.isEmpty()) {
            return Optional.empty();
        }
        double most = 0;
        for (Measured one : chosen.values()) {
            for (SeriesSample sample : samples(one)) {
                most = Math.max(most, sample.tMs() / 1e3);
            }
        }
        Figure figure = new Figure("Queue fill over time, " + selection.workload, 2, 500, 170)
                .subtitle("One run of each setting, looked at about every 100 ms.")
                .axes("seconds since the run began", "queue fill")
                .entry("parse queue", PARSE)
                .entry("fullest owner queue", FULLEST)
                .entry("emptiest owner queue", EMPTIEST);
        Axis x = Axis.fromZero("", most, Units::si);
        Axis y = Axis.linear("", 0, 1, Units::percent);
        chosen.forEach((name, one) -> figure.add(new Chart(name, x, y)
                .curve(PARSE, points(one, SeriesSample::parseFill))
                .curve(FULLEST, points(one, SeriesSample::ownerFillMax))
                .curve(EMPTIEST, several(one) ? points(one, SeriesSample::ownerFillMin) : List.of())));
        return Optional.of(figure);
    }

    /** Shares of the time that queues were full and empty; empty without such figures. */
    Optional<Figure> shares() {
        Map<String, Measured> chosen = selection.notable(
                BARS_MOST,
                one -> one.point().value(Factor.MODE).equals("queued")
                        && !Double.isNaN(one.median(run -> run.ownerQueue().full())));
        if (chosen.isEmpty()) {
            return Optional.empty();
        }
        List<String> names = new ArrayList<>(chosen.keySet());
        Collections.reverse(names); // the first one above all others
        List<Measured> settings = names.stream().map(chosen::get).toList();
        Axis share = Axis.linear("", -0.02, 1.02, Units::percent);
        Axis rows = Axis.of("", names);
        return Optional.of(new Figure("Full or empty, " + selection.workload, 1, 1040, 70 + 28 * names.size())
                .subtitle("Share of the samples that saw a queue at least 90 % full, and with nothing in it; of owner"
                        + " queues the mean. Medians of runs.")
                .entry("full", FULL)
                .entry("empty", EMPTY)
                .add(shares("parse queue", share, rows, settings, Row::parseQueue))
                .add(shares("owner queues", share, rows, settings, Row::ownerQueue)));
    }

    private static Chart shares(String title, Axis x, Axis y, List<Measured> settings, Function<Row, Fill> stage) {
        List<Point> full = new ArrayList<>();
        List<Point> empty = new ArrayList<>();
        for (int row = 0; row < settings.size(); row++) {
            Measured one = settings.get(row);
            full.add(new Point(one.median(run -> stage.apply(run).full()), row));
            empty.add(new Point(one.median(run -> stage.apply(run).empty()), row));
        }
        return new Chart(title, x, y).marks(FULL, full).marks(EMPTY, empty);
    }

    /** Whether there is more than one owner queue, so that the emptiest is not the fullest. */
    private static boolean several(Measured one) {
        return one.point().number(Factor.OWNER_WORKERS) > 1;
    }

    private @Nullable Row sampled(Measured one) {
        return one.throughputRuns().stream()
                .filter(run -> selection.results.series(run).stream()
                        .anyMatch(sample -> !Double.isNaN(sample.parseFill()) || !Double.isNaN(sample.ownerFillMax())))
                .findFirst()
                .orElse(null);
    }

    private List<SeriesSample> samples(Measured one) {
        Row run = sampled(one);
        return run == null ? List.of() : selection.results.series(run);
    }

    private List<Point> points(Measured one, ToDoubleFunction<SeriesSample> value) {
        return samples(one).stream()
                .map(sample -> new Point(sample.tMs() / 1e3, value.applyAsDouble(sample)))
                .toList();
    }
}
