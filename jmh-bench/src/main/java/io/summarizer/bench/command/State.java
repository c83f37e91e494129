package io.summarizer.bench.command;

import io.summarizer.bench.report.SectionProcess;
import io.summarizer.bench.state.SectionMain;
import io.summarizer.bench.sweep.GarbageCollectors;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Cost of state: random reads on this machine, memory of 20 million keys, updates, cuts, exports, multisets, and rivals
 * on the same work. The longest pause of its section's collector is one of the figures.
 */
@Command(
        description = {
            "What state costs: random reads, memory of 20 million keys, updates, cuts, exports, multisets, and rivals.",
            "Each section runs in a JVM of its own with the flags that the product is shipped with, the collector"
                    + " included unless --gc says otherwise, and those of config/systemd/summarizer.service: 6 GiB of heap,"
                    + " taken at the start unless --untouched says otherwise. All of them take some minutes."
        })
public final class State extends BenchCommand {
    private static final List<String> SECTIONS = List.of("memory", "large", "updates", "export", "multisets", "rivals");
    private static final Map<String, Integer> ROWS = Map.of("large", 20_000_000, "export", 10_000_000);
    private static final Pattern PAUSE = Pattern.compile("Pause .* ([0-9.]+)ms");

    @Option(names = "--sections", split = ",", paramLabel = "NAME", description = "Default: all; ${DEFAULT-VALUE}.")
    private List<String> sections = SECTIONS;

    @Option(
            names = "--rows",
            paramLabel = "N",
            description = "Of the sections large and export. Default: 20 and 10 million.")
    private int rows;

    @Option(
            names = "--gc",
            paramLabel = "NAME",
            description =
                    "Collector: G1 (the shipped one), Parallel, Serial, Shenandoah, ZGC. Recorded as part of the section's name.")
    private String collector = GarbageCollectors.SHIPPED;

    @Option(
            names = "--untouched",
            description = "Take memory when it is first used. Recorded as part of the section's name.")
    private boolean untouched;

    @Mixin
    private final Recording record = new Recording();

    /** Measures; see {@code --help}. */
    public static void main(String[] arguments) {
        main(new State(), arguments);
    }

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
        Path collections = Files.createTempFile("summarizer-state", ".gc");
        try {
            List<String> flags =
                    new ArrayList<>(ManagementFactory.getRuntimeMXBean().getInputArguments());
            flags.addAll(GarbageCollectors.flags(collector));
            flags.addAll(List.of("-Xms6g", "-Xmx6g"));
            flags.add(untouched ? "-XX:-AlwaysPreTouch" : "-XX:+AlwaysPreTouch");
            flags.add("-Xlog:gc,gc+phases:file=" + collections + "::filecount=0");
            String name = section
                    + (collector.equals(GarbageCollectors.SHIPPED) ? "" : "/" + collector)
                    + (untouched ? "/untouched" : "");
            List<String> results = new ArrayList<>(
                    SectionProcess.run(name, flags, SectionMain.class, List.of(section, Integer.toString(rows))));
            double pause = longestPauseMillis(collections);
            results.add(SectionProcess.row(
                    name, section + "-longest-gc-pause", String.format(Locale.ROOT, "%.3f", pause), "ms"));
            return results;
        } finally {
            Files.delete(collections);
        }
    }

    /** Pauses of collections that the program requested, to measure live memory, do not count. */
    private static double longestPauseMillis(Path log) throws IOException {
        double longest = 0;
        try (Stream<String> lines = Files.lines(log)) {
            for (String line : (Iterable<String>) lines::iterator) {
                Matcher pause = PAUSE.matcher(line);
                if (pause.find() && !line.contains("System.gc()")) {
                    longest = Math.max(longest, Double.parseDouble(pause.group(1)));
                }
            }
        }
        return longest;
    }
}
