package io.summarizer.server.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.core.time.CalendarUnit;
import io.summarizer.core.time.Windows;
import java.io.IOException;
import java.time.Instant;
import java.time.ZoneId;
import java.time.zone.ZoneOffsetTransition;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Windows in time zones against {@code date_trunc(unit, time, zone)} of PostgreSQL. */
class WindowsPostgresTest {
    private static final Instant YEAR = Instant.parse("2025-01-01T00:00:00Z");
    private static final long QUARTER_HOUR = 15 * 60;
    private static final long DAY = 86_400;

    private static PostgresCluster postgres;

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
