package io.summarizer.server.e2e;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.dynatrace.hash4j.hashing.Hashing;
import io.summarizer.core.sketch.HllFormat;
import io.summarizer.core.sketch.HllWriter;
import io.summarizer.core.sketch.MultisetArena;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The effect of {@code distinct} and {@code profile} on an answer, byte by byte, as documented in docs/pull/README.md.
 */
class PulledFormatsEndToEndTest {
    private static final String MARK = "\uFEFF";

    private static final String DEFINITIONS = """
            import "t.proto";
            event Visit on "visit" as csv;
            event Note on "note" as json;
            summary Pages {
                key { string page = 1; }
                value {
                    multiset64 readers = 1;
                    count visits = 2;
                    multiset64(log2m = 4, regwidth = 3) halls = 3;
                    summary Hall {
                        key { int64 hall = 1; }
                        value { multiset64 guests = 1; }
                    }
                    repeated Hall by_hall = 4;
                }
            }
            map Visit into Pages {
                key { page; }
                readers += reader;
                visits += 1;
                halls += hall;
                by_hall[hall = hall] { guests += reader; }
            }
            summary Notes {
                key { int64 id = 1; string text = 2; }
                value { laststring last = 1; sumint64 total = 2; maxtimestamp at = 3; }
            }
            map Note into Notes {
                key { id; text; }
                last += text;
                total += number;
                at += timestamp(ms);
            }
            """;

    private static final String PROTO = """
            syntax = "proto3";
            message Visit { string page = 1; int64 reader = 2; int64 hall = 3; }
            message Note { int64 id = 1; string text = 2; int64 number = 3; int64 ms = 4; }
            """;

    @TempDir
    private Path folder;

    private final HttpClient http = HttpClient.newHttpClient();

    private RunningService start() throws Exception {
        Path definitions = Files.createDirectories(folder.resolve("definitions"));
        Files.writeString(definitions.resolve("t.summ"), DEFINITIONS);
        Files.writeString(definitions.resolve("t.proto"), PROTO);
        return RunningService.start(definitions, folder.resolve("data"));
    }

    private static void send(RunningService service, String topic, String... payloads) throws Exception {
        long before = service.received();
        StringBuilder lines = new StringBuilder();
        for (String payload : payloads) {
            lines.append("<134>1 2026-11-20T00:00:00Z h a - ")
                    .append(topic)
                    .append(" - ")
                    .append(payload)
                    .append('\n');
        }
        service.send(lines.toString().getBytes(UTF_8));
        service.awaitReceived(before + payloads.length);
    }

    /** Returns the answer's bytes as characters; a body that is read as text could hide a byte order mark. */
    private String pull(RunningService service, String address) throws Exception {
        HttpResponse<byte[]> answer = http.send(
                HttpRequest.newBuilder(URI.create(service.url() + "/summaries/" + address))
                        .build(),
                HttpResponse.BodyHandlers.ofByteArray());
        String text = new String(answer.body(), UTF_8);
        assertThat(answer.statusCode()).as(text).isEqualTo(200);
        return text;
    }

    /** The value of PostgreSQL's {@code hll} for these values. */
    private static String hll(int log2m, int regwidth, long... values) {
        MultisetArena arena = new MultisetArena(log2m, regwidth);
        int handle = 0;
        for (long value : values) {
            handle = arena.add(handle, Hashing.murmur3_128().hashLongToLong(value));
        }
        HllWriter writer = new HllWriter(HllFormat.of(log2m, regwidth));
        int length = writer.writeText(arena.freeze(), handle);
        return new String(writer.text(), 0, length, US_ASCII);
    }

    private static void visits(RunningService service) throws Exception {
        send(service, "visit", "/a,1,7", "/a,2,7", "/a,3,8", "/a,2,7", "/b,2,9");
    }

    @Test
    void shouldWriteEstimatesSetsOrBothAsDistinctSays() throws Exception {
        try (RunningService service = start()) {
            visits(service);
            String estimates = """
                    page,readers,visits,halls
                    /a,3,4,2
                    /b,1,1,1
                    """;
            assertThat(pull(service, "Pages.csv?order_by=page")).isEqualTo(estimates);
            assertThat(pull(service, "Pages.csv?order_by=page&distinct=estimate"))
                    .isEqualTo(estimates);
            assertThat(pull(service, "Pages.csv?order_by=page&distinct=hll"))
                    .isEqualTo(
                            "page,readers,visits,halls\n/a,%s,4,%s\n/b,%s,1,%s\n",
                            hll(11, 5, 1, 2, 3), hll(4, 3, 7, 8), hll(11, 5, 2), hll(4, 3, 9));
            assertThat(pull(service, "Pages.csv?order_by=page&distinct=both"))
                    .isEqualTo(
                            "page,readers,readers_hll,visits,halls,halls_hll\n/a,3,%s,4,2,%s\n/b,1,%s,1,1,%s\n",
                            hll(11, 5, 1, 2, 3), hll(4, 3, 7, 8), hll(11, 5, 2), hll(4, 3, 9));
        }
    }

    @Test
    void shouldWriteTheSetsOfNestedSummariesAsDistinctSays() throws Exception {
        try (RunningService service = start()) {
            visits(service);
            String rows = "Pages/by_hall.csv?order_by=hall";
            assertThat(pull(service, rows + "&distinct=estimate"))
                    .isEqualTo("page,hall,guests\n/a,7,2\n/a,8,1\n/b,9,1\n");
            assertThat(pull(service, rows + "&distinct=hll"))
                    .isEqualTo(
                            "page,hall,guests\n/a,7,%s\n/a,8,%s\n/b,9,%s\n",
                            hll(11, 5, 1, 2), hll(11, 5, 3), hll(11, 5, 2));
            assertThat(pull(service, rows + "&distinct=both"))
                    .isEqualTo(
                            "page,hall,guests,guests_hll\n/a,7,2,%s\n/a,8,1,%s\n/b,9,1,%s\n",
                            hll(11, 5, 1, 2), hll(11, 5, 3), hll(11, 5, 2));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "&distinct=estimate", "&distinct=hll", "&distinct=both"})
    void shouldWriteASetThatColumnsNameWhereItStandsAndNowhereElse(String distinct) throws Exception {
        try (RunningService service = start()) {
            visits(service);
            assertThat(pull(service, "Pages.csv?order_by=page&columns=readers_hll,page" + distinct))
                    .isEqualTo("readers_hll,page\n%s,/a\n%s,/b\n", hll(11, 5, 1, 2, 3), hll(11, 5, 2));
        }
    }

    @Test
    void shouldNotWriteASetTwiceThatColumnsNameApartFromItsEstimate() throws Exception {
        try (RunningService service = start()) {
            visits(service);
            assertThat(pull(service, "Pages.csv?order_by=page&columns=readers_hll,page,readers&distinct=both"))
                    .isEqualTo("readers_hll,page,readers\n%s,/a,3\n%s,/b,1\n", hll(11, 5, 1, 2, 3), hll(11, 5, 2));
        }
    }

    /** Texts that spreadsheets take for formulas and some that they do not, in the order of their ids. */
    private static final String[] TEXTS = {
        "{\"id\":1}",
        "{\"id\":2,\"text\":\"\"}",
        "{\"id\":3,\"text\":\"=1+1\"}",
        "{\"id\":4,\"text\":\"+1\"}",
        "{\"id\":5,\"text\":\"-1\"}",
        "{\"id\":6,\"text\":\"@a\"}",
        "{\"id\":7,\"text\":\"\\ta\"}",
        "{\"id\":8,\"text\":\"\\ra\"}",
        "{\"id\":9,\"text\":\"\\na\"}",
        "{\"id\":10,\"text\":\"a=1,\\\"b\\\"\"}",
        "{\"id\":11,\"text\":\"=a,\\\"b\\\"\"}",
        "{\"id\":12,\"text\":\"'=1\"}",
        "{\"id\":13,\"text\":\"007\"}",
        "{\"id\":14,\"text\":\"a\\u0000b\"}",
    };

    /** {@code last} treats values as {@code text} treats keys. */
    private static String texts(String lineEnd, String... texts) {
        StringBuilder csv = new StringBuilder("id,text,last").append(lineEnd);
        for (int i = 0; i < texts.length; i++) {
            csv.append(i + 1)
                    .append(',')
                    .append(texts[i])
                    .append(',')
                    .append(texts[i])
                    .append(lineEnd);
        }
        return csv.toString();
    }

    @Test
    void shouldWriteTextsAsTheProfileHasThem() throws Exception {
        try (RunningService service = start()) {
            send(service, "note", TEXTS);
            String rows = "Notes.csv?columns=id,text,last&order_by=id";
            String plain = texts(
                    "\n",
                    "",
                    "\"\"",
                    "=1+1",
                    "+1",
                    "-1",
                    "@a",
                    "\ta",
                    "\"\ra\"",
                    "\"\na\"",
                    "\"a=1,\"\"b\"\"\"",
                    "\"=a,\"\"b\"\"\"",
                    "'=1",
                    "007",
                    "a\0b");
            assertThat(pull(service, rows)).isEqualTo(plain);
            assertThat(pull(service, rows + "&profile=rfc4180")).isEqualTo(plain);
            assertThat(pull(service, rows + "&profile=pg")).isEqualTo(plain.replace("a\0b", "\"a\uFFFDb\""));
            assertThat(pull(service, rows + "&profile=excel"))
                    .isEqualTo(MARK
                            + texts(
                                    "\r\n",
                                    "",
                                    "\"\"",
                                    "'=1+1",
                                    "'+1",
                                    "'-1",
                                    "'@a",
                                    "'\ta",
                                    "\"'\ra\"",
                                    "\"'\na\"",
                                    "\"a=1,\"\"b\"\"\"",
                                    "\"'=a,\"\"b\"\"\"",
                                    "'=1",
                                    "007",
                                    "a\0b"));
        }
    }

    @Test
    void shouldTellNullFromTheEmptyTextAloneInItsLineWhereTheProfileCan() throws Exception {
        try (RunningService service = start()) {
            send(service, "note", TEXTS[0], TEXTS[1]);
            String rows = "Notes.csv?columns=text&order_by=id";
            assertThat(pull(service, rows)).isEqualTo("text\n\"\"\n\"\"\n");
            assertThat(pull(service, rows + "&profile=excel")).isEqualTo(MARK + "text\r\n\"\"\r\n\"\"\r\n");
            assertThat(pull(service, rows + "&profile=pg")).isEqualTo("text\n\n\"\"\n");
        }
    }

    @Test
    void shouldKeepAllDigitsFromSpreadsheets() throws Exception {
        try (RunningService service = start()) {
            send(
                    service,
                    "note",
                    "{\"id\":1,\"number\":\"999999999999999\"}",
                    "{\"id\":2,\"number\":\"1000000000000000\"}",
                    "{\"id\":3,\"number\":\"-999999999999999\"}",
                    "{\"id\":4,\"number\":\"-1000000000000000\"}",
                    "{\"id\":12345678901234567}");
            String rows = "Notes.csv?columns=id,total&order_by=id";
            String plain = """
                    id,total
                    1,999999999999999
                    2,1000000000000000
                    3,-999999999999999
                    4,-1000000000000000
                    12345678901234567,0
                    """;
            assertThat(pull(service, rows)).isEqualTo(plain);
            assertThat(pull(service, rows + "&profile=pg")).isEqualTo(plain);
            assertThat(pull(service, rows + "&profile=excel")).isEqualTo((MARK + """
                            id,total
                            1,999999999999999
                            2,"=""1000000000000000\"""
                            3,-999999999999999
                            4,"=""-1000000000000000\"""
                            "=""12345678901234567\""",0
                            """).replace("\n", "\r\n"));
        }
    }

    @Test
    void shouldWriteYearsThatPostgresReads() throws Exception {
        try (RunningService service = start()) {
            send(
                    service,
                    "note",
                    "{\"id\":1,\"ms\":" + ms("2026-11-20T01:02:03.004Z") + "}",
                    "{\"id\":2,\"ms\":" + ms("-0043-03-15T00:00:00Z") + "}",
                    "{\"id\":3,\"ms\":" + ms("+12026-11-20T00:00:00Z") + "}",
                    "{\"id\":4}");
            String rows = "Notes.csv?columns=id,at&order_by=id";
            String plain = """
                    id,at
                    1,2026-11-20T01:02:03.004000Z
                    2,-0043-03-15T00:00:00.000000Z
                    3,+12026-11-20T00:00:00.000000Z
                    4,
                    """;
            assertThat(pull(service, rows)).isEqualTo(plain);
            assertThat(pull(service, rows + "&profile=excel")).isEqualTo(MARK + plain.replace("\n", "\r\n"));
            assertThat(pull(service, rows + "&profile=pg")).isEqualTo("""
                    id,at
                    1,2026-11-20T01:02:03.004000Z
                    2,0044-03-15 00:00:00.000000Z BC
                    3,12026-11-20 00:00:00.000000Z
                    4,
                    """);
        }
    }

    /** The texts as JSON strings; those of events may be written in other ways. */
    @Test
    void shouldWriteAnObjectForEachRow() throws Exception {
        try (RunningService service = start()) {
            send(service, "note", TEXTS);
            send(
                    service,
                    "note",
                    "{\"id\":15,\"text\":\"\\u2028\\ud83d\\ude00\\u007f\\\\\",\"number\":\"9223372036854775807\"}",
                    "{\"id\":15,\"text\":\"\\u2028\\ud83d\\ude00\\u007f\\\\\",\"number\":\"9223372036854775807\",\"ms\":1}");
            assertThat(pull(service, "Notes.csv?order_by=id&limit=3&format=ndjson"))
                    .isEqualTo("""
                            {"id":1,"text":null,"last":null,"total":0,"at":null}
                            {"id":2,"text":"","last":"","total":0,"at":null}
                            {"id":3,"text":"=1+1","last":"=1+1","total":0,"at":null}
                            """);
            assertThat(pull(service, "Notes.csv?order_by=id&where=id%3E9&limit=5&columns=last&format=ndjson"))
                    .isEqualTo("""
                            {"last":"a=1,\\"b\\""}
                            {"last":"=a,\\"b\\""}
                            {"last":"'=1"}
                            {"last":"007"}
                            {"last":"a\\u0000b"}
                            """);
            assertThat(pull(service, "Notes.csv?columns=last,total,at&where=id==15&format=ndjson"))
                    .isEqualTo(
                            "{\"last\":\"\u2028\ud83d\ude00\u007f\\\\\",\"total\":18446744073709551614,\"at\":\"1970-01-01T00:00:00.001000Z\"}\n");
        }
    }

    @Test
    void shouldWriteEstimatesAsNumbersAndSetsAsStrings() throws Exception {
        try (RunningService service = start()) {
            visits(service);
            assertThat(pull(service, "Pages/by_hall.csv?order_by=hall&distinct=both&format=ndjson&limit=1"))
                    .isEqualTo("{\"page\":\"/a\",\"hall\":7,\"guests\":2,\"guests_hll\":\"\\%s\"}\n", hll(11, 5, 1, 2));
        }
    }

    private static long ms(String instant) {
        return Instant.parse(instant).toEpochMilli();
    }

    @Test
    void shouldRefuseAWordThatDistinctDoesNotHave() throws Exception {
        try (RunningService service = start()) {
            HttpResponse<String> answer = service.get("/summaries/Pages.csv?distinct=all");
            assertThat(answer.statusCode()).isEqualTo(400);
            assertThat(answer.body()).contains("distinct=all: there are estimate, hll, both");
        }
    }
}
