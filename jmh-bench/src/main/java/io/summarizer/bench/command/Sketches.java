package io.summarizer.bench.command;

import io.summarizer.bench.plot.Figure;
import io.summarizer.bench.plot.Lines;
import io.summarizer.bench.plot.Style;
import io.summarizer.bench.report.SectionProcess;
import io.summarizer.bench.sketch.Measure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Measures sketches of sets and streams: their errors compared with theory, their time and their size. */
@Command(
        description = {
            "Measures sketches of sets and streams on the same elements: errors beside theory, time and size. The sections:",
            "filters: Bloom filters and their relatives, by the number of members",
            "frequencies: Count-Min sketch, by its width",
            "distinct: distinct counts, by the number of elements",
            "similarity: similarity of two sets, by the similarity",
            "Each section runs in a JVM of its own for each contender."
        })
public final class Sketches extends BenchCommand {
    private static final Map<String, List<String>> CONTENDERS = new LinkedHashMap<>();
    private static final List<String> NAMES = new ArrayList<>();
    private static final String THEORY = "-theory";

    static {
        CONTENDERS.put("filters", Measure.FILTERS);
        CONTENDERS.put("frequencies", List.of("count-min"));
        CONTENDERS.put("distinct", Measure.DISTINCT);
        CONTENDERS.put("similarity", Measure.SIMILARITY);
        CONTENDERS.values().stream().flatMap(List::stream).distinct().forEach(NAMES::add);
    }

    @Option(names = "--sections", split = ",", paramLabel = "NAME", description = "Sections to run. Default: all.")
    private List<String> sections = List.copyOf(CONTENDERS.keySet());

    @Option(names = "--elements", paramLabel = "N", description = "Number of elements. Default: ${DEFAULT-VALUE}.")
    private int elements = 1_000_000;

    @Mixin
    private final Recording record = new Recording();

    @Option(names = "--plot", paramLabel = "FILE", description = "Draw the figures of this run as SVG.")
    private @Nullable Path plot;

    @Override
    public Integer call() throws IOException, InterruptedException {
        among(List.copyOf(CONTENDERS.keySet()), "section", sections);
        atLeast(10_000, "--elements", elements);
        List<String> results = new ArrayList<>();
        for (String section : sections) {
            for (String contender : CONTENDERS.getOrDefault(section, List.of())) {
                results.addAll(SectionProcess.run(
                        section,
                        List.of("-XX:+UseSerialGC", "-Xmx1g"),
                        Measure.class,
                        List.of(section, contender, Integer.toString(elements))));
            }
        }
        record.add(home, results);
        if (plot != null) {
            Lines lines = new Lines(Sketches::style);
            lines.read(results, 0);
            Files.writeString(plot, figure(lines).svg());
            System.out.println("written: " + plot);
        }
        return 0;
    }

    private static Figure figure(Lines lines) {
        Figure figure = new Figure("Sketches: measured (lines) and in theory (dashed)", 1, 860, 360);
        NAMES.forEach(name -> figure.entry(name, style(name)));
        return figure.add(lines.chart(
                        "False positives, with the capacity for 1 % at 1M members",
                        "members", "%", "filters,(.*)-(\\d+)-false-positives", 1, 0.01))
                .add(lines.chart(
                        "Members forgotten, with the bits of the Bloom filter",
                        "members added since",
                        "%",
                        "filters,((?:stable|inverse).*)-(\\d+)-forgotten",
                        1,
                        0))
                .add(lines.chart(
                        "Count-Min: error that all but e^-4 of the estimates keep to",
                        "counters in each of 4 rows",
                        "% of all counts",
                        "frequencies,(.*)-(\\d+)-error",
                        1,
                        0.001))
                .add(lines.chart(
                        "Distinct elements: root mean square error, 10,240 bits or more",
                        "elements",
                        "%",
                        "distinct,(.*)-(\\d+)-error",
                        1,
                        0))
                .add(lines.chart(
                        "Similarity of two sets: root mean square error, 8,192 bits",
                        "Jaccard similarity, %",
                        "Jaccard similarity",
                        "similarity,(.*)-(\\d+)-error",
                        1,
                        0));
    }

    /** The style of a contender's line: dashed for the theory. */
    private static Style style(String line) {
        return line.endsWith(THEORY)
                ? Style.dashed(NAMES.indexOf(line.replace(THEORY, "")))
                : Style.of(NAMES.indexOf(line));
    }
}
