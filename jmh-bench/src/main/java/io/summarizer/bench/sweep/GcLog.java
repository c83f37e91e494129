package io.summarizer.bench.sweep;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The garbage collection log of a JVM, with any collector. The log has every pause, except the pauses of collections
 * that the program requests to measure live memory. Immutable; only the file may grow.
 *
 * @param file the file, which need not exist
 */
public record GcLog(Path file) {
    private static final Pattern PAUSE = Pattern.compile("\\bPause\\b.*?(\\d+(?:\\.\\d+)?)ms$");

    /** Pauses of all threads by the collector. */
    public record Pauses(int count, double totalMs, double maxMs) {}

    /** The JVM option that writes this log. ZGC logs pauses with the tags {@code gc,phases}. */
    public String option() {
        return "-Xlog:gc,gc+phases:file=" + file + "::filecount=0";
    }

    /** The present end of the log. */
    long position() throws IOException {
        return Files.exists(file) ? Files.size(file) : 0;
    }

    /** Returns the pauses that are logged after a position in the file. */
    public Pauses since(long position) throws IOException {
        if (Files.notExists(file)) {
            return new Pauses(0, 0, 0);
        }
        try (InputStream in = Files.newInputStream(file)) {
            in.skipNBytes(position);
            return pauses(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    /** Parses the pauses in lines of a log. */
    static Pauses pauses(String lines) {
        int count = 0;
        double total = 0;
        double max = 0;
        for (String line : lines.split("\n")) {
            Matcher pause = PAUSE.matcher(line.strip());
            if (pause.find() && !line.contains("System.gc()")) {
                double ms = Double.parseDouble(pause.group(1));
                count++;
                total += ms;
                max = Math.max(max, ms);
            }
        }
        return new Pauses(count, total, max);
    }
}
