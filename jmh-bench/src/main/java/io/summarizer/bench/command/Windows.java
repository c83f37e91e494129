package io.summarizer.bench.command;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Measures the cost of time windows: open windows in parser workers and owners, the close of a window in its owner, the
 * writing of files while an owner works, and pulls that choose one of many closed windows.
 */
@Command(
        description = {
            "Measures the cost of time windows: updates of open windows, the pause of a close, files of closed windows, pulls, and pulls that group.",
            "Each section runs in a JVM of its own with the shipped flags and those of config/systemd/summarizer.service: a"
                    + " heap of 6 GiB, taken at the start. All sections together take about eight minutes."
        })
public final class Windows extends BenchCommand {
    private static final List<String> SECTIONS = List.of("open", "close", "files", "pull", "rollup");

    @Option(names = "--sections", split = ",", paramLabel = "NAME", description = "Default: all; ${DEFAULT-VALUE}.")
    private List<String> sections = SECTIONS;

    @Option(
            names = "--rows",
            paramLabel = "N",
            description = "Rows of a window in the sections close, files and rollup. Default: ${DEFAULT-VALUE}.")
    private int rows = 5_000_000;

    @Mixin
    private final Recording record = new Recording();

    @Override
    public Integer call() throws IOException, InterruptedException {
        among(SECTIONS, "section", sections);
        atLeast(1_000, "--rows", rows);
        List<String> results = new ArrayList<>();
        for (String section : sections) {
            System.out.println(section);
            results.addAll(State.run(section, section, rows, List.of("-XX:+AlwaysPreTouch")));
        }
        record.add(home, results);
        return 0;
    }
}
