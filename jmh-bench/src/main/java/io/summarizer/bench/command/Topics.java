package io.summarizer.bench.command;

import io.summarizer.bench.plot.Figure;
import io.summarizer.bench.plot.Lines;
import io.summarizer.bench.plot.Style;
import io.summarizer.bench.report.Provenance;
import io.summarizer.bench.report.SectionProcess;
import io.summarizer.bench.topics.Measure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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
            description = "Draw the figures of this run as SVG. Any other figures come from earlier runs in --record.")
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
        record.add(home, results);
        Lines lines = new Lines(Topics::style);
        if (record.file != null) {
            lines.read(Files.readAllLines(record.file), Provenance.HEADER.split(",").length);
        }
        lines.read(results, 0);
        if (plot != null) {
            Files.writeString(plot, figure(lines).svg());
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

    private static Figure figure(Lines lines) {
        Figure figure = new Figure("Topic matchers", 1, 860, 360);
        List<String> contenders = Measure.contenders();
        contenders.forEach(name -> figure.entry(name, style(name)));
        // Leaves out the naive matcher, whose values would press all other lines onto the axis.
        figure.add(lines.chart(
                "Time of a lookup, 3 to 7 words, 100 words a level",
                "patterns",
                "µs",
                "growth,(?!naive)(.*)-(\\d+)-patterns-lookup",
                1e-3,
                0));
        figure.add(lines.chart(
                "Memory of a subscription", "patterns", "bytes", "growth,(.*)-(\\d+)-patterns-memory", 1, 0));
        for (int writes : new int[] {0, 10, 50}) {
            figure.add(lines.chart(
                    writes == 0
                            ? "Lookups by threads"
                            : "Lookups by threads, " + writes + " % of operations are changes",
                    "threads",
                    "M ops/s",
                    "threads,(.*)-" + writes + "-writes-(\\d+)-threads",
                    1,
                    0));
        }
        return figure;
    }

    /** The style of a contender's line: dashed for Moquette, the rival. */
    private static Style style(String contender) {
        int number = Measure.contenders().indexOf(contender);
        return contender.equals("moquette") ? Style.dashed(number) : Style.of(number);
    }
}
