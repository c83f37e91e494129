package io.summarizer.bench.command;

import io.summarizer.bench.plot.Axis;
import io.summarizer.bench.plot.Chart;
import io.summarizer.bench.plot.Chart.Point;
import io.summarizer.bench.plot.Figure;
import io.summarizer.bench.plot.Style;
import io.summarizer.bench.plot.Units;
import io.summarizer.bench.report.Provenance;
import io.summarizer.bench.report.SectionProcess;
import io.summarizer.bench.topics.Measure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Measures the topic matchers and Moquette's trie on the same work. */
@Command(
        description = {
            "Measures the topic matchers and Moquette's trie on the same work.",
            "Each section runs in a JVM of its own for each contender, so that the JVM compiles code only for this work."
        })
public final class Topics extends BenchCommand {
    private static final List<String> SECTIONS = List.of("rabbitmq", "growth", "treat", "threads");

    private final List<String> results = new ArrayList<>();

    @Option(names = "--sections", split = ",", paramLabel = "NAME", description = "Default: all; ${DEFAULT-VALUE}.")
    private List<String> sections = SECTIONS;

    @Option(names = "--contenders", split = ",", paramLabel = "NAME", description = "Default: all; ${DEFAULT-VALUE}.")
    private List<String> contenders = Measure.contenders();

    @Mixin
    private final Recording record = new Recording();

    @Option(
            names = "--plot",
            paramLabel = "FILE",
            description = "Draw the figures of this run as SVG, with older ones of --record that it did not measure.")
    private @Nullable Path plot;

    @Option(names = "--quick", description = "Run a smoke test, whose figures mean nothing.")
    private boolean quick;

    @Override
    public Integer call() throws IOException, InterruptedException {
        among(SECTIONS, "section", sections);
        among(Measure.contenders(), "contender", contenders);
        for (String section : sections) {
            System.out.println(section);
            for (String contender : contenders) {
                results.addAll(run(section, contender));
            }
        }
        Map<String, Double> figures = new LinkedHashMap<>();
        record.add(home, results);
        if (record.file != null) {
            read(Files.readAllLines(record.file), Provenance.HEADER.split(",").length, figures);
        }
        read(results, 0, figures);
        if (plot != null) {
            Files.writeString(plot, figure(figures).svg());
            System.out.println("written: " + plot);
        }
        return 0;
    }

    private List<String> run(String section, String contender) throws IOException, InterruptedException {
        // The collector that slows writers and lookups least. Its young generation is so large that the rival's garbage
        // does not matter.
        List<String> flags = List.of("-XX:+UseParallelGC", "-Xmx3g", "-Xms3g", "-Xmn1500m");
        return SectionProcess.run(section, flags, Measure.class, List.of(section, quick ? "quick" : "full", contender));
    }

    /** Reads figures from rows. The last row of a figure counts. */
    private static void read(List<String> rows, int before, Map<String, Double> figures) {
        for (String row : rows) {
            String[] columns = row.split(",");
            if (!columns[before + 2].equals("value")) {
                figures.put(columns[before] + "," + columns[before + 1], Double.parseDouble(columns[before + 2]));
            }
        }
    }

    private static Figure figure(Map<String, Double> figures) {
        Figure figure = new Figure("Topic matchers", 1, 860, 360);
        List<String> contenders = Measure.contenders();
        contenders.forEach(name -> figure.entry(name, style(name)));
        // Leaves out the naive matcher, whose values would press all other lines onto the axis.
        figure.add(chart(
                "Time of a lookup, 3 to 7 words, 100 words a level",
                "patterns",
                "µs",
                "growth,(?!naive)(.*)-(\\d+)-patterns-lookup",
                1e-3,
                figures));
        figure.add(chart(
                "Memory of a subscription", "patterns", "bytes", "growth,(.*)-(\\d+)-patterns-memory", 1, figures));
        for (int writes : new int[] {0, 10, 50}) {
            figure.add(chart(
                    writes == 0
                            ? "Lookups by threads"
                            : "Lookups by threads, " + writes + " % of operations are changes",
                    "threads",
                    "M ops/s",
                    "threads,(.*)-" + writes + "-writes-(\\d+)-threads",
                    1,
                    figures));
        }
        return figure;
    }

    /**
     * Makes a chart of the figures whose names match {@code pattern}: a line for each contender (group 1) over sizes
     * (group 2).
     */
    private static Chart chart(
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
        Chart chart = new Chart(
                title,
                Axis.logarithmic(xLabel, Math.min(xMin, xMax), xMax, Units::si),
                Axis.fromZero(yLabel, yMax, Units::si));
        lines.forEach((name, points) -> chart.line(style(name), points));
        return chart;
    }

    /** The style of a contender's line: dashed for the rival Moquette. */
    private static Style style(String contender) {
        int number = Measure.contenders().indexOf(contender);
        return contender.equals("moquette") ? Style.dashed(number) : Style.of(number);
    }
}
