package io.summarizer.bench.command;

import io.summarizer.bench.report.SectionProcess;
import io.summarizer.bench.state.SectionMain;
import io.summarizer.bench.sweep.GarbageCollectors;
import io.summarizer.bench.sweep.GcLog;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Measures the cost of state: random reads on this machine, memory of 20 million keys, updates, cuts, exports,
 * multisets, and rivals on the same work. Each section also reports the longest pause of its garbage collector.
 */
@Command(
        description = {
            "Measures the cost of state: random reads, memory of 20 million keys, updates, cuts, exports, multisets, and rivals.",
            "Each section runs in a JVM of its own with the shipped flags and those of config/systemd/summarizer.service: a"
                    + " heap of 6 GiB, taken at the start. --gc and --untouched change these flags. All sections together take"
                    + " a few minutes."
        })
public final class State extends BenchCommand {
    private static final List<String> SECTIONS = List.of("memory", "large", "updates", "export", "multisets", "rivals");
    private static final Map<String, Integer> ROWS = Map.of("large", 20_000_000, "export", 10_000_000);

    @Option(names = "--sections", split = ",", paramLabel = "NAME", description = "Default: all; ${DEFAULT-VALUE}.")
    private List<String> sections = SECTIONS;

    @Option(
            names = "--rows",
            paramLabel = "N",
            description = "Rows in the sections large and export. Default: 20 million and 10 million.")
    private int rows;

    @Option(
            names = "--gc",
            paramLabel = "NAME",
            description =
                    "Garbage collector: G1 (shipped), Parallel, Serial, Shenandoah, ZGC. Others are added to the section's name.")
    private String collector = GarbageCollectors.SHIPPED;

    @Option(
            names = "--untouched",
            description = "Take memory when it is first used, not at the start. Also added to the section's name.")
    private boolean untouched;

    @Mixin
    private final Recording record = new Recording();

    @Override
    public Integer call() throws IOException, InterruptedException {
        among(SECTIONS, "section", sections);
        among(GarbageCollectors.names(), "collector", List.of(collector));
        atLeast(0, "--rows", rows);
        List<String> results = new ArrayList<>();
        for (String section : sections) {
            System.out.println(section);
            int usual = ROWS.getOrDefault(section, 0);
            results.addAll(run(section, usual > 0 && rows > 0 ? rows : usual));
        }
        record.add(home, results);
        return 0;
    }

    private List<String> run(String section, int rows) throws IOException, InterruptedException {
        List<String> flags = new ArrayList<>(GarbageCollectors.flags(collector));
        flags.add(untouched ? "-XX:-AlwaysPreTouch" : "-XX:+AlwaysPreTouch");
        String name = section
                + (collector.equals(GarbageCollectors.SHIPPED) ? "" : "/" + collector)
                + (untouched ? "/untouched" : "");
        return run(name, section, rows, flags);
    }

    /**
     * Runs a section in a JVM with a heap of 6 GiB, and adds the longest pause of its garbage collector.
     *
     * @param name name of the section in the results
     * @param rows number of rows, if the section takes one
     * @param more flags of the JVM, besides those of this JVM
     */
    static List<String> run(String name, String section, int rows, List<String> more)
            throws IOException, InterruptedException {
        Path collections = Files.createTempFile("summarizer-" + section, ".gc");
        try {
            List<String> flags =
                    new ArrayList<>(ManagementFactory.getRuntimeMXBean().getInputArguments());
            flags.addAll(List.of("-Xms6g", "-Xmx6g"));
            flags.addAll(more);
            GcLog log = new GcLog(collections);
            flags.add(log.option());
            List<String> results = new ArrayList<>(
                    SectionProcess.run(name, flags, SectionMain.class, List.of(section, Integer.toString(rows))));
            results.add(SectionProcess.row(
                    name,
                    section + "-longest-gc-pause",
                    String.format(Locale.ROOT, "%.3f", log.since(0).maxMs()),
                    "ms"));
            return results;
        } finally {
            Files.delete(collections);
        }
    }
}
