package io.summarizer.bench.report;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.stream.Stream;

/** Origin of a figure: time, commit, JDK and machine. These are the first columns of every file of results. */
public record Provenance(Instant when, String commit, String jdk, int cpus, String cpu) {
    /** Names of the columns. */
    public static final String HEADER = "when,commit,jdk,cpus,cpu";

    /** Returns the origin of this run's figures, for the project at {@code home}. */
    public static Provenance of(Path home) throws IOException, InterruptedException {
        return new Provenance(
                Instant.now().truncatedTo(ChronoUnit.SECONDS),
                commit(home),
                System.getProperty("java.version"),
                Runtime.getRuntime().availableProcessors(),
                cpuModel());
    }

    /**
     * Parses the columns.
     *
     * @param cells the cells of a row, which begins with these columns
     */
    public static Provenance parse(String[] cells) {
        return new Provenance(Instant.parse(cells[0]), cells[1], cells[2], Integer.parseInt(cells[3]), cells[4]);
    }

    /** Returns this origin with the present time and another JDK, for a program that runs on that JDK. */
    public Provenance now(String otherJdk) {
        return new Provenance(Instant.now().truncatedTo(ChronoUnit.SECONDS), commit, otherJdk, cpus, cpu);
    }

    /** The columns as CSV. */
    public String csv() {
        return String.join(",", when.toString(), commit, jdk, Integer.toString(cpus), cpu);
    }

    /**
     * Appends rows to a file of results, each with this origin in its first columns. Creates the file when it is
     * absent.
     */
    public void append(Path file, String header, List<String> rows) throws IOException {
        if (Files.notExists(file)) {
            Files.writeString(file, HEADER + ',' + header + '\n');
        }
        StringBuilder text = new StringBuilder();
        for (String row : rows) {
            text.append(csv()).append(',').append(row).append('\n');
        }
        Files.writeString(file, text, StandardOpenOption.APPEND);
    }

    private static String commit(Path home) throws IOException, InterruptedException {
        Process git = new ProcessBuilder("git", "-C", home.toString(), "describe", "--always", "--dirty")
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        String answer = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        return git.waitFor() == 0 ? answer : "unknown";
    }

    private static String cpuModel() {
        try (Stream<String> lines = Files.lines(Path.of("/proc/cpuinfo"))) {
            return lines.filter(line -> line.startsWith("model name"))
                    .findFirst()
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .orElse("unknown")
                    .replace(',', ' ');
        } catch (IOException | UncheckedIOException e) {
            return "unknown";
        }
    }
}
