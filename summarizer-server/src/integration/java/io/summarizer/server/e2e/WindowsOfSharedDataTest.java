package io.summarizer.server.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.summarizer.server.oracle.CsvComparison;
import io.summarizer.server.oracle.DuckDbOracle;
import io.summarizer.server.oracle.OracleTable;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Windows over recorded data whose events are out of order by less than {@code close after}: no event is late, and
 * files and memory together have the windows that DuckDB makes by {@code time_bucket}.
 */
class WindowsOfSharedDataTest {
    private static final int PIECES = 15;
    private static final DateTimeFormatter OFFSET = DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSSxx");

    @TempDir
    Path folder;

    /** The members of the lines of a data set that have their time, their kind and a number. */
    private record Form(
            String time, String kind, String number, String width, String interval, long closeAfterMicros) {}

    private record Line(String text, long at) {}

    @Test
    void eventsOfGitHub() throws Exception {
        Form form = new Form("created_at", "type", "actor.id", "5m", "5 minutes", 600_000_000);
        compare(lines(SharedData.file("gharchive-2015-hour00/2015-01-01-0.json.gz"), form, 0), form);
    }

    @Test
    void editsOfWikipedia() throws Exception {
        Form form = new Form("time", "channel", "added", "15m", "15 minutes", 1_200_000_000);
        compare(lines(SharedData.file("wikiticker/wikiticker-2015-09-12-sampled.json.gz"), form, 45), form);
    }

    @Test
    void recordsOfSuricata() throws Exception {
        Form form = new Form("timestamp", "event_type", "fileinfo.size", "1m", "1 minute", 120_000_000);
        compare(lines(SharedData.file("suricata-fileinfo/eve.json"), form, 0), form);
    }

    /** One of the first lines is dated weeks later than the others, so it closes their windows. */
    @Test
    void aClockThatIsWeeksAheadMakesTheOthersLate() throws Exception {
        Form form = new Form("time", "channel", "added", "15m", "15 minutes", 1_200_000_000);
        List<Line> all = lines(SharedData.file("wikiticker/wikiticker-2015-09-12-sampled.json.gz"), form, 0);
        long newest = all.subList(0, 45).stream().mapToLong(Line::at).max().orElseThrow();
        try (RunningService service = RunningService.start(definitions(form), folder.resolve("data"))) {
            service.send(counted(all.subList(0, 45)));
            service.awaitReceived(45);
            awaitClosed(service, newest - newest % 900_000_000 - 1_800_000_000);
            service.send(counted(all.subList(45, all.size())));
            service.awaitReceived(all.size());
            assertThat(service.get("/ledger").body().replaceAll("\\s", ""))
                    .contains("\"late\":" + (all.size() - 45) + ",");
        }
    }

    /** Waits until windows that begin at {@code before} or earlier are closed. */
    private static void awaitClosed(RunningService service, long before) throws Exception {
        String last = Instant.EPOCH.plus(before, ChronoUnit.MICROS).toString();
        long end = System.nanoTime() + 30_000_000_000L;
        while (service.get("/summaries/Windows.csv?closed=no&until=" + last)
                        .body()
                        .lines()
                        .count()
                > 1) {
            assertThat(System.nanoTime())
                    .as("windows before " + last + " are not closed")
                    .isLessThan(end);
            Thread.sleep(50);
        }
    }

    private void compare(List<Line> lines, Form form) throws Exception {
        long seed = Long.getLong("summarizer.seed", System.nanoTime());
        Random random = new Random(seed);
        List<Line> shuffled = lines.stream()
                .map(line -> new Line(line.text, line.at + random.nextLong(form.closeAfterMicros)))
                .sorted(Comparator.comparingLong(Line::at))
                .toList();
        Path raw = Files.write(
                folder.resolve("lines.json"), lines.stream().map(Line::text).toList());
        try (DuckDbOracle oracle = new DuckDbOracle();
                RunningService service =
                        RunningService.start(definitions(form), folder.resolve("data"), "pipeline.parse.workers=1")) {
            load(oracle, raw, form);
            for (int piece = 0; piece < PIECES; piece++) {
                int to = (piece + 1) * shuffled.size() / PIECES;
                service.send(counted(shuffled.subList(piece * shuffled.size() / PIECES, to)));
                service.awaitReceived(to);
                Thread.sleep(300); // so that windows close between the pieces
            }
            assertThat(service.rejected()).as("seed %s", seed).isEmpty();
            assertThat(service.get("/ledger").body()).as("seed %s", seed).doesNotContainPattern("\"late\" : [1-9]");
            assertThat(files()).as("files of closed windows, seed %s", seed).isGreaterThan(3);
            pull(service, oracle, "Windows", "", "");
            long micros = oracle.number("SELECT epoch_us(quantile_disc(w, 0.5)) FROM windows");
            Instant middle = Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
            pull(service, oracle, "from", "?from=" + middle, "WHERE epoch_us(w) >= " + micros);
            pull(service, oracle, "until", "?until=" + middle, "WHERE epoch_us(w) < " + micros);
        }
    }

    private long files() throws IOException {
        try (Stream<Path> files = Files.list(folder.resolve("data/windows/Windows"))) {
            return files.filter(file -> file.toString().endsWith(".state")).count();
        }
    }

    private void pull(RunningService service, DuckDbOracle oracle, String name, String query, String where)
            throws Exception {
        Path csv = Files.writeString(
                folder.resolve(name + ".csv"),
                service.get("/summaries/Windows.csv" + query).body());
        OracleTable expected = new OracleTable(
                name, """
                SELECT strftime(w, '%%Y-%%m-%%dT%%H:%%M:%%S.%%fZ') AS start, kind, count(*) AS events, sum(number) AS total
                FROM windows %s GROUP BY 1, 2""".formatted(where), List.of("start", "kind"), List.of("events", "total"), List.of());
        CsvComparison.compare(oracle, expected, csv).assertAgrees();
    }

    private static void load(DuckDbOracle oracle, Path raw, Form form) throws Exception {
        oracle.execute("""
                CREATE TABLE windows AS
                SELECT time_bucket(INTERVAL '%s', (json->>'$.%s')::TIMESTAMPTZ AT TIME ZONE 'UTC') AS w,
                       json->>'$.%s' AS kind, coalesce((json->>'$.%s')::BIGINT, 0) AS number
                FROM read_ndjson_objects('%s', maximum_object_size = 100000000)""".formatted(form.interval, form.time, form.kind, form.number, raw));
    }

    /** Definitions with a window of the form's width. */
    private Path definitions(Form form) throws IOException {
        Path definitions = Files.createDirectories(folder.resolve("definitions"));
        String[] number = form.number.split("\\.");
        boolean nested = number.length > 1;
        Files.writeString(definitions.resolve("line.proto"), """
                syntax = "proto3";
                import "google/protobuf/timestamp.proto";
                message Inner { int64 %s = 1; }
                message Line { google.protobuf.Timestamp %s = 1; string %s = 2; %s = 3; }
                """.formatted(
                        number[number.length - 1], form.time, form.kind, (nested ? "Inner " : "int64 ") + number[0]));
        Files.writeString(definitions.resolve("line.summ"), """
                import "line.proto";
                event Line on "line" as json;
                summary Windows {
                    window start every %s close after %ds;
                    key { timestamp start = 1; string kind = 2; }
                    value { count events = 1; sumint64 total = 2; }
                }
                map Line into Windows {
                    key { start = %s; kind = `%s`; }
                    events += 1;
                    total += %s;
                }
                """.formatted(
                        form.width, form.closeAfterMicros / 1_000_000, form.time, form.kind, form.number));
        return definitions;
    }

    private static List<Line> lines(Path file, Form form, int skipped) throws IOException {
        ObjectMapper json = new ObjectMapper();
        List<Line> lines = new ArrayList<>();
        try (InputStream bytes = Files.newInputStream(file);
                InputStream plain = file.toString().endsWith(".gz") ? new GZIPInputStream(bytes) : bytes;
                BufferedReader reader = new BufferedReader(new InputStreamReader(plain, UTF_8))) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                String text = json.readTree(line).get(form.time).asText();
                Instant at = text.endsWith("Z")
                        ? Instant.parse(text)
                        : OffsetDateTime.parse(text, OFFSET).toInstant();
                lines.add(new Line(line, ChronoUnit.MICROS.between(Instant.EPOCH, at)));
            }
        }
        return lines.subList(skipped, lines.size());
    }

    private static byte[] counted(List<Line> lines) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (Line line : lines) {
            byte[] message = ("<134>1 2026-11-20T00:00:00Z host line - - - " + line.text).getBytes(UTF_8);
            out.write((message.length + " ").getBytes(UTF_8));
            out.write(message);
        }
        return out.toByteArray();
    }
}
