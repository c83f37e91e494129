package io.summarizer.bench.command;

import io.summarizer.bench.report.Provenance;
import io.summarizer.bench.report.SectionProcess;
import io.summarizer.bench.state.SectionMain;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What state costs: what random reads take here, memory of 20 million keys, updates, cuts, exports, multisets, and rivals on the same work.
 * <pre>
 *   bin/bench state [--sections memory,large,updates,export,multisets,rivals] [--rows N] [--record FILE]
 * </pre>
 * Each section runs in a JVM of its own with the flags that the product is shipped with and 6 GiB of heap; the longest
 * pause of its collector is one of its figures. All sections take some ten minutes.
 */
public final class State {
    private static final List<String> SECTIONS = List.of("memory", "large", "updates", "export", "multisets", "rivals");
    private static final Pattern PAUSE = Pattern.compile("Pause .* ([0-9.]+)ms");

    private State() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        Path home = Path.of(System.getProperty("summarizer.home", "."));
        List<String> sections = SECTIONS;
        Map<String, Integer> rows = new LinkedHashMap<>(Map.of("large", 20_000_000, "export", 10_000_000));
        Path record = null;
        for (int i = 0; i < arguments.length; i += 2) {
            if (i + 1 == arguments.length) {
                throw new IllegalArgumentException("no value for " + arguments[i]);
            }
            String value = arguments[i + 1];
            switch (arguments[i]) {
                case "--sections" -> sections = List.of(value.split(","));
                case "--rows" -> rows.replaceAll((section, usual) -> Integer.parseInt(value));
                case "--record" -> record = Path.of(value);
                default -> throw new IllegalArgumentException("unknown option: " + arguments[i]);
            }
        }
        List<String> results = new ArrayList<>();
        for (String section : sections) {
            if (!SECTIONS.contains(section)) {
                throw new IllegalArgumentException("no section " + section + "; there are " + SECTIONS);
            }
            System.out.println(section);
            results.addAll(run(section, rows.getOrDefault(section, 0)));
        }
        if (record != null) {
            Provenance.of(home).append(record, SectionProcess.HEADER, results);
        }
    }

    private static List<String> run(String section, int rows) throws IOException, InterruptedException {
        Path collections = Files.createTempFile("summarizer-state", ".gc");
        try {
            List<String> flags =
                    new ArrayList<>(ManagementFactory.getRuntimeMXBean().getInputArguments());
            flags.add("-Xmx6g");
            flags.add("-Xlog:gc:file=" + collections + "::filecount=0");
            List<String> results = new ArrayList<>(
                    SectionProcess.run(section, flags, SectionMain.class, List.of(section, Integer.toString(rows))));
            double pause = longestPauseMillis(collections);
            results.add(SectionProcess.row(
                    section, section + "-longest-gc-pause", String.format(Locale.ROOT, "%.3f", pause), "ms"));
            return results;
        } finally {
            Files.delete(collections);
        }
    }

    /** Pauses of collections that the program asked for itself, to count what lives, are not the collector's. */
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
