package io.summarizer.bench.chaos;

import static io.summarizer.bench.chaos.ChaosException.require;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.summarizer.core.archive.WindowName;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The files of windows and of exports of a {@link YearRun}. A file that was seen once must keep its bytes. One thread.
 */
final class YearFiles {
    private static final String STATE = ".state";
    private static final String CSV = ".csv";
    private static final String MANIFEST = ".manifest.json";
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Path windows;
    private final Path exports;
    private final SeenFiles seen = new SeenFiles();

    /**
     * @param windows folder of the windows' files; need not exist
     * @param exports folder of the exports
     */
    YearFiles(Path windows, Path exports) {
        this.windows = windows;
        this.exports = exports;
    }

    /** Number of windows that have files. */
    int windows() throws IOException {
        return count(windows, STATE);
    }

    /** Number of exports that are complete. */
    int exports() throws IOException {
        return count(exports, MANIFEST);
    }

    private static int count(Path folder, String end) throws IOException {
        return (int) names(folder).stream().filter(name -> name.endsWith(end)).count();
    }

    private static Set<String> names(Path folder) throws IOException {
        Set<String> names = new TreeSet<>();
        String[] all = folder.toFile().list();
        if (all != null) {
            names.addAll(Set.of(all));
        } else if (Files.exists(folder)) {
            throw new IOException(folder + " cannot be listed");
        }
        return names;
    }

    /** Remembers the bytes of new files, and checks the bytes of known files. Leaves out temporary files. */
    void look() throws IOException {
        for (Path folder : new Path[] {windows, exports}) {
            for (String name : names(folder)) {
                if (Stream.of(STATE, CSV, MANIFEST).anyMatch(name::endsWith)) {
                    var unused = seen.look(folder.resolve(name));
                }
            }
        }
    }

    /**
     * Checks that each hour has one file of its window and one export with the right rows, and that there are no other
     * files.
     *
     * @param sent number of events that were sent
     */
    void complete(int hours, long sent) throws IOException {
        look();
        Set<String> states = new TreeSet<>();
        Set<String> delivered = new TreeSet<>();
        for (int hour = 0; hour < hours; hour++) {
            String window = WindowName.of(YearEvents.start(hour));
            String export = YearEvents.SUMMARY + "-" + window + CSV;
            states.add(window + STATE);
            delivered.add(export);
            delivered.add(export + MANIFEST);
        }
        same("files of windows", states, names(windows));
        same("exports", delivered, names(exports));
        for (int hour = 0; hour < hours; hour++) {
            check(hour, sent);
        }
    }

    private static void same(String what, Set<String> expected, Set<String> found) {
        Set<String> missing = new TreeSet<>(expected);
        missing.removeAll(found);
        Set<String> more = new TreeSet<>(found);
        more.removeAll(expected);
        require(missing.isEmpty() && more.isEmpty(), what + ": missing " + missing + ", too many " + more);
    }

    private void check(int hour, long sent) throws IOException {
        String window = WindowName.of(YearEvents.start(hour));
        Path file = exports.resolve(YearEvents.SUMMARY + "-" + window + CSV);
        String rows = YearEvents.rows(hour, sent);
        byte[] bytes = Files.readAllBytes(file);
        require(
                new String(bytes, StandardCharsets.UTF_8).equals(YearEvents.HEADER + rows),
                file + " has other rows than were sent:\n" + rows);
        JsonNode manifest =
                JSON.readTree(exports.resolve(file.getFileName() + MANIFEST).toFile());
        require(
                manifest.path("sha256").asText().equals(SeenFiles.sha256(bytes))
                        && manifest.path("rows").asLong() == rows.lines().count()
                        && manifest.at("/window/start").asText().equals(YearEvents.startText(hour))
                        && manifest.at("/window/end").asText().equals(YearEvents.startText(hour + 1)),
                "the manifest of " + file + " is wrong: " + manifest);
    }
}
