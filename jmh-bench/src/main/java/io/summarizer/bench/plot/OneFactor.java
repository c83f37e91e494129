package io.summarizer.bench.plot;

import io.summarizer.bench.advice.Measured;
import io.summarizer.bench.report.Numbers;
import io.summarizer.bench.sweep.Factor;
import io.summarizer.bench.sweep.Metric;
import io.summarizer.bench.sweep.Point;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Draws the effect of one factor while all others are fixed. Each factor with two or more values in the results has a
 * chart, in which the other factors have fixed values. Several choices of the fixed values are possible. The chart uses
 * the choice with which the most values of its factor were measured.
 */
final class OneFactor {
    private static final List<String> WAITS = List.of("blocking", "sleeping", "yielding", "busy-spin");
    /** Factors that have no meaning in some mode. */
    private static final Set<Factor> OF_QUEUES = EnumSet.of(
            Factor.PARSE_QUEUE,
            Factor.OWNER_QUEUE,
            Factor.PARSE_WAIT,
            Factor.OWNER_WAIT,
            Factor.PARSE_CAPACITY,
            Factor.OWNER_CAPACITY,
            Factor.PARSE_WORKERS,
            Factor.OWNER_WORKERS,
            Factor.BATCH_MESSAGES,
            Factor.LINGER_US);

    private final Selection selection;
    private final List<String> gaps = new ArrayList<>();
    private final List<Panel> panels = new ArrayList<>();

    /**
     * The factor that a chart varies, or two factors that were varied together, with combined values. The factor {@code
     * colour} determines the colours of lines.
     */
    private record Varied(String title, Set<Factor> factors, Factor colour) {
        Varied(Factor factor) {
            this(factor.title(), EnumSet.of(factor), factor == Factor.NETTY_WORKERS ? Factor.MODE : Factor.JDK);
        }

        boolean isBatch() {
            return factors.contains(Factor.BATCH_MESSAGES);
        }

        /** Orders waits from blocking to spinning, and unbounded batches after bounded ones. */
        Comparator<String> order() {
            return Comparator.<String>comparingInt(
                            value -> isBatch() && value.equals("0") ? Integer.MAX_VALUE : WAITS.indexOf(value))
                    .thenComparing(Numbers.NATURAL);
        }

        String value(Measured one) {
            return factors.stream()
                    .map(one.point()::value)
                    .filter(value -> !value.isEmpty())
                    .distinct()
                    .sorted(Numbers.NATURAL)
                    .collect(Collectors.joining("/"));
        }

        String line(Measured one) {
            return (colour == Factor.JDK ? "JDK " : "mode ") + one.point().value(colour);
        }
    }

    /** The data of a chart, before its axes are known. */
    private record Panel(Varied varied, List<String> values, List<Measured> settings) {}

    OneFactor(Selection selection) {
        this.selection = selection;
        List<Measured> measured = selection.fastest(one -> true);
        addBoth(measured, Factor.PARSE_CAPACITY, Factor.OWNER_CAPACITY, "capacity of both queues, batches");
        addBoth(measured, Factor.PARSE_WAIT, Factor.OWNER_WAIT, "wait of both kinds of worker");
        for (Factor factor :
                List.of(Factor.BATCH_MESSAGES, Factor.LINGER_US, Factor.GC, Factor.CONNECTIONS, Factor.NETTY_WORKERS)) {
            if (!add(measured, new Varied(factor))) {
                gaps.add(factor.title() + ": one value only");
            }
        }
    }

    /** Factors with a single value in the results, in words. */
    List<String> gaps() {
        return gaps;
    }

    /** Draws the figure; empty when no factor was varied. */
    Optional<Figure> figure() {
        if (panels.isEmpty()) {
            return Optional.empty();
        }
        double most = 0;
        Set<String> names = new TreeSet<>(Numbers.NATURAL);
        for (Panel panel : panels) {
            for (Measured one : panel.settings()) {
                most = Math.max(
                        most,
                        Arrays.stream(one.throughput(Metric.EVENTS_PER_S)).max().orElse(0));
                names.add(panel.varied().line(one));
            }
        }
        List<String> styles = List.copyOf(names);
        Figure figure = new Figure("One factor at a time, " + selection.workload, 3, 360, 250)
                .subtitle("All other factors stand still within a panel: "
                        + selection.usual().describe(selection.usual())
                        + " where that was measured, else where most values were.")
                .axes("", "events/s");
        for (int i = 0; i < styles.size(); i++) {
            figure.entry(styles.get(i), Style.of(i));
        }
        Axis y = Axis.fromZero("", most, Units::si);
        for (Panel panel : panels) {
            Varied varied = panel.varied();
            List<String> shown = panel.values().stream()
                    .map(value -> varied.isBatch() && value.equals("0") ? "no bound" : value)
                    .toList();
            Chart chart = new Chart(varied.title(), Axis.of("", shown), y);
            panel.settings().stream()
                    .collect(Collectors.groupingBy(varied::line, LinkedHashMap::new, Collectors.toList()))
                    .forEach((name, settings) -> Selection.line(
                            chart,
                            Style.of(styles.indexOf(name)),
                            settings,
                            one -> panel.values().indexOf(varied.value(one)),
                            Metric.EVENTS_PER_S,
                            value -> value));
            figure.add(chart);
        }
        return Optional.of(figure);
    }

    private void addBoth(List<Measured> measured, Factor parse, Factor owner, String both) {
        boolean ofParse = add(measured, new Varied(parse));
        boolean ofOwner = add(measured, new Varied(owner));
        List<Measured> equal = measured.stream()
                .filter(one -> one.point().value(parse).equals(one.point().value(owner)))
                .toList();
        boolean together = add(equal, new Varied(both, EnumSet.of(parse, owner), Factor.JDK));
        if (!ofParse && !ofOwner && !together) {
            gaps.add(both + ": one value only");
        }
    }

    private boolean add(List<Measured> measured, Varied varied) {
        Set<Factor> free = EnumSet.copyOf(varied.factors());
        free.add(varied.colour());
        if (varied.colour() == Factor.MODE) {
            free.addAll(OF_QUEUES);
        }
        List<Measured> best = List.of();
        List<String> values = List.of();
        Point reference = selection.usual().without(free);
        for (Map.Entry<Point, List<Measured>> entry :
                alikeBut(measured, free, varied).entrySet()) {
            List<Measured> settings =
                    varied.colour() == Factor.MODE ? largestOfEachMode(entry.getValue(), varied) : entry.getValue();
            List<String> there = settings.stream()
                    .map(varied::value)
                    .distinct()
                    .sorted(varied.order())
                    .toList();
            if (there.size() > values.size()
                    || (there.size() == values.size() && entry.getKey().equals(reference))) {
                best = settings;
                values = there;
            }
        }
        if (values.size() < 2) {
            return false;
        }
        panels.add(new Panel(varied, values, best));
        return true;
    }

    /**
     * Groups all settings that have values for the varied factors. The settings of a group differ only in the factors
     * in {@code free}.
     */
    private static Map<Point, List<Measured>> alikeBut(List<Measured> measured, Set<Factor> free, Varied varied) {
        return measured.stream()
                .filter(one -> !varied.value(one).isEmpty())
                .collect(Collectors.groupingBy(
                        one -> one.point().without(free), LinkedHashMap::new, Collectors.toList()));
    }

    /** Groups the settings that differ only in the varied factors, and returns the largest group of each mode. */
    private List<Measured> largestOfEachMode(List<Measured> settings, Varied varied) {
        Point reference = selection.usual().without(varied.factors());
        List<Measured> largest = new ArrayList<>();
        settings.stream()
                .collect(Collectors.groupingBy(
                        one -> one.point().value(Factor.MODE), LinkedHashMap::new, Collectors.toList()))
                .values()
                .forEach(ofMode -> alikeBut(ofMode, varied.factors(), varied).entrySet().stream()
                        .max(Comparator.<Map.Entry<Point, List<Measured>>>comparingInt(
                                        entry -> entry.getValue().size())
                                .thenComparing(entry -> entry.getKey().equals(reference)))
                        .ifPresent(entry -> largest.addAll(entry.getValue())));
        return largest;
    }
}
