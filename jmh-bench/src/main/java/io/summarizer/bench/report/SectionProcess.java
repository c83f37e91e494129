package io.summarizer.bench.report;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs a section of a benchmark in a JVM of its own, so that the JVM compiles code only for this section. Reads the
 * figures that the section prints, one on each line: {@link #MARK}, name, value and unit, separated by tabs. Prints all
 * other lines of the section unchanged.
 */
public final class SectionProcess {
    /** Start of a line with a figure. */
    public static final String MARK = "figure\t";

    /** Columns of the rows made from figures. */
    public static final String HEADER = "section,figure,value,unit";

    private SectionProcess() {}

    /**
     * Runs {@code main} with the class path and JDK of this JVM.
     *
     * @return the section's figures as rows of {@link #HEADER}
     * @throws IOException also when the exit code is not 0
     */
    public static List<String> run(String section, List<String> jvmFlags, Class<?> main, List<String> arguments)
            throws IOException, InterruptedException {
        Process process = new ProcessBuilder(Processes.java(jvmFlags, main, arguments))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        List<String> rows = new ArrayList<>();
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith(MARK)) {
                    String[] figure = line.substring(MARK.length()).split("\t");
                    rows.add(row(section, figure[0], figure[1], figure[2]));
                } else {
                    System.out.println(line);
                }
            }
        }
        if (process.waitFor() != 0) {
            throw new IOException(
                    section + " " + String.join(" ", arguments) + " ended with status " + process.exitValue());
        }
        return rows;
    }

    /** Prints a figure, and returns it as a row. */
    public static String row(String section, String name, String value, String unit) {
        System.out.printf("  %-56s %14s %s%n", name, value, unit);
        return String.join(",", section, name, value, unit.replace(',', ';'));
    }
}
