package io.summarizer.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** State files on the command line: written by runs, continued, merged, shown. */
class StateCommandsTest {
    private static final String DEFINITIONS = """
            import "t.proto";
            event Hit on "hit" as csv;
            summary Hits {
                key { string page = 1; }
                value {
                    sumint32 hits = 1;
                    multiset64 codes_uu = 2;
                    summary Code { key { int64 code = 1; } value { sumint64 hits = 1; } }
                    repeated Code codes = 3;
                }
            }
            map Hit into Hits { key { page; } hits += 1; codes_uu += code; codes[code = code] { hits += 1; } }
            """;

    @TempDir
    private Path folder;

    private Path definitions = Path.of("");
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @BeforeEach
    void writeDefinitions() throws IOException {
        definitions = define("definitions", DEFINITIONS);
    }

    private Path define(String name, String text) throws IOException {
        Path made = Files.createDirectory(folder.resolve(name));
        Files.writeString(made.resolve("t.summ"), text);
        Files.writeString(
                made.resolve("t.proto"), "syntax = \"proto3\"; message Hit { string page = 1; int64 code = 2; }");
        return made;
    }

    private int run(String... arguments) {
        out.reset();
        err.reset();
        return Main.run(Terminal.of(out, err), Map.of(), arguments);
    }

    /** Runs over these events; returns the folder of the CSVs. */
    private Path summarize(String name, List<String> events, String... options) throws IOException {
        StringBuilder lines = new StringBuilder();
        events.forEach(event -> lines.append("<134>1 2026-11-20T00:00:00Z h a - hit - ")
                .append(event)
                .append('\n'));
        Path file = Files.writeString(folder.resolve(name + ".log"), lines);
        Path results = folder.resolve(name);
        List<String> arguments =
                new ArrayList<>(List.of("run", "--definitions", definitions.toString(), "--out", results.toString()));
        arguments.addAll(List.of(options));
        arguments.add(file.toString());
        assertThat(run(arguments.toArray(String[]::new))).as(text(err)).isZero();
        return results;
    }

    private String file(String name) {
        return folder.resolve(name).toString();
    }

    private static List<String> rows(Path csv) throws IOException {
        return Files.readString(csv).lines().sorted().toList();
    }

    private static String text(ByteArrayOutputStream stream) {
        return stream.toString(StandardCharsets.UTF_8);
    }

    /** Rows of the merged file may lack the updates that a share has in its overflow. */
    @Test
    void aMergeWarnsOfSharesThatRefusedKeys() throws IOException {
        definitions = define("limited", """
                import "t.proto";
                event Hit on "hit" as csv;
                summary Pages { limit keys = 1 overflow = other; key { string page = 1; } value { count n = 1; } }
                map Hit into Pages { key { page; } n += 1; }
                """);
        summarize("one", List.of("/a,200", "/b,200"), "--state", file("one.state"));
        summarize("two", List.of("/b,200"), "--state", file("two.state"));
        assertThat(run("merge", file("all.state"), file("one.state"), file("two.state")))
                .as(text(err))
                .isZero();
        assertThat(text(err).lines().filter(line -> line.contains("limit")))
                .singleElement()
                .asString()
                .startsWith(file("one.state") + ": there were more keys of Pages than its limit, and Pages.overflow");
    }

    @Test
    void sharesMergedAreWhatOneRunSees() throws IOException {
        List<String> first = List.of("/a,200", "/a,404", "/b,200");
        List<String> second = List.of("/a,200", "/c,500");
        List<String> both = new ArrayList<>(first);
        both.addAll(second);
        Path whole = summarize("whole", both);
        summarize("one", first, "--state", file("one.state"));
        summarize("two", second, "--state", file("two.state"));
        assertThat(run("merge", file("all.state"), file("one.state"), file("two.state")))
                .as(text(err))
                .isZero();
        for (String table : List.of("Hits", "Hits/codes")) {
            assertThat(run("state", file("all.state"), table)).as(text(err)).isZero();
            assertThat(text(out).lines().sorted()).isEqualTo(rows(whole.resolve(table.replace('/', '.') + ".csv")));
        }
        Path continued = summarize("continued", second, "--from-state", file("one.state"));
        assertThat(rows(continued.resolve("Hits.csv"))).isEqualTo(rows(whole.resolve("Hits.csv")));
        assertThat(rows(continued.resolve("Hits.codes.csv"))).isEqualTo(rows(whole.resolve("Hits.codes.csv")));
    }

    @Test
    void whatIsInAFileIsListed() throws IOException {
        summarize("one", List.of("/a,200", "/a,404", "/b,200"), "--state", file("one.state"));
        assertThat(run("state", file("one.state"))).as(text(err)).isZero();
        assertThat(text(out).lines().skip(1)).containsExactly("Hits: 2 rows of 3 updates", "Hits/codes: 3 rows");
    }

    @Test
    void anOverflowIsOneRowHoweverManyPartitionsHaveAPartOfIt() throws IOException {
        definitions = define("few", """
                import "t.proto";
                event Hit on "hit" as csv;
                summary Few {
                    limit keys = 1 overflow = other;
                    key { string page = 1; }
                    value { count hits = 1; }
                }
                map Hit into Few { key { page; } hits += 1; }
                """);
        List<String> events =
                IntStream.range(0, 50).mapToObj(page -> "/" + page + ",200").toList();
        summarize("few-rows", events, "--state", file("few.state"));
        assertThat(run("state", file("few.state"))).as(text(err)).isZero();
        assertThat(text(out)).contains("Few.overflow: 1 row of ");
    }

    @Test
    void aFileInAFolderThatIsMissingIsSaidSo() throws IOException {
        summarize("one", List.of("/a,200"), "--state", file("one.state"));
        assertThat(run("state", file("one.state"), "Hits", "--out", file("absent/hits.csv")))
                .isEqualTo(3);
        assertThat(text(err)).contains("there is no folder " + file("absent"));
    }

    @Test
    void rejectsOfADataFolderAreBelowIt() throws IOException {
        Path rejects = Files.createDirectories(folder.resolve("data/rejects"));
        assertThat(run("rejects", file("data"))).isEqualTo(3);
        assertThat(text(err)).contains("did you mean " + rejects + "?");
        assertThat(run("rejects", rejects.toString()))
                .as("no message is rejected")
                .isZero();
    }

    @Test
    void aDamagedFileIsNotListedAsFine() throws IOException {
        summarize("one", List.of("/a,200", "/a,404", "/b,200"), "--state", file("one.state"));
        byte[] bytes = Files.readAllBytes(folder.resolve("one.state"));
        bytes[bytes.length / 2] ^= 1;
        Files.write(folder.resolve("bad.state"), bytes);
        assertThat(run("state", file("bad.state"))).isEqualTo(3);
        assertThat(text(err)).startsWith("summarizer: " + file("bad.state") + ": is damaged behind byte ");
        assertThat(text(out)).isEmpty();
    }

    @Test
    void aFileIsMergedOnce() throws IOException {
        summarize("two", List.of("/b,200"), "--state", file("two.state"));
        String again = file("../" + folder.getFileName() + "/two.state");
        assertThat(run("merge", file("twice.state"), file("two.state"), again)).isEqualTo(2);
        assertThat(text(err)).contains("two.state is given twice, and its numbers would count twice");
        assertThat(folder.resolve("twice.state")).doesNotExist();
        assertThat(run(
                        "run",
                        "--definitions",
                        definitions.toString(),
                        "--from-state",
                        file("two.state"),
                        "--from-state",
                        again,
                        "--out",
                        file("twice"),
                        file("two.log")))
                .isEqualTo(2);
        assertThat(text(err)).contains("two.state is given twice, and its numbers would count twice");
    }

    @Test
    void aMergeWarnsOfACopy() throws IOException {
        summarize("one", List.of("/a,200"), "--state", file("one.state"));
        summarize("two", List.of("/b,200"), "--state", file("two.state"));
        Files.copy(folder.resolve("one.state"), folder.resolve("copy.state"));
        assertThat(run("merge", file("all.state"), file("one.state"), file("two.state")))
                .isZero();
        assertThat(text(err)).doesNotContain("warning");
        assertThat(run("merge", file("more.state"), file("one.state"), file("two.state"), file("copy.state")))
                .isZero();
        assertThat(text(err))
                .contains("warning: " + file("copy.state") + " has the same bytes as " + file("one.state")
                        + ", so its numbers count twice\n");
    }

    @Test
    void aStateFileThatIsThereIsNotOverwrittenUnlessAskedFor() throws IOException {
        summarize("one", List.of("/a,200"), "--state", file("one.state"));
        summarize("two", List.of("/b,200"), "--state", file("two.state"));
        byte[] before = Files.readAllBytes(folder.resolve("one.state"));
        assertThat(run("merge", file("one.state"), file("two.state"))).isEqualTo(2);
        assertThat(text(err))
                .isEqualTo("summarizer: OUT, the first name: " + file("one.state")
                        + " is there already; name another file, or replace it with --overwrite\n");
        assertThat(folder.resolve("one.state")).hasBinaryContent(before);
        assertThat(run(
                        "run",
                        "--definitions",
                        definitions.toString(),
                        "--out",
                        file("again"),
                        "--state",
                        file("one.state"),
                        file("two.log")))
                .isEqualTo(2);
        assertThat(text(err)).startsWith("summarizer: --state: " + file("one.state") + " is there already;");
        assertThat(folder.resolve("again")).doesNotExist();
        assertThat(folder.resolve("one.state")).hasBinaryContent(before);
        assertThat(run("merge", "--overwrite", file("one.state"), file("two.state")))
                .as(text(err))
                .isZero();
        assertThat(text(err)).startsWith(file("one.state") + ": ").contains(" of 1 file, in ");
        assertThat(run("state", file("one.state"), "Hits")).isZero();
        assertThat(text(out)).isEqualTo("page,hits,codes_uu\n/b,1,1\n");
    }

    @Test
    void aFileThatIsReadIsNeverWritten() throws IOException {
        summarize("one", List.of("/a,200"), "--state", file("one.state"));
        summarize("two", List.of("/b,200"), "--state", file("two.state"));
        byte[] before = Files.readAllBytes(folder.resolve("two.state"));
        Files.createSymbolicLink(folder.resolve("soft.state"), folder.resolve("two.state"));
        Files.createLink(folder.resolve("hard.state"), folder.resolve("two.state"));
        for (String out : List.of("two.state", "soft.state", "hard.state")) {
            assertThat(run("merge", "--overwrite", file(out), file("one.state"), file("two.state")))
                    .isEqualTo(2);
            assertThat(text(err))
                    .startsWith("summarizer: OUT, the first name: " + file(out) + " is ")
                    .endsWith("a file to read; what is written needs a place of its own\n");
        }
        String[] again = {
            "run", "--definitions", definitions.toString(), "--out", file("again"), "--overwrite", "--state", "", ""
        };
        again[7] = file("two.log");
        again[8] = file("two.log");
        assertThat(run(again)).isEqualTo(2);
        assertThat(text(err)).contains("a file to read");
        assertThat(run("state", file("two.state"), "Hits", "--out", file("soft.state")))
                .isEqualTo(2);
        assertThat(text(err)).contains("a file to read");
        assertThat(folder.resolve("two.state")).hasBinaryContent(before);
    }

    @Test
    void definitionsThatShareNoSummaryWithTheStateFileAreAnError() throws IOException {
        summarize("one", List.of("/a,200"), "--state", file("one.state"));
        Path other = define("other", DEFINITIONS.replace("Hits", "Visits"));
        assertThat(run(
                        "run",
                        "--definitions",
                        other.toString(),
                        "--out",
                        file("out"),
                        "--from-state",
                        file("one.state"),
                        file("one.log")))
                .isEqualTo(3);
        assertThat(text(err))
                .isEqualTo(
                        "summarizer: " + file("one.state")
                                + ": does not go together with these definitions:\n"
                                + "  none of the summaries in the file is defined: there is Hits; defined is Visits\n"
                                + "load it with the definitions that it was made with, or give what changed a new name or number\n");
    }

    @Test
    void updatesAreThoseOfTheRunAndNotOfTheFileItGoesOnFrom() throws IOException {
        summarize("one", List.of("/a,200", "/b,200"), "--state", file("one.state"));
        summarize("two", List.of("/c,200"), "--from-state", file("one.state"));
        assertThat(text(err)).contains("updates   1\n");
    }

    @Test
    void theCsvOfAFileTakesTheOptionsOfAPull() throws IOException {
        summarize("one", List.of("/a,200", "/a,404", "/b,200"), "--state", file("one.state"));
        assertThat(run(
                        "state",
                        file("one.state"),
                        "Hits",
                        "--columns=page,codes_uu",
                        "--distinct=both",
                        "--profile=excel",
                        "--order-by=hits desc",
                        "--limit=1"))
                .as(text(err))
                .isZero();
        assertThat(text(out)).matches("\uFEFFpage,codes_uu,codes_uu_hll\r\n/a,2,\\\\x[0-9a-f]+\r\n");
        assertThat(run("state", file("one.state"), "Hits", "--by=", "--having=hits > 2"))
                .as(text(err))
                .isZero();
        assertThat(text(out)).isEqualTo("hits,codes_uu\n3,2\n");
        assertThat(run(
                        "state",
                        file("one.state"),
                        "Hits",
                        "--columns=page,hits",
                        "--where=hits > 1",
                        "--format=ndjson"))
                .as(text(err))
                .isZero();
        assertThat(text(out)).isEqualTo("{\"page\":\"/a\",\"hits\":2}\n");
        assertThat(run("state", file("one.state"), "Hits", "--format=ndjson", "--profile=pg"))
                .isEqualTo(2);
        assertThat(text(err)).contains("a profile is a dialect of CSV");
        assertThat(run("state", file("one.state"), "Hits", "--profile=lotus")).isEqualTo(2);
        assertThat(text(err)).isEqualTo("summarizer: profile=lotus: there are rfc4180, excel, pg\n");
        assertThat(run("state", file("one.state"), "--distinct=hll")).isEqualTo(2);
        assertThat(text(err)).contains("go with a SUMMARY[/FIELD] of the file");
    }

    @Test
    void newDefinitionsSayWhatAMergeLooksLike() throws IOException {
        summarize("one", List.of("/a,200"), "--state", file("one.state"));
        Path newer = define("newer", """
                import "t.proto";
                event Hit on "hit" as csv;
                summary Hits { key { string url = 1; } value { sumint64 views = 1; count fresh = 9; } }
                map Hit into Hits { key { url = page; } views += 1; }
                """);
        assertThat(run("merge", file("new.state"), file("one.state"), "--definitions", newer.toString()))
                .as(text(err))
                .isZero();
        assertThat(text(err))
                .contains("left out: " + file("one.state") + ": Hits: field 2 (codes_uu) is not defined any more;"
                        + " its values are left out");
        assertThat(run("state", file("new.state"), "Hits")).isZero();
        assertThat(text(out)).isEqualTo("url,views,fresh\n/a,1,0\n");
    }

    @Test
    void whatDoesNotGoTogetherIsRefusedWithTheReason() throws IOException {
        summarize("one", List.of("/a,200"), "--state", file("one.state"));
        Path other = define("other", DEFINITIONS.replace("string page = 1", "string page = 2"));
        assertThat(run("merge", file("new.state"), file("one.state"), "--definitions", other.toString()))
                .isEqualTo(3);
        assertThat(text(err))
                .startsWith("summarizer: " + file("one.state") + ": does not go together with these definitions:\n")
                .contains("Hits: key column 2 (page) is not in the file; the columns of a key cannot change");
        assertThat(folder.resolve("new.state")).doesNotExist();
        assertThat(run("state", file("one.state"), "Nothing")).isEqualTo(2);
        assertThat(text(err)).contains("there is no summary Nothing in " + file("one.state") + "; there are: Hits");
        assertThat(run("state", file("one.log"))).isEqualTo(3);
        assertThat(text(err)).contains(file("one.log") + ": is not a state file");
    }
}
