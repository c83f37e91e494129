package io.summarizer.server.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.core.time.CalendarUnit;
import io.summarizer.core.time.Windows;
import io.summarizer.server.cli.Commands;
import io.summarizer.server.cli.Commands.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.time.zone.ZoneOffsetTransition;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Windows in zones, of the function and of definitions, against {@code date_trunc(unit, time, zone)} of PostgreSQL. */
class WindowsPostgresTest {
    private static final Instant YEAR = Instant.parse("2025-01-01T00:00:00Z");
    private static final long QUARTER_HOUR = 15 * 60;
    private static final long DAY = 86_400;

    private static PostgresCluster postgres;

    @TempDir
    private Path folder;

    @BeforeAll
    static void start() throws IOException, InterruptedException {
        postgres = PostgresCluster.start();
    }

    @AfterAll
    static void stop() throws IOException {
        if (postgres != null) {
            postgres.close();
        }
    }

    /** The results of {@code date_trunc}, in seconds. */
    private static List<Long> truncated(String unit, ZoneId zone, List<Long> seconds)
            throws IOException, InterruptedException {
        return postgres
                .query(
                        "SELECT extract(epoch FROM date_trunc('%s', to_timestamp(s), '%s'))::bigint FROM (VALUES %s) t(s)"
                                .formatted(
                                        unit,
                                        zone,
                                        seconds.stream()
                                                .map(second -> "(" + second + ")")
                                                .collect(Collectors.joining(","))))
                .stream()
                .map(Long::valueOf)
                .toList();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Europe/Berlin",
                "America/St_Johns",
                "Australia/Lord_Howe",
                "Asia/Beirut", // goes forward at midnight
                "Asia/Kolkata"
            })
    void windowsOfAYearStartWherePostgresTruncates(ZoneId zone) throws IOException, InterruptedException {
        ZoneOffsetTransition forward = zone.getRules().nextTransition(YEAR);
        long[] changes = forward == null
                ? new long[0]
                : new long[] {
                    forward.toEpochSecond(),
                    zone.getRules().nextTransition(forward.getInstant()).toEpochSecond()
                };
        List<Long> seconds = LongStream.concat(
                        LongStream.iterate(YEAR.getEpochSecond(), second -> second + DAY / 4 - 1)
                                .limit(4 * 400),
                        LongStream.of(changes)
                                .flatMap(change -> LongStream.iterate(change - 2 * DAY, second -> second + QUARTER_HOUR)
                                        .limit(4 * DAY / QUARTER_HOUR)))
                .boxed()
                .toList();
        assertAgree("day", new Windows(1, CalendarUnit.DAY, zone), zone, seconds);
        assertAgree("week", new Windows(1, CalendarUnit.WEEK, zone), zone, seconds);
        assertAgree("month", new Windows(1, CalendarUnit.MONTH, zone), zone, seconds);
        assertAgree("quarter", new Windows(3, CalendarUnit.MONTH, zone), zone, seconds);
        assertAgree("year", new Windows(1, CalendarUnit.YEAR, zone), zone, seconds);
        assertAgree("decade", new Windows(10, CalendarUnit.YEAR, zone), zone, seconds);
    }

    private static void assertAgree(String unit, Windows windows, ZoneId zone, List<Long> seconds)
            throws IOException, InterruptedException {
        List<Long> starts = seconds.stream()
                .map(second -> windows.start(second * 1_000_000) / 1_000_000)
                .toList();
        assertThat(starts).as(unit).isEqualTo(truncated(unit, zone, seconds));
    }

    /** The rows of {@code window}s, 40 days around both changes of a zone, with a quarter of an hour between events. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "Europe/Berlin",
                "America/St_Johns", // half an hour from UTC
                "Australia/Lord_Howe", // changes by half an hour, south of the equator
                "Asia/Beirut" // goes forward at midnight
            })
    void windowsOfDefinitionsAreThoseOfPostgres(ZoneId zone) throws IOException, InterruptedException {
        ZoneOffsetTransition first = zone.getRules().nextTransition(YEAR);
        ZoneOffsetTransition second = zone.getRules().nextTransition(first.getInstant());
        List<Long> seconds = LongStream.of(first.toEpochSecond(), second.toEpochSecond())
                .flatMap(change -> LongStream.iterate(change - 40 * DAY, at -> at + QUARTER_HOUR)
                        .limit(80 * DAY / QUARTER_HOUR))
                .boxed()
                .toList();
        Path definitions = Files.createDirectory(folder.resolve("definitions"));
        Files.writeString(definitions.resolve("t.proto"), """
                syntax = "proto3";
                import "google/protobuf/timestamp.proto";
                message Tick { google.protobuf.Timestamp time = 1; }
                """);
        StringBuilder text = new StringBuilder("import \"t.proto\"; event Tick on \"tick\" as csv;\n");
        Map<String, String> widths = Map.of("day", "1d", "week", "1w", "month", "1mo");
        widths.forEach((unit, width) -> text.append("""
                summary %1$s {
                    window start every %2$s zone "%3$s" close after 1h;
                    key { timestamp start = 1; }
                    value { count ticks = 1; }
                }
                map Tick into %1$s { key { start = time; } ticks += 1; }
                """.formatted(unit, width, zone)));
        Files.writeString(definitions.resolve("t.summ"), text);
        Path ticks = Files.write(
                folder.resolve("ticks.csv"),
                seconds.stream().map(at -> Instant.ofEpochSecond(at).toString()).toList());
        Outcome run = Commands.run(
                "run",
                "--definitions",
                definitions.toString(),
                "--topic",
                "tick",
                "--out",
                folder.resolve("out").toString(),
                ticks.toString());
        assertThat(run.exit()).as(run.err()).isZero();
        assertThat(run.err()).contains("rejected  0");
        for (String unit : widths.keySet()) {
            Map<Instant, Long> expected = truncated(unit, zone, seconds).stream()
                    .collect(Collectors.groupingBy(Instant::ofEpochSecond, TreeMap::new, Collectors.counting()));
            assertThat(Files.readAllLines(folder.resolve("out/" + unit + ".csv")).stream()
                            .skip(1)
                            .map(row -> row.split(","))
                            .collect(Collectors.toMap(row -> Instant.parse(row[0]), row -> Long.valueOf(row[1]))))
                    .as(unit)
                    .hasSizeGreaterThan(5)
                    .isEqualTo(expected);
        }
    }

    /**
     * PostgreSQL truncates the local time and then looks for its instant. Of two midnights it takes the second, so that
     * it truncates times between them to a later time. It takes a skipped midnight for the instant that would have been
     * midnight if the clocks had not changed. Windows begin at the first instant of the date instead, so that each time
     * lies in its window.
     */
    @ParameterizedTest
    @CsvSource({
        "America/Havana, 2025-11-02T04:30:00Z, 2025-11-02T04:00:00Z, 2025-11-02T05:00:00Z",
        "America/Havana, 2025-11-02T12:00:00Z, 2025-11-02T04:00:00Z, 2025-11-02T05:00:00Z",
        "America/Toronto, 1919-03-31T12:00:00Z, 1919-03-31T04:30:00Z, 1919-03-31T05:00:00Z"
    })
    void windowsBeginAtTheFirstInstantOfADateWithoutOneMidnight(
            ZoneId zone, Instant time, Instant start, Instant truncated) throws IOException, InterruptedException {
        long second = time.getEpochSecond();
        assertThat(new Windows(1, CalendarUnit.DAY, zone).start(second * 1_000_000))
                .isEqualTo(start.getEpochSecond() * 1_000_000);
        assertThat(truncated("day", zone, List.of(second))).containsExactly(truncated.getEpochSecond());
    }
}
