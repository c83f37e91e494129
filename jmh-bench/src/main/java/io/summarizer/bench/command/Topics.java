package io.summarizer.bench.command;

import io.summarizer.bench.plot.LineChart;
import io.summarizer.bench.plot.LineChart.Point;
import io.summarizer.bench.report.Provenance;
import io.summarizer.bench.report.SectionProcess;
import io.summarizer.bench.topics.Measure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The family of topic matchers, and Moquette's trie, on the same work.
 * <pre>
 *   bin/bench topics [--sections rabbitmq,growth,treat,threads] [--contenders NAME,...] [--record FILE]
 *                    [--plot FILE] [--quick]
 * </pre>
 * Each section and contender runs in a JVM of its own, so that none is compiled for what another did. {@code --quick} is a
 * smoke test, whose figures say nothing. {@code --plot} draws figures of this run, and of those in {@code --record} that
 * it did not measure.
 */
public final class Topics {
    private static final List<String> SECTIONS = List.of("rabbitmq", "growth", "treat", "threads");
    private static final Map<String, String> COLOURS = colours();

    private final List<String> results = new ArrayList<>();
    private List<String> sections = SECTIONS;
    private List<String> contenders = Measure.contenders();
    private Path record = Path.of("");
    private Path plot = Path.of("");
    private boolean quick;

    private Topics() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        Topics topics = new Topics();
        topics.parse(arguments);
        topics.run(Path.of(System.getProperty("summarizer.home", ".")));
    }

    private void parse(String[] arguments) {
        for (int i = 0; i < arguments.length; i++) {
            String name = arguments[i];
            if (name.equals("--quick")) {
                quick = true;
                continue;
            }
            if (++i == arguments.length) {
                throw new IllegalArgumentException("no value for " + name);
            }
            switch (name) {
                case "--sections" -> sections = chosen("section", arguments[i], SECTIONS);
                case "--contenders" -> contenders = chosen("contender", arguments[i], Measure.contenders());
                case "--record" -> record = Path.of(arguments[i]);
                case "--plot" -> plot = Path.of(arguments[i]);
                default -> throw new IllegalArgumentException("unknown option: " + name);
            }
        }
    }

    private static List<String> chosen(String what, String value, List<String> all) {
        List<String> chosen = List.of(value.split(","));
        for (String one : chosen) {
            if (!all.contains(one)) {
                throw new IllegalArgumentException("no " + what + " " + one + "; there are " + all);
            }
        }
        return chosen;
    }

    private void run(Path home) throws IOException, InterruptedException {
        for (String section : sections) {
            System.out.println(section);
            for (String contender : contenders) {
                results.addAll(run(section, contender));
            }
        }
        Map<String, Double> figures = new LinkedHashMap<>();
        if (!record.toString().isEmpty()) {
            Provenance.of(home).append(record, SectionProcess.HEADER, results);
            read(Files.readAllLines(record), Provenance.HEADER.split(",").length, figures);
        }
        read(results, 0, figures);
        if (!plot.toString().isEmpty()) {
            Files.writeString(plot, LineChart.svg(charts(figures)));
            System.out.println("written: " + plot);
        }
    }

    private List<String> run(String section, String contender) throws IOException, InterruptedException {
        // The collector that costs writers and lookups least, and garbage enough for the rival's not to count.
        List<String> flags = List.of("-XX:+UseParallelGC", "-Xmx3g", "-Xms3g", "-Xmn1500m");
        return SectionProcess.run(section, flags, Measure.class, List.of(section, quick ? "quick" : "full", contender));
    }

    /** Later rows win. */
    private static void read(List<String> rows, int before, Map<String, Double> figures) {
        for (String row : rows) {
            String[] columns = row.split(",");
            if (!columns[before + 2].equals("value")) {
                figures.put(columns[before] + "," + columns[before + 1], Double.parseDouble(columns[before + 2]));
            }
        }
    }

    private static List<LineChart> charts(Map<String, Double> figures) {
        List<LineChart> charts = new ArrayList<>();
        // The naive one would press all others onto the axis.
        charts.add(chart(
                "Time of a lookup, 3 to 7 words, 100 words a level",
                "patterns",
                "µs",
                "growth,(?!naive)(.*)-(\\d+)-patterns-lookup",
                1e-3,
                figures));
        charts.add(chart(
                "Memory of a subscription", "patterns", "bytes", "growth,(.*)-(\\d+)-patterns-memory", 1, figures));
        for (int writes : new int[] {0, 10, 50}) {
            charts.add(chart(
                    writes == 0
                            ? "Lookups by threads"
                            : "Lookups by threads, " + writes + " % of operations are changes",
                    "threads",
                    "M ops/s",
                    "threads,(.*)-" + writes + "-writes-(\\d+)-threads",
                    1,
                    figures));
        }
        return charts;
    }

    /** A line for each contender (group 1 of {@code pattern}) over sizes (group 2). */
    private static LineChart chart(
            String title, String xLabel, String yLabel, String pattern, double scale, Map<String, Double> figures) {
        Map<String, List<Point>> lines = new LinkedHashMap<>();
        double xMin = Double.MAX_VALUE;
        double xMax = 1;
        double yMax = 0;
        for (Map.Entry<String, Double> figure : figures.entrySet()) {
            Matcher matcher = Pattern.compile(pattern).matcher(figure.getKey());
            if (matcher.matches()) {
                double x = Double.parseDouble(matcher.group(2));
                double y = figure.getValue() * scale;
                lines.computeIfAbsent(matcher.group(1), name -> new ArrayList<>())
                        .add(new Point(x, y));
                xMin = Math.min(xMin, x);
                xMax = Math.max(xMax, x);
                yMax = Math.max(yMax, y);
            }
        }
        double step = step(yMax);
        LineChart chart = new LineChart(
                title, xLabel, yLabel, Math.min(xMin, xMax), xMax, 0, Math.ceil(yMax / step) * step, step);
        lines.forEach((name, points) ->
                chart.line(name, COLOURS.getOrDefault(name, "#111827"), name.equals("moquette"), points));
        return chart;
    }

    /** The distance of four to ten lines of a grid: 1, 2 or 5 times a power of ten. */
    private static double step(double most) {
        double power = Math.pow(10, Math.floor(Math.log10(Math.max(most, 0.1))));
        return Arrays.stream(new double[] {power / 10, power / 5, power / 2, power, 2 * power})
                .filter(step -> most / step <= 8)
                .findFirst()
                .orElse(2 * power);
    }

    private static Map<String, String> colours() {
        String[] palette = {
            "#6b7280", "#a16207", "#0d9488", "#16a34a", "#1d4ed8", "#7c3aed", "#db2777", "#dc2626", "#d97706", "#111827"
        };
        Map<String, String> colours = new LinkedHashMap<>();
        List<String> names = Measure.contenders();
        for (int i = 0; i < names.size(); i++) {
            colours.put(names.get(i), palette[i % palette.length]);
        }
        return colours;
    }
}
