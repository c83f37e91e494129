package io.summarizer.bench.plot;

import io.summarizer.bench.advice.Measured;
import io.summarizer.bench.report.Numbers;
import io.summarizer.bench.sweep.Factor;
import io.summarizer.bench.sweep.Point;
import io.summarizer.bench.sweep.Row;
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

/**
 * What one factor does while all others stand still: a panel for each factor that the results have two or more values of, in the
 * surroundings in which most of its values were measured.
 */
final class OneFactor {
    private static final int COLUMNS = 3;

    private static final List<String> WAITS = List.of("blocking", "sleeping", "yielding", "busy-spin");

    private final Selection selection;
    private final List<String> gaps = new ArrayList<>();
    private final List<Panel> panels = new ArrayList<>();

    /** Factors that were varied together, their values as one. */
    private record Varied(String title, Set<Factor> factors, Factor colour) {
        /** Waits from saving to burning the processor, a batch without a bound behind those that have one. */
        Comparator<String> order() {
            boolean batch = factors.contains(Factor.BATCH_MESSAGES);
            return Comparator.<String>comparingInt(
                            value -> batch && value.equals("0") ? Integer.MAX_VALUE : WAITS.indexOf(value))
                    .thenComparing(Numbers.NATURAL);
        }

        String value(Point setting) {
            TreeSet<String> values = new TreeSet<>(Numbers.NATURAL);
            factors.forEach(factor -> values.add(setting.value(factor)));
            values.remove("");
            return String.join("/", values);
        }
    }

    /** A panel before its axes are known. */
    private record Panel(Varied varied, List<String> values, List<Measured> settings) {}

    OneFactor(Selection selection) {
        this.selection = selection;
        List<Measured> measured = selection.fastest(one -> true);
        add(measured, Factor.PARSE_CAPACITY, Factor.OWNER_CAPACITY, "capacity of both queues, batches");
        add(measured, Factor.PARSE_WAIT, Factor.OWNER_WAIT, "wait of both kinds of worker");
        for (Factor factor : List.of(Factor.BATCH_MESSAGES, Factor.LINGER_US, Factor.GC, Factor.CONNECTIONS)) {
            add(measured, new Varied(factor.title(), EnumSet.of(factor), Factor.JDK));
        }
        add(measured, new Varied(Factor.NETTY_WORKERS.title(), EnumSet.of(Factor.NETTY_WORKERS), Factor.MODE));
    }

    /** Factors that the results have one value of, in words. */
    List<String> gaps() {
        return gaps;
    }

    /** Empty when no factor was varied. */
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
                        Arrays.stream(one.throughput(Row::eventsPerSecond))
                                .max()
                                .orElse(0));
                names.add(name(panel.varied(), one));
            }
        }
        List<String> styles = List.copyOf(names);
        Figure figure = new Figure("One factor at a time, " + selection.workload, COLUMNS, 360, 250)
                .subtitle("All other factors stand still within a panel: "
                        + selection.usual().describe(selection.usual())
                        + " where that was measured, else where most values were.")
                .axes("", "events/s");
        for (int i = 0; i < styles.size(); i++) {
            figure.entry(styles.get(i), Style.of(i));
        }
        Axis y = Axis.fromZero("", most, Units::si);
        for (Panel panel : panels) {
            figure.add(chart(panel, styles, y));
        }
        return Optional.of(figure);
    }

    private Chart chart(Panel panel, List<String> styles, Axis y) {
        List<String> shown = panel.values().stream()
                .map(value -> panel.varied().factors().contains(Factor.BATCH_MESSAGES) && value.equals("0")
                        ? "no bound"
                        : value)
                .toList();
        Chart chart = new Chart(panel.varied().title(), Axis.of("", shown), y);
        Map<String, List<Measured>> lines = new LinkedHashMap<>();
        panel.settings()
                .forEach(one -> lines.computeIfAbsent(name(panel.varied(), one), name -> new ArrayList<>())
                        .add(one));
        lines.forEach((name, settings) -> {
            List<Chart.Point> medians = new ArrayList<>();
            List<Chart.Point> repeats = new ArrayList<>();
            for (int i = 0; i < panel.values().size(); i++) {
                for (Measured one : settings) {
                    if (panel.varied().value(one.point()).equals(panel.values().get(i))) {
                        double x = i;
                        medians.add(new Chart.Point(x, one.median(Row::eventsPerSecond)));
                        Arrays.stream(one.throughput(Row::eventsPerSecond))
                                .forEach(each -> repeats.add(new Chart.Point(x, each)));
                    }
                }
            }
            Style style = Style.of(styles.indexOf(name));
            chart.repeats(style, repeats).line(style, medians);
        });
        return chart;
    }

    private static String name(Varied varied, Measured one) {
        String value = one.point().value(varied.colour());
        return varied.colour() == Factor.JDK ? "JDK " + value : "mode " + value;
    }

    private void add(List<Measured> measured, Factor parse, Factor owner, String both) {
        boolean ofParse = add(measured, new Varied(parse.title(), EnumSet.of(parse), Factor.JDK), false);
        boolean ofOwner = add(measured, new Varied(owner.title(), EnumSet.of(owner), Factor.JDK), false);
        List<Measured> equal = measured.stream()
                .filter(one -> one.point().value(parse).equals(one.point().value(owner)))
                .toList();
        boolean together = add(equal, new Varied(both, EnumSet.of(parse, owner), Factor.JDK), false);
        if (!ofParse && !ofOwner && !together) {
            gaps.add(both + ": one value only");
        }
    }

    private void add(List<Measured> measured, Varied varied) {
        add(measured, varied, true);
    }

    private boolean add(List<Measured> measured, Varied varied, boolean tell) {
        Set<Factor> free = EnumSet.copyOf(varied.factors());
        free.add(varied.colour());
        if (varied.colour() == Factor.MODE) {
            // Modes differ in which of these mean anything at all.
            free.addAll(EnumSet.of(
                    Factor.PARSE_QUEUE,
                    Factor.OWNER_QUEUE,
                    Factor.PARSE_WAIT,
                    Factor.OWNER_WAIT,
                    Factor.PARSE_CAPACITY,
                    Factor.OWNER_CAPACITY,
                    Factor.PARSE_WORKERS,
                    Factor.OWNER_WORKERS,
                    Factor.BATCH_MESSAGES,
                    Factor.LINGER_US));
        }
        List<Measured> best = List.of();
        List<String> values = List.of();
        Map<Point, List<Measured>> bySurroundings = new LinkedHashMap<>();
        for (Measured one : measured) {
            if (!varied.value(one.point()).isEmpty()) {
                bySurroundings
                        .computeIfAbsent(one.point().without(free), rest -> new ArrayList<>())
                        .add(one);
            }
        }
        Point reference = selection.usual().without(free);
        for (Map.Entry<Point, List<Measured>> entry : bySurroundings.entrySet()) {
            List<Measured> settings =
                    varied.colour() == Factor.MODE ? alike(entry.getValue(), varied) : entry.getValue();
            TreeSet<String> there = new TreeSet<>(varied.order());
            settings.forEach(one -> there.add(varied.value(one.point())));
            boolean more = there.size() > values.size()
                    || (there.size() == values.size() && entry.getKey().equals(reference));
            if (more) {
                best = settings;
                values = List.copyOf(there);
            }
        }
        if (values.size() < 2) {
            if (tell) {
                gaps.add(varied.title() + ": one value only");
            }
            return false;
        }
        panels.add(new Panel(varied, values, best));
        return true;
    }

    /** Of each mode the settings that differ in nothing but the factor. */
    private List<Measured> alike(List<Measured> settings, Varied varied) {
        Map<String, Map<Point, List<Measured>>> byMode = new LinkedHashMap<>();
        for (Measured one : settings) {
            byMode.computeIfAbsent(one.point().value(Factor.MODE), mode -> new LinkedHashMap<>())
                    .computeIfAbsent(one.point().without(varied.factors()), rest -> new ArrayList<>())
                    .add(one);
        }
        List<Measured> alike = new ArrayList<>();
        Point reference = selection.usual().without(varied.factors());
        byMode.values().forEach(groups -> {
            List<Measured> largest = groups.getOrDefault(reference, List.of());
            for (List<Measured> group : groups.values()) {
                largest = group.size() > largest.size() ? group : largest;
            }
            alike.addAll(largest);
        });
        return alike;
    }
}
