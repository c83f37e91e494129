package io.summarizer.bench.plot;

import io.summarizer.bench.advice.Measured;
import io.summarizer.bench.report.Numbers;
import io.summarizer.bench.sweep.Factor;
import io.summarizer.bench.sweep.Metric;
import io.summarizer.bench.sweep.Point;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.DoubleUnaryOperator;
import java.util.function.Predicate;

/**
 * The picture of the article: a chart for each pair of queues and each JDK. The x axis is the number of owners, and
 * there is a line for each number of parser workers. Each mode without queues is a horizontal line. All other factors
 * have the values of the reference.
 */
final class Facets {
    private static final Set<Factor> SHOWN = Collections.unmodifiableSet(EnumSet.of(
            Factor.WORKLOAD,
            Factor.JDK,
            Factor.PARSE_QUEUE,
            Factor.OWNER_QUEUE,
            Factor.PARSE_WORKERS,
            Factor.OWNER_WORKERS,
            Factor.PARSE_WAIT,
            Factor.OWNER_WAIT));
    private static final List<String> QUEUES = List.of("abq", "lbq", "mpmc", "mpsc", "disruptor");
    private static final Map<String, Style> LEVELS = Map.of("inline", Style.dashed(5), "locked", Style.dotted(9));
    private static final double DODGE = 0.07;

    private final Selection selection;
    private final List<Cell> cells = new ArrayList<>();
    private final List<String> gaps = new ArrayList<>();
    private final List<String> parserWorkers;
    private final List<String> ownerWorkers;
    private final List<String> held = new ArrayList<>();

    /** The settings of a chart, and the best setting of each mode without queues. */
    private record Cell(String queues, String jdk, List<Measured> settings, Map<String, Measured> levels) {}

    Facets(Selection selection) {
        this.selection = selection;
        List<Measured> fixed =
                hold(selection.fastest(one -> one.point().value(Factor.MODE).equals("queued")));
        List<String> jdks = Selection.values(fixed, Factor.JDK);
        Map<String, Map<String, Measured>> levels = new TreeMap<>();
        for (String jdk : jdks) {
            levels.put(jdk, levels(jdk));
        }
        fixed.stream()
                .sorted(Comparator.comparingInt(one -> order(one.point())))
                .map(one -> one.point().queues())
                .distinct()
                .forEach(queues -> {
                    for (String jdk : jdks) {
                        List<Measured> settings = fixed.stream()
                                .filter(one -> one.point().queues().equals(queues)
                                        && one.point().value(Factor.JDK).equals(jdk))
                                .toList();
                        cells.add(new Cell(queues, jdk, oneWait(settings), levels.getOrDefault(jdk, Map.of())));
                        if (settings.isEmpty()) {
                            gaps.add(queues + " was not measured on JDK " + jdk);
                        }
                    }
                });
        levels.forEach((jdk, there) -> {
            List<String> absent = LEVELS.keySet().stream()
                    .filter(mode -> !there.containsKey(mode))
                    .sorted()
                    .toList();
            if (!absent.isEmpty()) {
                gaps.add("no level of mode " + String.join(" and ", absent) + " on JDK " + jdk
                        + ": not measured, or failed");
            }
        });
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

    /** Gaps in the pictures. */
    List<String> gaps() {
        return gaps;
    }

    boolean isEmpty() {
        return cells.isEmpty();
    }

    /** Returns the settings that have the usual values of all factors that are not in the picture. */
    private List<Measured> hold(List<Measured> queued) {
        List<Measured> fixed = queued;
        for (Factor factor : EnumSet.complementOf(EnumSet.copyOf(SHOWN))) {
            String wanted = selection.usual().value(factor);
            boolean there =
                    fixed.stream().anyMatch(one -> one.point().value(factor).equals(wanted));
            String value = there && !wanted.isEmpty() ? wanted : Measured.usual(fixed, factor);
            if (!value.isEmpty() && factor != Factor.MODE) {
                held.add(factor.title() + ": "
                        + (factor == Factor.BATCH_MESSAGES && value.equals("0") ? "no bound" : value));
            }
            fixed = with(fixed, factor, value);
        }
        return fixed;
    }

    /** Returns the settings with the most frequent wait policies. */
    private static List<Measured> oneWait(List<Measured> settings) {
        List<Measured> fixed = settings;
        for (Factor wait : List.of(Factor.PARSE_WAIT, Factor.OWNER_WAIT)) {
            fixed = with(fixed, wait, Measured.usual(fixed, wait));
        }
        return fixed;
    }

    private static List<Measured> with(List<Measured> settings, Factor factor, String value) {
        return settings.stream()
                .filter(one -> one.point().value(factor).equals(value))
                .toList();
    }

    private static int order(Point setting) {
        return 10 * QUEUES.indexOf(setting.value(Factor.PARSE_QUEUE))
                + QUEUES.indexOf(setting.value(Factor.OWNER_QUEUE));
    }

    /** Returns the setting with the best throughput on a JDK, for each mode without queues. */
    private Map<String, Measured> levels(String jdk) {
        Predicate<Point> alike = point -> point.value(Factor.JDK).equals(jdk)
                && point.value(Factor.GC).equals(selection.usual().value(Factor.GC));
        Map<String, Measured> levels = new LinkedHashMap<>();
        for (String mode : List.of("inline", "locked")) {
            selection.fastest(one -> one.point().value(Factor.MODE).equals(mode) && alike.test(one.point())).stream()
                    .findFirst()
                    .ifPresent(one -> levels.put(mode, one));
        }
        return levels;
    }

    /** Events per second. */
    Figure throughput() {
        return figure("Throughput", "events/s", Metric.EVENTS_PER_S, value -> value);
    }

    /** Events per second of CPU time; empty when no run has a CPU time. */
    Optional<Figure> efficiency() {
        boolean known = cells.stream()
                .flatMap(cell -> cell.settings().stream())
                .anyMatch(one -> one.throughput(Metric.CPU_S_PER_MILLION).length > 0);
        return known
                ? Optional.of(figure(
                        "Efficiency",
                        "events per CPU second of the server",
                        Metric.CPU_S_PER_MILLION,
                        seconds -> 1e6 / seconds))
                : Optional.empty();
    }

    private Figure figure(String title, String yTitle, Metric metric, DoubleUnaryOperator scale) {
        double most = 0;
        Map<String, TreeSet<String>> netty = new TreeMap<>();
        for (Cell cell : cells) {
            for (Measured one : cell.settings()) {
                most = Math.max(
                        most,
                        Arrays.stream(one.throughput(metric)).map(scale).max().orElse(0));
            }
            for (Map.Entry<String, Measured> level : cell.levels().entrySet()) {
                most = Math.max(most, scale.applyAsDouble(level.getValue().median(metric)));
                netty.computeIfAbsent(level.getKey(), mode -> new TreeSet<>(Numbers.NATURAL))
                        .add(level.getValue().point().value(Factor.NETTY_WORKERS));
            }
        }
        Figure figure = new Figure(title + ", " + selection.workload, 4, 268, 230)
                .axes("owner workers", yTitle)
                .subtitle("Panels: [parse queue-owner queue, JDK]. Pale dots are single runs, marks and lines medians. "
                        + "Held: " + String.join("; ", held) + ".");
        for (int i = 0; i < parserWorkers.size(); i++) {
            figure.entry(parserWorkers.get(i) + " parser workers", Style.of(i));
        }
        netty.forEach((mode, counts) -> figure.entry(
                "mode " + mode + ", no queues, best with " + String.join(" or ", counts) + " netty", level(mode)));
        Axis x = Axis.of("", ownerWorkers);
        Axis y = Axis.fromZero("", most, Units::si);
        for (Cell cell : cells) {
            String missing = cell.settings().isEmpty() ? ": not measured" : "";
            Chart chart = new Chart("[" + cell.queues() + ", " + cell.jdk() + "]" + missing, x, y);
            cell.levels().forEach((mode, one) -> chart.level(level(mode), scale.applyAsDouble(one.median(metric))));
            for (int i = 0; i < parserWorkers.size(); i++) {
                double dodge = (i - (parserWorkers.size() - 1) / 2.0) * DODGE;
                Selection.line(
                        chart,
                        Style.of(i),
                        with(cell.settings(), Factor.PARSE_WORKERS, parserWorkers.get(i)),
                        one -> ownerWorkers.indexOf(one.point().value(Factor.OWNER_WORKERS)) + dodge,
                        metric,
                        scale);
            }
            figure.add(chart);
        }
        return figure;
    }

    private static Style level(String mode) {
        return LEVELS.getOrDefault(mode, Style.of(0));
    }
}
