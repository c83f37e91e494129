package io.summarizer.bench.plot;

import io.summarizer.bench.advice.Measured;
import io.summarizer.bench.report.Numbers;
import io.summarizer.bench.sweep.Factor;
import io.summarizer.bench.sweep.Point;
import io.summarizer.bench.sweep.Row;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * The article's picture: a panel for each pair of queues and each JDK, a figure over owner workers, a line for each number of
 * parser workers, the modes without queues as levels. Factors that have no place in it are held at the values of the reference.
 */
final class Facets {
    private static final Set<Factor> SHOWN = Collections.unmodifiableSet(
            EnumSet.of(Factor.JDK, Factor.PARSE_QUEUE, Factor.OWNER_QUEUE, Factor.PARSE_WORKERS, Factor.OWNER_WORKERS));
    private static final Set<Factor> WAITS =
            Collections.unmodifiableSet(EnumSet.of(Factor.PARSE_WAIT, Factor.OWNER_WAIT));
    private static final int COLUMNS = 4;
    private static final int INLINE = 5;
    private static final int LOCKED = 9;
    private static final double DODGE = 0.07;

    private final Selection selection;
    private final List<Cell> cells = new ArrayList<>();
    private final List<String> gaps = new ArrayList<>();
    private final List<String> parserWorkers;
    private final List<String> ownerWorkers;
    private final List<String> held = new ArrayList<>();

    /** The settings of a panel. */
    private record Cell(String queues, String jdk, List<Measured> settings) {}

    Facets(Selection selection) {
        this.selection = selection;
        List<Measured> queued = selection.measured.stream()
                .filter(one -> one.point().value(Factor.MODE).equals("queued"))
                .filter(one -> one.throughput(Row::eventsPerSecond).length > 0)
                .toList();
        List<Measured> fixed = hold(queued);
        Map<String, Map<String, List<Measured>>> byPanel = new LinkedHashMap<>();
        List<String> jdks = Selection.values(fixed, Factor.JDK);
        fixed.stream()
                .sorted((a, b) -> order(a.point()) - order(b.point()))
                .forEach(one -> byPanel.computeIfAbsent(one.point().queues(), q -> new TreeMap<>())
                        .computeIfAbsent(one.point().value(Factor.JDK), j -> new ArrayList<>())
                        .add(one));
        byPanel.forEach((queues, byJdk) -> {
            for (String jdk : jdks) {
                List<Measured> settings = byJdk.getOrDefault(jdk, List.of());
                cells.add(new Cell(queues, jdk, oneWait(settings)));
                if (settings.isEmpty()) {
                    gaps.add(queues + " was not measured on JDK " + jdk);
                }
            }
        });
        for (String jdk : jdks) {
            List<String> absent = Stream.of("inline", "locked")
                    .filter(mode -> !baselines(jdk).containsKey(mode))
                    .toList();
            if (!absent.isEmpty()) {
                gaps.add("no level of mode " + String.join(" and ", absent) + " on JDK " + jdk
                        + ": not measured, or failed");
            }
        }
        List<Measured> drawn =
                cells.stream().flatMap(cell -> cell.settings().stream()).toList();
        parserWorkers = Selection.values(drawn, Factor.PARSE_WORKERS);
        ownerWorkers = Selection.values(drawn, Factor.OWNER_WORKERS);
        int full = parserWorkers.size() * ownerWorkers.size();
        long partial = cells.stream()
                .filter(cell -> !cell.settings().isEmpty() && cell.settings().size() < full)
                .count();
        if (partial > 0) {
            gaps.add(partial + " of " + cells.size() + " panels lack some of the " + full
                    + " combinations of workers: not measured, or failed");
        }
    }

    /** What is missing in the pictures. */
    List<String> gaps() {
        return gaps;
    }

    boolean isEmpty() {
        return cells.isEmpty();
    }

    /** Settings that have the usual value of every factor that the picture does not show. */
    private List<Measured> hold(List<Measured> queued) {
        List<Measured> fixed = queued;
        for (Factor factor : Factor.values()) {
            if (SHOWN.contains(factor) || WAITS.contains(factor) || factor == Factor.WORKLOAD) {
                continue;
            }
            String wanted = selection.usual().value(factor);
            boolean there =
                    fixed.stream().anyMatch(one -> one.point().value(factor).equals(wanted));
            String value = there && !wanted.isEmpty() ? wanted : Measured.usual(fixed, factor);
            if (!value.isEmpty() && factor != Factor.MODE) {
                held.add(factor.title() + ": "
                        + (factor == Factor.BATCH_MESSAGES && value.equals("0") ? "no bound" : value));
            }
            fixed = fixed.stream()
                    .filter(one -> one.point().value(factor).equals(value))
                    .toList();
        }
        return fixed;
    }

    /** Of settings that differ in waits, those with the waits that most have. */
    private static List<Measured> oneWait(List<Measured> settings) {
        List<Measured> fixed = settings;
        for (Factor wait : WAITS) {
            String value = Measured.usual(fixed, wait);
            fixed = fixed.stream()
                    .filter(one -> one.point().value(wait).equals(value))
                    .toList();
        }
        return fixed;
    }

    private static int order(Point setting) {
        List<String> queues = List.of("abq", "lbq", "mpmc", "mpsc", "disruptor");
        return 10 * queues.indexOf(setting.value(Factor.PARSE_QUEUE))
                + queues.indexOf(setting.value(Factor.OWNER_QUEUE));
    }

    /** Events a second. */
    Figure throughput() {
        return figure("Throughput, " + selection.workload, "events/s", Row::eventsPerSecond);
    }

    /** Events for a second of CPU; empty when no run has its CPU time. */
    Optional<Figure> efficiency() {
        boolean known = cells.stream()
                .flatMap(cell -> cell.settings().stream())
                .anyMatch(one -> one.throughput(Row::eventsPerCpuSecond).length > 0);
        return known
                ? Optional.of(figure(
                        "Efficiency, " + selection.workload,
                        "events per CPU second of the server",
                        Row::eventsPerCpuSecond))
                : Optional.empty();
    }

    private Figure figure(String title, String yTitle, ToDoubleFunction<Row> value) {
        double most = 0;
        List<Map<String, Measured>> baselines = new ArrayList<>();
        for (Cell cell : cells) {
            Map<String, Measured> levels = baselines(cell.jdk());
            baselines.add(levels);
            for (Measured one : cell.settings()) {
                most = Math.max(most, Arrays.stream(one.throughput(value)).max().orElse(0));
            }
            for (Measured one : levels.values()) {
                most = Math.max(most, one.median(value));
            }
        }
        Figure figure = new Figure(title, COLUMNS, 268, 230)
                .axes("owner workers", yTitle)
                .subtitle("Panels: [parse queue-owner queue, JDK]. Pale dots are single runs, marks and lines medians. "
                        + "Held: " + String.join("; ", held) + ".");
        Map<String, TreeSet<String>> nettyWorkers = new TreeMap<>();
        baselines.forEach(levels -> levels.forEach((mode, one) -> nettyWorkers
                .computeIfAbsent(mode, name -> new TreeSet<>(Numbers.NATURAL))
                .add(one.point().value(Factor.NETTY_WORKERS))));
        for (int i = 0; i < parserWorkers.size(); i++) {
            figure.entry(parserWorkers.get(i) + " parser workers", Style.of(i));
        }
        nettyWorkers.forEach((mode, counts) -> figure.entry(
                "mode " + mode + ", no queues, best with " + String.join(" or ", counts) + " netty", level(mode)));
        Axis x = Axis.of("", ownerWorkers);
        Axis y = Axis.fromZero("", most, Units::si);
        for (int i = 0; i < cells.size(); i++) {
            Cell cell = cells.get(i);
            String missing = cell.settings().isEmpty() ? ": not measured" : "";
            Chart chart = new Chart("[" + cell.queues() + ", " + cell.jdk() + "]" + missing, x, y);
            levels(chart, baselines.get(i), value);
            lines(chart, cell, value);
            figure.add(chart);
        }
        return figure;
    }

    private static void levels(Chart chart, Map<String, Measured> baselines, ToDoubleFunction<Row> value) {
        baselines.forEach((mode, one) -> {
            if (!Double.isNaN(one.median(value))) {
                chart.level(level(mode), one.median(value));
            }
        });
    }

    private static Style level(String mode) {
        return mode.equals("inline") ? Style.dashed(INLINE) : Style.dotted(LOCKED);
    }

    private void lines(Chart chart, Cell cell, ToDoubleFunction<Row> value) {
        for (int i = 0; i < parserWorkers.size(); i++) {
            String parsers = parserWorkers.get(i);
            double dodge = (i - (parserWorkers.size() - 1) / 2.0) * DODGE;
            List<Chart.Point> medians = new ArrayList<>();
            List<Chart.Point> repeats = new ArrayList<>();
            for (int owners = 0; owners < ownerWorkers.size(); owners++) {
                for (Measured one : cell.settings()) {
                    if (one.point().value(Factor.PARSE_WORKERS).equals(parsers)
                            && one.point().value(Factor.OWNER_WORKERS).equals(ownerWorkers.get(owners))) {
                        double x = owners + dodge;
                        medians.add(new Chart.Point(x, one.median(value)));
                        Arrays.stream(one.throughput(value)).forEach(each -> repeats.add(new Chart.Point(x, each)));
                    }
                }
            }
            chart.repeats(Style.of(i), repeats).line(Style.of(i), medians);
        }
    }

    /** The best setting of each mode without queues on a JDK, by throughput. */
    private Map<String, Measured> baselines(String jdk) {
        Map<String, Measured> baselines = new LinkedHashMap<>();
        for (String mode : List.of("inline", "locked")) {
            selection
                    .fastest(one -> one.point().value(Factor.MODE).equals(mode)
                            && one.point().value(Factor.JDK).equals(jdk)
                            && one.point()
                                    .value(Factor.GC)
                                    .equals(selection.usual().value(Factor.GC)))
                    .stream()
                    .findFirst()
                    .ifPresent(one -> baselines.put(mode, one));
        }
        return baselines;
    }
}
