package io.summarizer.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.core.Seeds;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code run --close}: files of windows, and a state in which these windows are closed. */
class RunCloseTest {
    private static final String PLAIN = """
            summary Pages { key { string page = 1; } value { count hits = 1; } }
            map Hit into Pages { key { page; } hits += 1; }
            """;
    private static final String DEFINITIONS = """
            import "t.proto";
            event Hit on "hit" as csv;
            summary Hits {
                window hour every 1h close after 5m keep 1h;
                limit keys = 5 overflow = other;
                key { timestamp hour = 1; string page = 2; }
                value {
                    count hits = 1;
                    summary Code { key { int64 code = 1; } value { count hits = 1; } }
                    repeated Code codes = 2;
                }
            }
            map Hit into Hits { key { hour = time; page; } hits += 1; codes[code = code] { hits += 1; } }
            """;
    private static final Instant MIDNIGHT = Instant.parse("2025-11-20T00:00:00Z");

    @TempDir
    private Path folder;

    private Path definitions = Path.of("");
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @BeforeEach
    void writeDefinitions() throws IOException {
        definitions = Files.createDirectory(folder.resolve("definitions"));
        Files.writeString(definitions.resolve("t.summ"), DEFINITIONS + PLAIN);
        Files.writeString(definitions.resolve("t.proto"), """
                syntax = "proto3";
                import "google/protobuf/timestamp.proto";
                message Hit { google.protobuf.Timestamp time = 1; string page = 2; int64 code = 3; }
                """);
    }

    @Test
    void eventsWithoutAWindowAreExplained() throws IOException {
        StringBuilder lines = new StringBuilder();
        for (int hour = 0; hour < 5; hour++) {
            lines.append(line(MIDNIGHT.plusSeconds(hour * 3_600L), "/a", 0));
        }
        lines.append(line(Instant.now().plusSeconds(400L * 86_400), "/a", 0));
        lines.append("<13>1 2025-11-20T00:00:00Z h a - hit - ,/a,0\n");
        assertThat(summarize("out", lines, "--set", "limits.open-windows=3"))
                .as(text(err))
                .isZero();
        assertThat(text(err))
                .contains("rejected  4 (untimed 1, early 1, limit 2, once for each mapping)")
                .contains("untimed: the time that chooses the window was null")
                .contains("early: the time was further ahead than limits.ahead allows")
                .contains("warning: Hit->Hits: 2 messages were rejected (limit), because Hits has as many open windows")
                .contains("limits.open-windows");
        StringBuilder untimed = new StringBuilder("<13>1 2025-11-20T00:00:00Z h a - hit - ,/a,0\n");
        Files.writeString(definitions.resolve("t.summ"), DEFINITIONS);
        int unused = summarize("none", untimed);
        assertThat(text(err)).contains("nothing came of 1 message:").contains("1 rejected as untimed");
    }

    @Test
    void eachWindowIsAFileAndTheFilesTogetherAreTheTables() throws IOException {
        long seed = Seeds.first();
        Random random = new Random(seed);
        Map<String, Long> hits = new TreeMap<>(); // by window
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < 2_000; i++) {
            Instant time = MIDNIGHT.plusSeconds(random.nextInt(12) * 7_200L + random.nextInt(3_600));
            hits.merge(time.truncatedTo(ChronoUnit.HOURS).toString(), 1L, Long::sum);
            lines.append(line(time, "/" + random.nextInt(8), random.nextInt(3)));
        }
        assertThat(summarize("out", lines, "--close")).as(text(err)).isZero();
        for (String table : List.of("Hits", "Hits.codes", "Hits.overflow", "Pages")) {
            assertThat(rows("out/" + table + ".csv"))
                    .as("%s, %s", table, Seeds.replay(seed))
                    .hasSizeGreaterThan(5);
        }
        List<Path> files = windows("out");
        assertThat(files.stream().map(file -> String.valueOf(file.getFileName())))
                .containsExactlyElementsOf(hits.keySet().stream()
                        .map(start -> start.replaceAll("[-:]", "") + ".state")
                        .toList());
        for (String table : List.of("Hits", "Hits/codes", "Hits.overflow")) {
            TreeSet<String> ofFiles = new TreeSet<>();
            for (Path file : files) {
                assertThat(run("state", file.toString(), table)).as(text(err)).isZero();
                String start = Instant.parse(String.valueOf(file.getFileName())
                                .replaceFirst("(....)(..)(..T..)(..)(..Z).state", "$1-$2-$3:$4:$5"))
                        .toString();
                List<String> rows = text(out).lines().skip(1).toList();
                // Overflow has a window, too, and its other keys are null.
                assertThat(rows).as(table).allMatch(row -> row.startsWith(start.replace("Z", ".000000Z,")));
                ofFiles.addAll(rows);
            }
            assertThat(ofFiles)
                    .as("%s, %s", table, Seeds.replay(seed))
                    .containsExactlyElementsOf(rows("out/" + table.replace('/', '.') + ".csv"));
        }
        long counted = Stream.concat(rows("out/Hits.csv").stream(), rows("out/Hits.overflow.csv").stream())
                .mapToLong(row -> Long.parseLong(row.replaceFirst(".*,", "")))
                .sum();
        assertThat(counted).isEqualTo(2_000);
        assertThat(run("state", files.get(0).toString())).isZero();
        assertThat(text(out))
                .contains("closed window: from 2025-11-20T00:00:00.000000Z to 2025-11-20T01:00:00.000000Z");
        assertThat(run("state", files.get(0).toString(), "Hits", "--closed", "only"))
                .isEqualTo(2);
        assertThat(text(err)).contains("leave --closed out");
    }

    /** Two hosts have the same window. */
    @Test
    void mergedFilesOfAWindowAreAFileOfTheWindow() throws IOException {
        assertThat(summarize("one", line(MIDNIGHT, "/a", 1) + line(MIDNIGHT, "/b", 1), "--close"))
                .isZero();
        assertThat(summarize("two", line(MIDNIGHT, "/a", 1) + line(MIDNIGHT.plusSeconds(3_600), "/a", 2), "--close"))
                .isZero();
        Path one = windows("one").get(0);
        Path two = windows("two").get(0);
        String hour = folder.resolve("hour.state").toString();
        for (List<String> more : List.of(List.<String>of(), List.of("--definitions", definitions.toString()))) {
            List<String> merge = new ArrayList<>(List.of("merge", hour, one.toString(), two.toString(), "--overwrite"));
            merge.addAll(more);
            assertThat(run(merge.toArray(String[]::new))).as(text(err)).isZero();
            assertThat(text(err)).doesNotContain("warning");
            assertThat(run("state", hour)).isZero();
            assertThat(text(out))
                    .contains("closed window: from 2025-11-20T00:00:00.000000Z to 2025-11-20T01:00:00.000000Z")
                    .doesNotContain("Pages");
            assertThat(run("state", hour, "Hits")).isZero();
            assertThat(text(out)).contains("2025-11-20T00:00:00.000000Z,/a,2", "2025-11-20T00:00:00.000000Z,/b,1");
        }
        Path elsewhere = Files.createDirectory(folder.resolve("elsewhere"));
        Files.copy(definitions.resolve("t.proto"), elsewhere.resolve("t.proto"));
        Files.writeString(elsewhere.resolve("t.summ"), DEFINITIONS.replace("Hits", "Visits"));
        assertThat(run(
                        "merge",
                        hour,
                        one.toString(),
                        two.toString(),
                        "--overwrite",
                        "--definitions",
                        elsewhere.toString()))
                .isNotZero();
        // A correction of a window, and the file that it was made from.
        String late = folder.resolve("late.state").toString();
        String lines = Files.writeString(folder.resolve("late.log"), line(MIDNIGHT, "/c", 1))
                .toString();
        assertThat(run(
                        "run",
                        "--definitions",
                        definitions.toString(),
                        "--only",
                        "Hits",
                        "--from-state",
                        one.toString(),
                        "--state",
                        late,
                        lines))
                .as(text(err))
                .isZero();
        for (List<String> files : List.of(List.of(late, one.toString()), List.of(one.toString(), late))) {
            assertThat(run("merge", hour, files.get(0), files.get(1), "--overwrite"))
                    .isEqualTo(2);
            assertThat(text(err)).contains("one was made from the other, and its numbers would count twice");
        }
        Path other = windows("two").get(1);
        assertThat(run("merge", hour, one.toString(), other.toString(), "--overwrite"))
                .isZero();
        assertThat(text(err))
                .contains("warning: the files are not all of one closed window, so " + hour
                        + " is not the file of a window, and windows put refuses it");
        assertThat(run("state", hour)).isZero();
        assertThat(text(out)).doesNotContain("closed window");
    }

    @Test
    void mergeWarnsOfAWindowThatAnotherHostHasClosed() throws IOException {
        String open = folder.resolve("open.state").toString();
        String closed = folder.resolve("closed.state").toString();
        String lines = line(MIDNIGHT, "/a", 1).toString();
        assertThat(summarize("open", lines, "--state", open)).isZero();
        assertThat(summarize("closed", lines, "--close", "--state", closed)).isZero();
        String both = folder.resolve("both.state").toString();
        for (List<String> files : List.of(List.of(open, closed), List.of(closed, open))) {
            assertThat(run("merge", both, files.get(0), files.get(1), "--overwrite"))
                    .isZero();
            assertThat(text(err))
                    .contains(
                            "warning: " + both + " has rows of 1 window of Hits that another of the files has closed");
        }
    }

    @Test
    void aRunThatGoesOnHasOnlyLaterWindows() throws IOException {
        String monday = line(MIDNIGHT, "/a", 1) + line(MIDNIGHT.plusSeconds(7_200), "/a", 1);
        Path state = folder.resolve("monday.state");
        assertThat(summarize("monday", monday, "--close", "--state", state.toString()))
                .as(text(err))
                .isZero();
        assertThat(windows("monday")).hasSize(2);
        assertThat(run("state", state.toString())).isZero();
        assertThat(text(out)).contains("Hits: 0 rows of 2 updates").contains("Pages: 1 row of 2 updates");

        // The hour between the two windows without an event is closed, too.
        String tuesday = line(MIDNIGHT.plusSeconds(3_600), "/late", 1)
                + line(MIDNIGHT.plusSeconds(10_799), "/late", 1)
                + line(MIDNIGHT.plusSeconds(10_800), "/b", 1);
        assertThat(summarize("tuesday", tuesday, "--close", "--from-state", state.toString()))
                .as(text(err))
                .isZero();
        assertThat(text(err)).contains("rejected  2 (late 2, once for each mapping)");
        assertThat(windows("tuesday"))
                .extracting(Path::getFileName)
                .extracting(Path::toString)
                .containsExactly("20251120T030000Z.state");
        assertThat(rows("tuesday/Hits.csv")).containsExactly("2025-11-20T03:00:00.000000Z,/b,1");
        assertThat(rows("tuesday/Pages.csv")).containsExactly("/a,2", "/b,1", "/late,2");
    }

    @Test
    void withoutCloseAllWindowsStayOpen() throws IOException {
        Path state = folder.resolve("open.state");
        assertThat(summarize("out", line(MIDNIGHT, "/a", 1), "--state", state.toString()))
                .isZero();
        assertThat(folder.resolve("out/windows")).doesNotExist();
        assertThat(summarize("next", line(MIDNIGHT, "/a", 1), "--from-state", state.toString()))
                .isZero();
        assertThat(rows("next/Hits.csv")).containsExactly("2025-11-20T00:00:00.000000Z,/a,2");
    }

    @Test
    void theAnswerNamesTheFiles() throws IOException {
        assertThat(summarize("out", line(MIDNIGHT, "/a", 1), "--close", "--json"))
                .isZero();
        assertThat(text(out))
                .contains(folder.resolve("out/windows/Hits/20251120T000000Z.state")
                        .toString());
    }

    @Test
    void aRunWithoutEventsHasNoFiles() throws IOException {
        assertThat(summarize("out", "", "--close")).as(text(err)).isZero();
        assertThat(folder.resolve("out/windows")).doesNotExist();
    }

    @Test
    void filesOfAnEarlierRunAreNeitherReplacedNorMixedWithNewOnes() throws IOException {
        assertThat(summarize("out", line(MIDNIGHT, "/a", 1), "--close")).isZero();
        assertThat(summarize("out", line(MIDNIGHT, "/b", 1), "--close")).isEqualTo(Exit.USAGE);
        assertThat(text(err))
                .contains("--close: " + folder.resolve("out/windows") + " has files already, such as ")
                .contains("20251120T000000Z.state; name another folder, or move them away");
        assertThat(rows("out/Hits.csv")).containsExactly("2025-11-20T00:00:00.000000Z,/a,1");
        assertThat(windows("out")).hasSize(1);
    }

    @Test
    void definitionsWithoutWindowsHaveNothingToClose() throws IOException {
        Files.writeString(definitions.resolve("t.summ"), "import \"t.proto\"; event Hit on \"hit\" as csv;\n" + PLAIN);
        assertThat(summarize("out", line(MIDNIGHT, "/a", 1), "--close")).isEqualTo(Exit.USAGE);
        assertThat(text(err)).contains("--close: no summary of these definitions has a window");
        assertThat(folder.resolve("out")).doesNotExist();
    }

    private int summarize(String name, CharSequence lines, String... options) throws IOException {
        Path file = Files.writeString(folder.resolve(name + ".log"), lines);
        List<String> arguments = new ArrayList<>(List.of(
                "run",
                "--definitions",
                definitions.toString(),
                "--out",
                folder.resolve(name).toString()));
        arguments.addAll(List.of(options));
        arguments.add(file.toString());
        return run(arguments.toArray(String[]::new));
    }

    private int run(String... arguments) {
        out.reset();
        err.reset();
        return Main.run(Terminal.of(out, err), Map.of(), arguments);
    }

    private List<Path> windows(String name) throws IOException {
        try (Stream<Path> files = Files.list(folder.resolve(name).resolve("windows/Hits"))) {
            return files.sorted().toList();
        }
    }

    /** The rows of a CSV file, sorted, without the header. */
    private List<String> rows(String csv) throws IOException {
        return Files.readAllLines(folder.resolve(csv)).stream().skip(1).sorted().collect(Collectors.toList());
    }

    private static String line(Instant time, String page, int code) {
        return "<134>1 2025-11-20T00:00:00Z web03 server 4711 hit - " + time + "," + page + "," + code + "\n";
    }

    private static String text(ByteArrayOutputStream stream) {
        return stream.toString(StandardCharsets.UTF_8);
    }
}
