package io.summarizer.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.core.ledger.Account;
import io.summarizer.core.ledger.LedgerAssert;
import io.summarizer.core.ledger.LedgerCounts;
import io.summarizer.core.ledger.LedgerJson;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunCommandTest {
    private static final String DEFINITIONS = """
            import "t.proto";
            event Hit on "hit.#" as csv;
            summary Hits {
                key { string page = 1; }
                value {
                    sumint64 hits = 1;
                    summary Code { key { int64 code = 1; } value { sumint64 hits = 1; } }
                    repeated Code codes = 2;
                }
            }
            map Hit into Hits {
                key { page; }
                hits += 1;
                codes[code = code] { hits += 1; }
            }
            """;
    private static final String EVENTS = "syntax = \"proto3\"; message Hit { string page = 1; int64 code = 2; }";

    @TempDir
    Path folder;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private Path definitions = Path.of("");
    private Path results = Path.of("");

    @BeforeEach
    void writeDefinitions() throws IOException {
        definitions = Files.createDirectory(folder.resolve("definitions"));
        results = folder.resolve("results/of/this");
        Files.writeString(definitions.resolve("t.summ"), DEFINITIONS);
        Files.writeString(definitions.resolve("t.proto"), EVENTS);
    }

    /** Texts that are null are followed by as many bytes as others, also at the end of an export's buffer. */
    @Test
    void manyRowsWithoutATextAreExported() throws IOException {
        int rows = 20_000;
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < rows; i++) {
            lines.append(line("hit.x", "," + (i + (1L << 40))));
        }
        Files.writeString(
                definitions.resolve("t.summ"),
                DEFINITIONS
                        .replace(
                                "key { string page = 1; }",
                                "key { string page = 1; int64 number = 2; int64 more = 3; }")
                        .replace("key { page; }", "key { page; number = code; more = code * 1000; }"));
        assertThat(run(file("all", lines.toString()).toString())).as(text(err)).isZero();
        assertThat(csv("Hits.csv"))
                .hasSize(1 + rows)
                .contains(",1099511627776,1099511627776000,1", ",1099511647775,1099511647775000,1");
    }

    @Test
    void anInputIsNoOutput() throws IOException {
        Files.createDirectories(results);
        for (String name : List.of("Hits.csv", "ledger.json")) {
            Path input = Files.writeString(results.resolve(name), line("hit.x", "/a,200"));
            assertThat(run(input.toString())).isEqualTo(2);
            assertThat(text(err)).contains("--out: " + input + " is a file to read");
            assertThat(input).hasContent(line("hit.x", "/a,200"));
            Files.delete(input);
        }
    }

    @Test
    void filesBecomeCsvAndEverythingIsCounted() throws IOException {
        Path first = file("first", line("hit.x", "/a,200") + line("hit.x", "/a,404") + line("miss", "/a,200"));
        Path second = file("second", line("hit.y", "/b,200") + line("hit", "/b,notanumber") + "<134>1 bad\n");
        assertThat(run(first.toString(), second.toString())).as(text(err)).isZero();
        assertThat(csv("Hits.csv")).containsExactly("page,hits", "/a,2", "/b,1");
        assertThat(csv("Hits.codes.csv")).containsExactly("page,code,hits", "/a,200,1", "/a,404,1", "/b,200,1");
        assertThat(text(err).lines().map(line -> line.replaceAll(", in .*", "")))
                .containsExactly(
                        "received  6 messages, " + (Files.size(first) + Files.size(second)) + " B",
                        "updates   3",
                        "unmatched 1",
                        "rejected  2 (envelope 1, payload 1)",
                        "          first envelope: TIMESTAMP \"bad\" is not as RFC 5424 has it (byte 7); it begins: "
                                + "<134>1 bad",
                        "          first payload: code: \"notanumber\" is not an int64; topic hit; it begins: "
                                + line("hit", "/b,notanumber").strip(),
                        "          --rejects DIR keeps rejected messages; summarizer rejects DIR prints them");
        assertThat(text(out)).isEmpty();
        try (Stream<Path> files = Files.list(results)) {
            assertThat(files).hasSize(3);
        }
        try (InputStream ledger = Files.newInputStream(results.resolve("ledger.json"))) {
            LedgerCounts counts = LedgerJson.read(ledger);
            LedgerAssert.assertSettled(counts);
            assertThat(counts.accounts())
                    .map(Account::toString)
                    .containsExactly(
                            "files: received=6 applied=3 unmatched=1 envelope=1 payload=1",
                            "Hit: received=4 applied=3 payload=1",
                            "Hit->Hits: received=4 applied=3 payload=1");
        }
    }

    @Test
    void messagesWithoutATopicAreEventsOfThePatternThatTakesZeroWords() throws IOException {
        Files.writeString(definitions.resolve("t.summ"), """
                import "t.proto";
                event Line on "#.#" as text;
                summary Topics { key { string topic = 1; bool empty = 2; } value { count lines = 1; } }
                map Line into Topics { key { topic = topic; empty = text == ""; } lines += 1; }
                """);
        Files.writeString(definitions.resolve("t.proto"), "syntax = \"proto3\"; message Line { string text = 1; }");
        Path input = file("input", "<13>1 - - - - - -\n<13>\nno header\n<13>1 - - - - - - x\n<13>1 - - - - a.b -\n");
        assertThat(run(input.toString())).as(text(err)).isZero();
        assertThat(csv("Topics.csv")).containsExactly("topic,empty,lines", ",false,2", ",true,2", "a.b,true,1");
        try (InputStream ledger = Files.newInputStream(results.resolve("ledger.json"))) {
            assertThat(LedgerJson.read(ledger).accounts())
                    .map(Account::toString)
                    .containsExactly(
                            "files: received=5 applied=5",
                            "Line: received=5 applied=5",
                            "Line->Topics: received=5 applied=5");
        }
    }

    @Test
    void aLineThatLooksLikeACountOf0StopsNoNeighbour() throws IOException {
        String message = line("hit", "/a,1");
        Path input = file("input", message + "0 <b>\n" + message + "007 <b>\n" + message);
        assertThat(run(input.toString())).as(text(err)).isZero();
        assertThat(text(err))
                .contains("received  5 messages")
                .contains("updates   3")
                .contains("unmatched 2");
        assertThat(csv("Hits.csv")).containsExactly("page,hits", "/a,3");
    }

    @Test
    void theYearOfTimesWithoutOneCanBeGiven() throws IOException {
        Files.writeString(definitions.resolve("t.summ"), """
                import "t.proto";
                event Hit on "hit.#" as csv;
                summary Days { key { timestamp day = 1; } value { sumint64 hits = 1; } }
                map Hit into Days { key { day = bucket(syslog.timestamp, 1d); } hits += 1; }
                """);
        String lines = """
                <13>Apr  5 01:02:03 h hit.x: /a,1
                <13>Feb 29 12:00:00 h hit.x: /a,1
                <13>Dec 31 23:59:59 2009 h hit.x: /a,1
                """;
        Path input = file("input", lines);
        assertThat(run("--year", "2024", input.toString())).as(text(err)).isZero();
        assertThat(csv("Days.csv"))
                .containsExactly(
                        "day,hits",
                        "2009-12-31T00:00:00.000000Z,1",
                        "2024-02-29T00:00:00.000000Z,1",
                        "2024-04-05T00:00:00.000000Z,1");
        assertThat(run("--year", "2023", input.toString())).as(text(err)).isZero();
        assertThat(csv("Days.csv"))
                .containsExactly("day,hits", ",1", "2009-12-31T00:00:00.000000Z,1", "2023-04-05T00:00:00.000000Z,1");
        assertThat(run("--year", "0", input.toString())).isEqualTo(2);
        assertThat(text(err)).contains("--year: 0 is not from 1 to 9999");
    }

    @Test
    void enumsAndMembersOfAOneofAreReadAlikeFromCsvAndJson() throws IOException {
        Files.writeString(definitions.resolve("t.summ"), """
                import "t.proto";
                event Line on "line" as csv;
                event Object on "object" as json;
                summary Shades {
                    key { string color = 1; int64 a = 2; string b = 3; }
                    value { count lines = 1; count objects = 2; }
                }
                map Line into Shades { key { color; a; b; } lines += 1; }
                map Object into Shades { key { color = shade; a; b = b.text; } objects += 1; }
                """);
        Files.writeString(definitions.resolve("t.proto"), """
                syntax = "proto3";
                enum Color { option allow_alias = true; NONE = 0; RED = 1; RUDDY = 1; GREEN = 5; }
                message Text { string text = 1; }
                message Line { Color color = 1; oneof which { int64 a = 2; string b = 3; double unread = 4; } }
                message Object { Color shade = 1; oneof which { int64 a = 2; Text b = 3; double unread = 4; } }
                """);
        String csv = Stream.of("RED,1", "1,,x", "0,0,y", "77,,,", "RUDDY,,,2", ",3,z,2.5", "MAUVE,1", "red,1", "NONE,1")
                .map(payload -> line("line", payload))
                .collect(Collectors.joining());
        String json = Stream.of(
                        "{'shade':'RED','a':1}",
                        "{'shade':1,'b':{'text':'x'}}",
                        "{'shade':0,'a':0,'b':{'text':'y'}}",
                        "{'shade':77}",
                        "{'a':4,'shade':'RUDDY','unread':2}",
                        "{'b':{'text':'z'},'a':3,'unread':2.5}",
                        "{'shade':'MAUVE','a':1}",
                        "{'shade':'red','a':1}",
                        "{'shade':'MAUVE','a':'x','unread':null,'shade':'NONE','a':1}")
                .map(payload -> line("object", payload.replace('\'', '"')))
                .collect(Collectors.joining());
        assertThat(run(file("input", csv + json).toString())).as(text(err)).isZero();
        assertThat(csv("Shades.csv"))
                .containsExactly(
                        "color,a,b,lines,objects",
                        ",,,1,1",
                        "77,,,1,1",
                        "NONE,,y,1,1",
                        "NONE,1,,1,1",
                        "RED,,x,1,1",
                        "RED,1,,1,1",
                        "RUDDY,,,1,1");
        assertThat(text(err)).contains("rejected  4 (payload 4)");
    }

    @Test
    void filesBecomeNdjson() throws IOException {
        Files.writeString(
                definitions.resolve("t.summ"),
                DEFINITIONS.replace("summary Hits {", "summary Hits { limit keys = 1 overflow = other;"));
        Path pages = file("pages", line("hit", "/\"a\",200") + line("hit", "/b,404") + line("hit", "/c,200"));
        assertThat(run("--format=ndjson", pages.toString())).as(text(err)).isZero();
        assertThat(results.resolve("Hits.ndjson")).hasContent("{\"page\":\"/\\\"a\\\"\",\"hits\":1}");
        assertThat(results.resolve("Hits.codes.ndjson"))
                .hasContent("{\"page\":\"/\\\"a\\\"\",\"code\":200,\"hits\":1}");
        assertThat(results.resolve("Hits.overflow.ndjson")).hasContent("{\"page\":null,\"hits\":2}");
        assertThat(results.resolve("Hits.overflow.codes.ndjson"))
                .hasContent("{\"page\":null,\"code\":null,\"hits\":2}");
        assertThat(results.resolve("Hits.csv")).doesNotExist();
        assertThat(run("--format=ndjson", "--profile=pg", pages.toString())).isEqualTo(2);
        assertThat(text(err)).contains("--profile is a dialect of CSV: not with --format ndjson");
    }

    @Test
    void whatIsBeyondTheBoundOfASummaryIsInAFileOfItsOwn() throws IOException {
        Files.writeString(
                definitions.resolve("t.summ"),
                DEFINITIONS.replace("summary Hits {", "summary Hits { limit keys = 2 overflow = other;"));
        StringBuilder lines = new StringBuilder();
        for (int page = 0; page < 9; page++) {
            lines.append(line("hit", "/" + page + ",200"));
        }
        assertThat(run(file("pages", lines.toString()).toString()))
                .as(text(err))
                .isZero();
        assertThat(csv("Hits.csv")).hasSize(3);
        assertThat(csv("Hits.overflow.csv")).containsExactly("page,hits", ",7");
        assertThat(csv("Hits.overflow.codes.csv")).containsExactly("page,code,hits", ",,7");
        assertThat(text(err).lines()).contains("updates   9", "rejected  0");
    }

    @Test
    void valuesThatNoSummaryHoldsAsTheyWereAreTold() throws IOException {
        Files.writeString(definitions.resolve("t.summ"), """
                import "t.proto";
                event Hit on "hit.#" as csv;
                summary Hits {
                    key { string page = 1; }
                    value {
                        sumcurrency amount = 1;
                        sumint64 share = 2;
                        laststring found = 3;
                        summary Code { key { int64 code = 1; } value { sumint64 sum = 1; } }
                        repeated Code codes = 4;
                    }
                }
                map Hit into Hits where code != 1 {
                    key { page; }
                    amount += code;
                    share += 7 % (code - 2);
                    found += extract(page, "(.*.*)*!", 0);
                    codes[code = 3] { sum += code; }
                }
                """);
        byte[] invalid = line("hit", "/a\u00ff,3").getBytes(StandardCharsets.ISO_8859_1);
        Path input = file(
                "input",
                line("hit", "/a,1")
                        + line("hit", "/a,1")
                        + line("hit", "/a,2")
                        + line("hit", "/" + "b".repeat(200) + ",3")
                        + line("hit", "/a,9223372036854775807"));
        Files.write(input, invalid, StandardOpenOption.APPEND);
        assertThat(run(input.toString())).as(text(err)).isZero();
        // The last amount alone exceeds a currency; the sum of integers with it does not.
        assertThat(text(err).lines().skip(4))
                .containsExactly(
                        "filtered  2 (events that a where kept out, once for each mapping)",
                        "extracts  1 (null, because the match took too many steps, or Java's matcher failed)",
                        "repaired  1 (strings with U+FFFD for what is not UTF-8)",
                        "nulls     1 of 4 (1 range) in amount += code at t.summ:15 (Hit->Hits)",
                        "nulls     1 of 4 (1 division) in share += 7 % (code - 2) at t.summ:16 (Hit->Hits)");
    }

    @Test
    void expressionsThatWereAlwaysNullAreWarnedOf() throws IOException {
        Files.writeString(definitions.resolve("t.summ"), DEFINITIONS.replace("hits += 1;", "hits += int64(page);"));
        assertThat(run(file("input", line("hit", "/a,1") + line("hit", "/b,2")).toString()))
                .as(text(err))
                .isZero();
        assertThat(text(err))
                .contains("nulls     2 of 2 (2 unreadable, first \"/a\") in hits += int64(page) at t.summ:")
                .contains("each value of this expression was null: hits += int64(page)\n");
        assertThat(Files.readString(results.resolve("ledger.json")))
                .contains("\"expression\" : \"hits += int64(page)\"", "\"unreadable\" : 2", "\"always\" : true");
    }

    @Test
    void whatComesAgainIsCountedOnceAndTold() throws IOException {
        Files.writeString(
                definitions.resolve("t.summ"), DEFINITIONS.replace("as csv;", "as csv dedup by code within 1h;"));
        String once = line("hit", "/a,1") + line("hit", "/b,2") + line("hit", "/a,");
        assertThat(run(file("input", once + line("hit", "/b,1") + once).toString()))
                .as(text(err))
                .isZero();
        assertThat(csv("Hits.csv")).containsExactly("page,hits", "/a,3", "/b,2");
        assertThat(text(err)).contains("updates   5\n").contains("duplicate 2 (events that came before");
    }

    @Test
    void gzipThatEndsTooEarlyIsNamedAndWhatCameBeforeCounts() throws IOException {
        byte[] packed = gzip(line("hit", "/z,1").repeat(20_000));
        Path cut = folder.resolve("cut.gz");
        Files.write(cut, Arrays.copyOf(packed, packed.length - packed.length / 4));
        Path damaged = folder.resolve("damaged.gz");
        packed[packed.length / 2] ^= (byte) 0xff;
        packed[packed.length / 2 + 1] ^= (byte) 0xff;
        Files.write(damaged, packed);
        Path whole = file("whole", line("hit", "/y,1"));
        assertThat(run(cut.toString(), damaged.toString(), whole.toString())).isEqualTo(3);
        assertThat(text(err).lines().map(text -> text.replaceAll("\\(.*\\)", "()")))
                .contains(
                        "summarizer: " + cut + ": the gzip data end too early, the file is cut off. The messages before"
                                + " that are in the summaries; run again with a whole file",
                        "summarizer: " + damaged + ": the gzip data are damaged (). The messages before that are in the"
                                + " summaries; run again with a whole file");
        assertThat(csv("Hits.csv")).contains("/y,1").noneMatch(row -> row.startsWith("/,"));
        long hits = csvLines("Hits.csv")
                .filter(row -> row.startsWith("/z,"))
                .mapToLong(row -> Long.parseLong(row.substring(3)))
                .sum();
        assertThat(hits).isBetween(5_000L, 39_999L);
    }

    @Test
    void whatCannotBeReadIsNamedBeforeAnythingIsDone() throws IOException {
        assertThat(run(definitions.toString())).isEqualTo(3);
        assertThat(text(err))
                .isEqualTo("summarizer: " + definitions + ": is a folder; name the files in it, as " + definitions
                        + "/*\n");
        err.reset();
        assertThat(run(definitions.resolve("absent").toString())).isEqualTo(3);
        assertThat(text(err)).isEqualTo("summarizer: " + definitions.resolve("absent") + ": no such file\n");
        assertThat(results).doesNotExist();
    }

    @Test
    void warningsOfTheDefinitionsAreToldAndNothingElseChanges() throws IOException {
        Files.writeString(
                definitions.resolve("t.summ"),
                DEFINITIONS.replace("map Hit into Hits", "map Hit into Hits where code != null"));
        run(file("one", line("hit", "/z,1")).toString());
        assertThat(text(err)).contains(": warning: a comparison with null never holds");
        assertThat(csv("Hits.csv")).containsExactly("page,hits");
    }

    private static byte[] gzip(String text) throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (OutputStream gzip = new GZIPOutputStream(packed)) {
            gzip.write(text.getBytes(StandardCharsets.UTF_8));
        }
        return packed.toByteArray();
    }

    @Test
    void standardInputIsReadAndGzipUnpacked() throws IOException {
        Path packed = folder.resolve("packed");
        try (OutputStream gzip = new GZIPOutputStream(Files.newOutputStream(packed))) {
            gzip.write(line("hit", "/z,1").getBytes(StandardCharsets.UTF_8));
        }
        InputStream before = System.in;
        System.setIn(new ByteArrayInputStream(line("hit", "/i,2").getBytes(StandardCharsets.UTF_8)));
        try {
            assertThat(run(packed.toString(), "-")).as(text(err)).isZero();
        } finally {
            System.setIn(before);
        }
        assertThat(csv("Hits.csv")).containsExactly("page,hits", "/i,1", "/z,1");
    }

    @Test
    void aRejectedMessageIsShownEvenAfterManyUnmatchedOnes() throws IOException {
        Path input = file("input", line("miss", "/a,1").repeat(10_001) + line("hit", "/b,x") + line("hit", "/b,2"));
        assertThat(run(input.toString())).isZero();
        assertThat(text(err)).contains("payload: code: \"x\" is not an int64; topic hit; it begins: ");
    }

    @Test
    void rejectedMessagesAreKeptWhenAskedForAndCanBeReadAgain() throws IOException {
        Path rejects = folder.resolve("rejects");
        Path input = file("input", line("hit", "/a,1") + line("hit", "/b,x") + line("hit", "/c,y"));
        assertThat(run(input.toString(), "--rejects", rejects.toString())).isZero();
        err.reset();
        // All of it is rejected again, which is a failure.
        assertThat(run(rejects.resolve("payload.frames").toString())).isEqualTo(1);
        assertThat(text(err)).contains("received  2 messages").contains("rejected  2 (payload 2)");
    }

    @Test
    void aFileOfWhichNothingMatchesIsAFailureThatSaysWhy() throws IOException {
        Path input = file(
                "input", line("miss", "/a,1").repeat(3) + line("no.hit", "/a,1") + "page,code\n" + line("hit", "/b,x"));
        assertThat(run(input.toString())).isEqualTo(1);
        assertThat(text(err).lines().skip(4))
                .containsExactly(
                        "nothing came of 6 messages:",
                        "  5 unmatched: no event type takes their topic",
                        "    3 of topic miss",
                        "    1 without a topic, as lines without a syslog header are; --topic NAME gives them one",
                        "    1 of topic no.hit",
                        "    these definitions take: hit.#",
                        "  1 rejected",
                        "    1 payload: code: \"x\" is not an int64",
                        "summarizer: no message was an event of these definitions; nothing was added to any summary");
        assertThat(csv("Hits.csv")).containsExactly("page,hits");
    }

    @Test
    void anEventOfWhichAPartIsTooLongIsNotForNothing() throws IOException {
        String page = "/page".repeat(20);
        Files.writeString(
                definitions.resolve("t.summ"),
                DEFINITIONS
                        .replace("sumint64 hits = 1;\n", "sumint64 hits = 1; laststring last = 3;\n")
                        .replace("hits += 1;\n", "hits += 1; last += page;\n"));
        assertThat(run(file("input", line("hit", page + ",1")).toString(), "--set", "limits.text-bytes=99"))
                .isZero();
        assertThat(csv("Hits.csv")).containsExactly("page,hits,last", page + ",1,");
        assertThat(text(err))
                .contains("rejected  1 (limit 1, once for each mapping)\n" + " ".repeat(10) + "first limit: ")
                .doesNotContain("nothing");
        assertThat(run(file("keys", line("hit", page + ",1")).toString(), "--set", "limits.key-bytes=64", "--json"))
                .isZero();
        assertThat(csv("Hits.csv")).containsExactly("page,hits,last");
        assertThat(text(err))
                .contains("warning: Hit->Hits: 1 messages were rejected (limit)", "nothing came of 1 message:")
                .endsWith("summarizer: warning: nothing was added to any summary\n");
    }

    @Test
    void eventsThatAConditionKeptOutAreAWarningAndNoFailure() throws IOException {
        Files.writeString(
                definitions.resolve("t.summ"), DEFINITIONS.replace("into Hits {", "into Hits where code > 999 {"));
        Path input = file("input", line("hit", "/a,1") + line("miss", "/a,1"));
        assertThat(run(input.toString())).isZero();
        assertThat(text(err))
                .contains("nothing came of 2 messages:\n  1 unmatched")
                .contains("\n  1 kept out by a where, once for each mapping\n")
                .endsWith("summarizer: warning: nothing was added to any summary\n");
    }

    @Test
    void anEmptyFileIsNoFailure() throws IOException {
        assertThat(run(file("input", "").toString())).isZero();
        assertThat(text(err)).contains("received  0 messages").doesNotContain("nothing");
    }

    @Test
    void onlyTheMostCommonOfManyTopicsAreShownAndNoneCanSteerTheTerminal() throws IOException {
        StringBuilder lines = new StringBuilder(line("\u001b[31mred", "x").repeat(2));
        for (int i = 0; i < 20_000; i++) {
            lines.append(line("miss." + i, "x"));
        }
        assertThat(run(file("input", lines.toString()).toString())).isEqualTo(1);
        assertThat(text(err)).contains(" others\n").doesNotContain("\u001b");
    }

    @Test
    void messagesLargerThanABatchAndAMissingLastLineEndAreNoTrouble() throws IOException {
        StringBuilder input = new StringBuilder();
        for (int i = 0; i < 3000; i++) {
            input.append(line("hit", "/" + "x".repeat(i * 17 % 3000) + "," + i % 3));
        }
        String large = "/" + "y".repeat(200_000);
        input.append(line("hit", large + ",7").stripTrailing());
        Path file = file("input", input.toString());
        assertThat(run(
                        file.toString(),
                        "--set",
                        "listen.syslog-tcp.max-message-size=1MiB",
                        "--set",
                        "limits.key-bytes=1MiB"))
                .isZero();
        assertThat(text(err)).contains("received  3,001 messages").contains("updates   3,001");
        assertThat(csv("Hits.csv")).contains(large + ",1");
    }

    @Test
    void aStreamWhoseFramingIsLostIsAFailureAfterAllThatCouldBeRead() throws IOException {
        String message = line("hit", "/a,1").strip();
        Path input = file("input", message.length() + " " + message + "0 " + message);
        assertThat(run(input.toString(), "--framing", "octet")).isEqualTo(3);
        assertThat(text(err)).contains("not read to its end").contains("updates   1");
        assertThat(csv("Hits.csv")).contains("/a,1");
    }

    @Test
    void wrongDefinitionsAreShownAndNothingIsWritten() throws IOException {
        Files.writeString(definitions.resolve("t.summ"), DEFINITIONS.replace("{ page; }", "{ pgae; }"));
        Path input = file("input", line("hit", "/a,1"));
        assertThat(run(input.toString())).isEqualTo(1);
        assertThat(text(err))
                .contains("t.summ:12:")
                .contains("error:")
                .contains("^")
                .contains("page");
        assertThat(results).doesNotExist();
        err.reset();
        assertThat(Main.run(Terminal.of(out, err), Map.of(), "check", "--definitions", definitions.toString()))
                .isEqualTo(1);
        assertThat(text(err)).contains("t.summ:12:").doesNotContain("\tat ");
    }

    @Test
    void checkSaysThatDefinitionsAreFine() {
        assertThat(Main.run(Terminal.of(out, err), Map.of(), "check", "--definitions", definitions.toString()))
                .isZero();
        assertThat(text(out)).isEqualTo(definitions + ": fine, 1 event type, 1 summary, 1 mapping\n");
    }

    @Test
    void aFolderForRejectedMessagesThatCannotBeOneIsSaidInALine() throws IOException {
        Path input = file("input", line("hit", "/a,1"));
        Path noFolder = file("rejects", "");
        assertThat(run(input.toString(), "--rejects", noFolder.toString())).isEqualTo(3);
        assertThat(text(err))
                .isEqualTo("summarizer: cannot keep rejected messages: " + noFolder
                        + ": is there already, and not a folder\n");
    }

    @Test
    void takesLinesWithoutAHeaderAsPayloadsOfATopic() throws IOException {
        Path lines = file("bare", "/a,200\n\n/a,404\r\n\r\n<7>/b,200\n  /c,1");
        assertThat(run(lines.toString(), "--topic", "hit.x")).as(text(err)).isZero();
        assertThat(csv("Hits.csv")).containsExactly("page,hits", "  /c,1", "/a,2", "<7>/b,1");
        assertThat(csv("Hits.codes.csv"))
                .containsExactly("page,code,hits", "  /c,1,1", "/a,200,1", "/a,404,1", "<7>/b,200,1");
        err.reset();
        assertThat(run(lines.toString(), "--topic", "x.y")).isEqualTo(1);
        assertThat(text(err)).contains("received  4 messages", "4 of topic x.y");
    }

    /** The bound on messages applies to the bytes of the file, not to the header that is put before a line. */
    @Test
    void takesLinesWithoutAHeaderThatAreAsLongAsMessagesMayBe() throws IOException {
        String longest = "/" + "a".repeat(480 - "/,1".length()) + ",1";
        Path lines = file("bare", longest + "\n" + longest + "1\n");
        assertThat(run(lines.toString(), "--topic", "hit.x", "--set", "listen.syslog-tcp.max-message-size=480"))
                .as(text(err))
                .isZero();
        assertThat(csv("Hits.csv")).containsExactly("page,hits", longest);
        assertThat(text(err)).contains("received  2 messages", "(oversize 1)");
    }

    private int run(String... more) {
        String[] arguments = Stream.concat(
                        Stream.of("run", "--definitions", definitions.toString(), "--out", results.toString()),
                        Arrays.stream(more))
                .toArray(String[]::new);
        return Main.run(Terminal.of(out, err), Map.of(), arguments);
    }

    private Stream<String> csvLines(String name) throws IOException {
        return Files.readAllLines(results.resolve(name)).stream();
    }

    /** Returns the header, then the sorted rows. */
    private List<String> csv(String name) throws IOException {
        return Stream.concat(csvLines(name).limit(1), csvLines(name).skip(1).sorted())
                .toList();
    }

    private Path file(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text);
    }

    private static String line(String topic, String payload) {
        return "<134>1 2026-11-20T00:00:00.000000Z web03 server 4711 " + topic + " - " + payload + "\n";
    }

    private static String text(ByteArrayOutputStream stream) {
        return stream.toString(StandardCharsets.UTF_8);
    }
}
