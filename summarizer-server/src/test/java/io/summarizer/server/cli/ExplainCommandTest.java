package io.summarizer.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The output of {@code explain}, word for word; {@code -Dsummarizer.golden.regenerate=true} rewrites it, and fails. */
class ExplainCommandTest {
    private static final Path GOLDEN = Path.of("src/test/resources/explain");

    @TempDir
    Path folder;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @BeforeEach
    void writeDefinitions() throws IOException {
        for (String file : new String[] {"shop.proto", "shop.summ"}) {
            Files.copy(GOLDEN.resolve(file), folder.resolve(file));
        }
    }

    private int run(Path definitions, String... arguments) {
        String[] command = Stream.concat(
                        Stream.of("explain", "--definitions", definitions.toString()), Stream.of(arguments))
                .toArray(String[]::new);
        return Main.run(Terminal.of(out, err), Map.of(), command);
    }

    private int runOn(String input, String... arguments) {
        InputStream before = System.in;
        System.setIn(new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)));
        try {
            return run(folder, arguments);
        } finally {
            System.setIn(before);
        }
    }

    private static String text(ByteArrayOutputStream stream) {
        return stream.toString(StandardCharsets.UTF_8);
    }

    private void isAsBefore(String name) throws IOException {
        Path golden = GOLDEN.resolve(name + ".txt");
        if (Boolean.getBoolean("summarizer.golden.regenerate")) {
            Files.writeString(golden, text(out));
            throw new AssertionError(golden + " is written anew");
        }
        assertThat(text(out)).isEqualTo(Files.readString(golden));
        assertThat(text(err)).matches("(by the definitions in .*\n)+");
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            delimiter = '|',
            value = {
                "order | 0 | <134>1 2026-11-20T00:00:00Z web1 shop 77 shop.order.de [ev@32473 id=\"7\"] 7,DE,19.90,20",
                "order-left-out | 0 | <134>2026-11-20T00:00:00+01:00 web1 shop.order.fr[7]: 7,XX,,70",
                "order-bad-field | 1 | <134>1 - web1 shop - shop.order - 7,DE,abc,4",
                "unmatched | 1 | <134>1 - web1 shop - shop.oder.de - 7",
                "bad-envelope | 1 | <134>1 yesterday web1 shop - shop.order - 7,DE,1,4",
                "bad-json | 1 | <134>1 - web1 shop - shop.basket - {\"customer\":5,",
                "bad-json-field | 1 | <134>1 - web1 shop - shop.basket - {\"items\":[{\"price\":\"x\"}]}",
                "basket | 0 | <134>1 - web1 shop - shop.basket - {\"customer\":\"5\",\"site\":{\"domain\":\"x.org\"},"
                        + "\"items\":[{\"id\":\"a\",\"price\":0.5},{\"price\":0},{\"id\":\"c\",\"price\":\"1.25\"}]}",
                "basket-empty | 0 | <134>1 - web1 shop - shop.basket - {}",
                "no-header | 1 | hello",
            })
    void saysWhatBecomesOfALine(String name, int exit, String line) throws IOException {
        assertThat(run(folder, line)).isEqualTo(exit);
        isAsBefore(name);
    }

    @Test
    void doesNotExplainAnEventThatTookTooMuchWork() throws IOException {
        Files.writeString(
                folder.resolve("long.proto"),
                "syntax = \"proto3\"; message Long { string note = 1; repeated string tags = 2; }");
        Files.writeString(folder.resolve("long.summ"), """
                import "long.proto";
                event Long on "long" as json;
                summary Longs { key { int64 k = 1; } value { count n = 1; } }
                map Long into Longs { key { k = 1; } for t in tags { n += 1 where len(note) > 0; } }
                """);
        String line = "<134>1 - web1 shop - long - {\"note\":\"" + "a".repeat(100_000) + "\",\"tags\":["
                + "\"\",".repeat(1_000) + "\"\"]}";
        assertThat(run(folder, line)).isZero();
        assertThat(text(out)).contains("not explained: some expressions are null, because the loops");
        out.reset();
        assertThat(run(folder, "--json", line)).isZero();
        assertThat(text(out)).contains("\"unexplained\" : \"some expressions are null, because the loops");
    }

    @Test
    void saysWhatTellsAnEventFromThoseBefore() throws IOException {
        Files.writeString(folder.resolve("once.proto"), "syntax = \"proto3\"; message Once { string id = 1; }");
        Files.writeString(folder.resolve("once.summ"), """
                import "once.proto";
                event Once on "once" as csv dedup by lower(id) within 90s;
                summary Onces { key { string host = 1; } value { count n = 1; } }
                map Once into Onces { key { host = syslog.host; } n += 1; }
                """);
        assertThat(run(folder, "<134>1 - web1 shop - once - A7")).isZero();
        assertThat(text(out))
                .contains("dedup by lower(id) within 90s\n"
                        + "  id: lower(id) is \"a7\": counts in each row that no other event with it was added to in that"
                        + " time\n"
                        + "    id is \"A7\"\n"
                        + "mapping Once->Onces: applied\n");
        out.reset();
        assertThat(run(folder, "<134>1 - web1 shop - once - ")).isZero();
        assertThat(text(out))
                .contains("  id: lower(id) is null, so that it counts whatever came before\n    id is null\n");
    }

    @Test
    void saysWhichWindowARowHas() throws IOException {
        Files.writeString(folder.resolve("timed.proto"), """
                syntax = "proto3";
                import "google/protobuf/timestamp.proto";
                message Timed { google.protobuf.Timestamp time = 1; }
                """);
        Files.writeString(folder.resolve("timed.summ"), """
                import "timed.proto";
                event Timed on "timed" as csv;
                summary Hours {
                    window hour every 1h close after 1m;
                    key { timestamp hour = 1; }
                    value { count n = 1; }
                }
                map Timed into Hours { key { hour = time; } n += 1; }
                """);
        assertThat(run(folder, "<134>1 - web1 shop - timed - 2025-11-20T12:07:00Z"))
                .isZero();
        assertThat(text(out)).contains("""
                        mapping Timed->Hours: applied
                          row of Hours
                            key hour: time is 2025-11-20T12:00:00.000000Z (the start of the window of 2025-11-20T12:07:00.000000Z)
                        """);
        out.reset();
        assertThat(run(folder, "<134>1 - web1 shop - timed - ")).isOne();
        assertThat(text(out)).contains("""
                        mapping Timed->Hours: rejected (untimed)
                          row of Hours: rejected (untimed)
                            key hour: time is null
                        """);
        out.reset();
        assertThat(run(folder, "<134>1 - web1 shop - timed - 9999-01-01T00:00:00Z"))
                .isOne();
        assertThat(text(out)).contains("""
                        mapping Timed->Hours: rejected (early)
                          row of Hours: rejected (early)
                            key hour: time is 9999-01-01T00:00:00.000000Z (early: too far ahead of the arrival)
                        """);
        out.reset();
        assertThat(run(folder, "--json", "<134>1 - web1 shop - timed - 9999-01-01T00:00:00Z"))
                .isOne();
        assertThat(text(out)).contains("\"rejected\" : \"early\"", "\"done\" : false");
    }

    @Test
    void explainsEventsOfBothVersionsOfTheExample() throws IOException {
        Path schemas = ProjectHome.path().resolve("schemas");
        for (String version : new String[] {"ads-v1", "ads-v2"}) {
            ByteArrayOutputStream lines = new ByteArrayOutputStream();
            assertThat(Main.run(Terminal.of(lines, err), Map.of(), "generate", version, "--events", "1"))
                    .isZero();
            out.reset();
            assertThat(run(schemas, text(lines).strip())).isZero();
            isAsBefore(version);
        }
    }

    @Test
    void saysWhichTextCouldNotBeReadAndWhy() throws IOException {
        Path definitions = Files.createDirectory(folder.resolve("sales"));
        Files.writeString(
                definitions.resolve("s.proto"),
                "syntax = \"proto3\"; message Sale { string amount = 1; string at = 2; repeated string parts = 3; }");
        Files.writeString(definitions.resolve("s.summ"), """
                import "s.proto";
                event Sale on "sale" as json;
                summary S {
                    key { timestamp day = 1; }
                    value { sumcurrency cost = 1; sumint64 parts = 2; }
                }
                map Sale into S {
                    key { day = timestamp(at); }
                    cost += amount;
                    for part in parts { parts += int64(part); }
                }
                """);
        String event = "{\"amount\":\"12,50\",\"at\":\"garbage\",\"parts\":[\"x\"]}";
        assertThat(run(definitions, "<134>1 - h a - sale - " + event)).isZero();
        assertThat(text(out))
                .contains("timestamp(at) is null (\"garbage\" is no time)")
                .contains("cost += amount: adds nothing, its operand is null (\"12,50\" is no number)")
                .contains("for part in parts: 1 element")
                .contains("parts += int64(part): adds nothing, its operand is null (\"x\" is no whole number)");
    }

    @Test
    void explainsEachMessageOfStandardInput() {
        String message = "<134>1 - web1 shop - shop.order - 7,DE,1,40";
        assertThat(runOn(message + "\n\n" + message.length() + " " + message + "\nhello\n", "-"))
                .isEqualTo(1);
        assertThat(text(out).split("\n\n", -1)).hasSize(3);
        assertThat(text(out))
                .contains(
                        "a line, " + message.length() + " bytes",
                        "octet-counted, " + message.length() + " bytes",
                        "a line, 5 bytes");
    }

    @Test
    void stopsAfterSoManyMessages() {
        assertThat(runOn("<134>1 - web1 shop - shop.order - 7,DE,1,40\n".repeat(5_000), "--max", "3"))
                .isZero();
        assertThat(text(out).lines().filter(line -> line.startsWith("frame"))).hasSize(3);
        assertThat(text(err)).endsWith("\nstopped after 3 messages; --max N shows more\n");
    }

    @Test
    void takesTheTopicFromWhereItIsTold() {
        String line = "<134>1 - web1 shop.order - x - 7,DE,1,40";
        assertThat(run(folder, line)).isEqualTo(1);
        assertThat(run(folder, "--topic-from", "app-name", line)).isZero();
        assertThat(text(out)).contains("topic            shop.order, its APP-NAME");
        assertThat(run(folder, "--set", "listen.syslog-tcp.topic=app-name", line))
                .isZero();
        assertThat(run(folder, "--topic-from", "host", line)).isEqualTo(2);
    }

    @Test
    void takesALineWithoutAHeaderOfATopic() {
        assertThat(run(folder, "--topic", "shop.order", "<7>,DE,1,40")).isEqualTo(1); // no header is expected
        assertThat(text(out)).contains("payload          11 bytes: <7>,DE,1,40");
        out.reset();
        assertThat(run(folder, "--topic", "shop.order", "7,DE,1,40")).isZero();
        assertThat(text(out)).contains("topic            shop.order, its MSGID", "payload          9 bytes: 7,DE,1,40");
        assertThat(run(folder, "--topic", "shop.order", "--framing", "octet", "7,DE,1,40"))
                .isEqualTo(2);
    }

    @Test
    void hasTheBoundsOfTheServiceOnKeysAndTexts() throws IOException {
        Files.writeString(folder.resolve("visit.proto"), "syntax = \"proto3\"; message Visit { string page = 1; }");
        Files.writeString(folder.resolve("visit.summ"), """
                import "visit.proto";
                event Visit on "visit" as csv;
                summary Visits { key { string page = 1; } value { laststring last = 1; } }
                summary Pages { limit keys = 10 overflow = other; key { string page = 1; } value { count n = 1; } }
                map Visit into Visits { key { page = "x"; } last += page; }
                map Visit into Pages { key { page; } n += 1; }
                """);
        String line = "<134>1 - web1 shop - visit - " + "p".repeat(100);
        assertThat(run(folder, line)).isZero();
        out.reset();
        assertThat(run(folder, "--set", "limits.text-bytes=99", line)).isEqualTo(1);
        assertThat(text(out))
                .contains("last += page: adds nothing, its text is longer than limits.text-bytes\n")
                .endsWith("rejected (limit): the text of Visits.last is longer than limits.text-bytes=99\n");
        out.reset();
        assertThat(run(folder, "--set", "limits.key-bytes=99", line)).isZero(); // an overflow is no rejection
        assertThat(text(out)).contains("row of Pages: none of its own, its key is longer than limits.key-bytes\n");
    }

    @Test
    void takesTheYearOfTimesWithoutOne() throws IOException {
        Files.writeString(folder.resolve("visit.proto"), "syntax = \"proto3\"; message Visit { string page = 1; }");
        Files.writeString(folder.resolve("visit.summ"), """
                import "visit.proto";
                event Visit on "visit" as csv;
                summary Visits { key { timestamp at = 1; } value { count n = 1; } }
                map Visit into Visits { key { at = syslog.timestamp; } n += 1; }
                """);
        assertThat(run(folder, "--year", "2015", "<134>Feb 28 12:00:00 web1 visit: /a"))
                .isZero();
        assertThat(text(out))
                .contains("timestamp        Feb 28 12:00:00 = 2015-02-28T12:00:00")
                .contains("key at: syslog.timestamp is 2015-02-28T12:00:00");
    }

    @Test
    void isNotSteeredByWhatAMessageHolds() {
        assertThat(run(folder, "<134>1 - web1 shop - shop.order - 7,\"\033[2J\u202e\",1,40"))
                .isZero();
        assertThat(text(out)).doesNotContain("\033");
    }

    @Test
    void saysThatThereIsNoMessageOrThatTheFramingWasLost() {
        assertThat(run(folder, "")).isEqualTo(3);
        assertThat(text(err)).endsWith("\nsummarizer: there is no message in that\n");
        err.reset();
        assertThat(run(folder, "--framing", "octet", "hello")).isEqualTo(3);
        assertThat(text(out)).contains("5 bytes that break the framing", "rejected (frame)");
        assertThat(text(err)).endsWith("\nsummarizer: the framing was lost: octet count is not digits and a space\n");
    }
}
