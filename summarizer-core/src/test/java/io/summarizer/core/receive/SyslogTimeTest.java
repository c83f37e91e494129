package io.summarizer.core.receive;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.core.Seeds;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SyslogTimeTest {
    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");
    private static final String ARRIVAL = "2026-11-20T00:00:00Z";

    private static long micros(String instant) {
        Instant at = Instant.parse(instant);
        return at.getEpochSecond() * 1_000_000 + at.getNano() / 1_000;
    }

    private static long read(String text, ZoneId zone, String arrival) {
        byte[] bytes = ("xx" + text).getBytes(US_ASCII);
        return SyslogTime.micros(bytes, 2, bytes.length - 2, zone, SyslogTime.NO_YEAR, micros(arrival));
    }

    @ParameterizedTest
    @CsvSource({
        "2026-11-20T00:00:00Z, 2026-11-20T00:00:00Z",
        "2026-11-20t01:02:03z, 2026-11-20T01:02:03Z",
        "2026-11-20 01:02:03.5+00:00, 2026-11-20T01:02:03.5Z",
        "2026-11-20T01:02:03.000001Z, 2026-11-20T01:02:03.000001Z",
        "2026-11-20T01:02:03.1234569Z, 2026-11-20T01:02:03.123456Z",
        "2026-11-20T01:02:03.15600000000000000000000000000000+01:00, 2026-11-20T00:02:03.156Z",
        "2026-11-20T01:02:03-07:30, 2026-11-20T08:32:03Z",
        "2026-11-20T01:02:03+0530, 2026-11-19T19:32:03Z",
        "2026-11-20T01:02:03+05, 2026-11-19T20:02:03Z",
        "2016-12-31T23:59:60Z, 2017-01-01T00:00:00Z",
        "1969-12-31T23:59:59.999999Z, 1969-12-31T23:59:59.999999Z",
        "0000-03-01T00:00:00Z, 0000-03-01T00:00:00Z",
        "2024-02-29T00:00:00Z, 2024-02-29T00:00:00Z",
        "2000-02-29T00:00:00Z, 2000-02-29T00:00:00Z",
        "9999-12-31T23:59:59Z, 9999-12-31T23:59:59Z",
    })
    void readsRfc3339(String text, String expected) {
        assertThat(read(text, BERLIN, ARRIVAL)).isEqualTo(micros(expected));
    }

    @ParameterizedTest
    @CsvSource({
        "2026-11-20T01:00:00, 2026-11-20T00:00:00Z",
        "2026-07-01T01:00:00.25, 2026-06-30T23:00:00.25Z",
        "Nov 20 01:00:00, 2026-11-20T00:00:00Z",
        "Jul  1 01:00:00, 2026-06-30T23:00:00Z",
    })
    void takesTheListenersZoneWhereTheTextHasNone(String text, String expected) {
        assertThat(read(text, BERLIN, ARRIVAL)).isEqualTo(micros(expected));
    }

    @ParameterizedTest
    @CsvSource({
        "Nov 20 00:00:00, 2026-11-20T00:00:00Z, 2026-11-20T00:00:00Z",
        "NOV 2 01:02:03, 2026-11-20T00:00:00Z, 2026-11-02T01:02:03Z",
        "nov  2 01:02:03.25, 2026-11-20T00:00:00Z, 2026-11-02T01:02:03.25Z",
        "Nov 20 2009 01:02:03, 2026-11-20T00:00:00Z, 2009-11-20T01:02:03Z",
        "Nov 20 01:02:03 2009, 2026-11-20T00:00:00Z, 2009-11-20T01:02:03Z",
        "Dec 31 23:59:59, 2027-01-01T00:00:10Z, 2026-12-31T23:59:59Z",
        "Jan  1 00:00:00, 2026-12-31T23:59:00Z, 2027-01-01T00:00:00Z",
        "Apr  5 12:00:00, 2026-11-22T00:00:00Z, 2026-04-05T12:00:00Z",
        "Nov 27 00:00:00, 2026-11-20T00:00:00Z, 2026-11-27T00:00:00Z",
        "Nov 27 00:00:00.000001, 2026-11-20T00:00:00Z, 2025-11-27T00:00:00.000001Z",
        "Jan  3 10:00:00, 2026-12-27T10:00:00Z, 2027-01-03T10:00:00Z",
        "Jan  3 10:00:01, 2026-12-27T10:00:00Z, 2026-01-03T10:00:01Z",
        "Dec 30 00:00:00, 2027-01-02T00:00:00Z, 2026-12-30T00:00:00Z",
        "Jan  9 00:00:00, 2027-01-02T00:00:00Z, 2027-01-09T00:00:00Z",
        "Jan  9 00:00:01, 2027-01-02T00:00:00Z, 2026-01-09T00:00:01Z",
        "Feb 29 12:00:00, 2026-11-20T00:00:00Z, 2024-02-29T12:00:00Z",
        "Feb 29 12:00:00, 2028-02-22T12:00:00Z, 2028-02-29T12:00:00Z",
        "Feb 29 12:00:00, 2028-02-22T11:59:59Z, 2024-02-29T12:00:00Z",
        "Feb 29 12:00:00, 2100-01-01T00:00:00Z, 2096-02-29T12:00:00Z",
        "Feb 29 12:00:00, 2104-01-01T00:00:00Z, 2096-02-29T12:00:00Z",
    })
    void readsBsdDatesInTheLatestYearThatPutsThemAWeekAheadAtMost(String text, String arrival, String expected) {
        assertThat(read(text, ZoneOffset.UTC, arrival)).isEqualTo(micros(expected));
    }

    @Test
    void findsTheLatestYearForAnyDateAndArrival() {
        long seed = Seeds.first();
        SplittableRandom random = new SplittableRandom(seed);
        DateTimeFormatter format = DateTimeFormatter.ofPattern("MMM d HH:mm:ss", Locale.ENGLISH);
        for (int round = 0; round < 20_000; round++) {
            Instant arrival = Instant.ofEpochSecond(random.nextLong(0, 4_200_000_000L));
            ZonedDateTime time = arrival.atZone(BERLIN)
                    .plusSeconds(random.nextLong(-370L * 86_400, 370L * 86_400))
                    .truncatedTo(ChronoUnit.HOURS);
            if (round % 50 == 0) {
                time = ZonedDateTime.of(2024, 2, 29, 12, 0, 0, 0, BERLIN);
            }
            String text = format.format(time);
            ZonedDateTime expected = null;
            for (int year = arrival.atZone(BERLIN).getYear() + 1; expected == null; year--) {
                boolean exists = YearMonth.of(year, time.getMonth()).isValidDay(time.getDayOfMonth());
                ZonedDateTime candidate =
                        exists ? time.toLocalDateTime().withYear(year).atZone(BERLIN) : null;
                if (candidate != null && !candidate.toInstant().isAfter(arrival.plus(Duration.ofDays(7)))) {
                    expected = candidate;
                }
            }
            assertThat(read(text, BERLIN, arrival.toString()))
                    .as("seed %d: %s at %s", seed, text, arrival)
                    .isEqualTo(micros(expected.toInstant().toString()));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "Apr  5 12:00:00, 2015, 2015-04-05T12:00:00Z",
        "Dec 31 23:59:59, 2030, 2030-12-31T23:59:59Z",
        "Feb 29 12:00:00, 2024, 2024-02-29T12:00:00Z",
        "Feb 29 12:00:00, 2015,",
        "Nov 20 2009 01:02:03, 2015, 2009-11-20T01:02:03Z",
        "2026-11-20T01:02:03Z, 2015, 2026-11-20T01:02:03Z",
    })
    void takesAGivenYearForTimesWithoutOne(String text, int year, @Nullable String expected) {
        byte[] bytes = text.getBytes(US_ASCII);
        assertThat(SyslogTime.micros(bytes, 0, bytes.length, ZoneOffset.UTC, year, micros(ARRIVAL)))
                .isEqualTo(expected == null ? SyslogTime.NOT_A_TIME : micros(expected));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "-",
                "2026-11-20",
                "2026-13-20T00:00:00Z",
                "2026-00-20T00:00:00Z",
                "2026-02-29T00:00:00Z",
                "2100-02-29T00:00:00Z",
                "2026-04-31T00:00:00Z",
                "2026-11-00T00:00:00Z",
                "2026-11-20T24:00:00Z",
                "2026-11-20T00:60:00Z",
                "2026-11-20T00:00:61Z",
                "2026-11-20T00:00:00.Z",
                "2026-11-20T00:00:00+24:00",
                "2026-11-20T00:00:00+1:00",
                "2026-11-20T00:00:00Zx",
                "2026-11-20X00:00:00Z",
                "2026/11/20T00:00:00Z",
                "2026-11-20T00:00:0\u00e9Z",
                "Nov 31 00:00:00",
                "Feb 30 00:00:00",
                "Nov 0 00:00:00",
                "Nox 20 00:00:00",
                "Nov 20 00:00",
                "Nov 20 25:00:00",
                "Nov 20 00:00:00 ",
                "Nov 20 00:00:00 x",
            })
    void saysWhatIsNoTime(String text) {
        assertThat(read(text, ZoneOffset.UTC, ARRIVAL)).isEqualTo(SyslogTime.NOT_A_TIME);
    }

    @ParameterizedTest
    @CsvSource({
        "2026-11-20T00:00:00Z, true",
        "2026-11-20T00:00:00.1Z, true",
        "2026-11-20T00:00:00.123456+01:00, true",
        "2026-11-20T00:00:00.1234567Z, true",
        "2026-11-20T00:00:00.123456789+01:00, true",
        "2026-11-20T00:00:00.00000000000000000000000000000001-23:59, true",
        "2026-11-20T00:00:00.123456789, false",
        "2026-11-20t00:00:00Z, false",
        "2026-11-20T00:00:00z, false",
        "2026-11-20T00:00:60Z, false",
        "2026-11-20T00:00:00, false",
        "2026-11-20T00:00:00+0100, false",
        "2026-02-29T00:00:00Z, false",
        "2026-11-20T00:00:00., false",
        "2026-11-20T00:00:00.5, false",
        "2026-11-20T00:00:00.123456, false",
        "2026-11-20T00:00:00.-23456Z, false",
    })
    void holdsRfc5424ToItsLetterButForTheDigitsOfAFraction(String text, boolean valid) {
        byte[] bytes = (text + " ").getBytes(US_ASCII);
        int end = SyslogTime.rfc5424End(bytes, 0, text.length());
        assertThat(end).isEqualTo(valid ? text.length() : -1);
    }

    @Test
    void agreesWithJavaTimeOnRandomTimes() {
        long seed = System.nanoTime();
        SplittableRandom random = new SplittableRandom(seed);
        for (int round = 0; round < 20_000; round++) {
            OffsetDateTime time = Instant.ofEpochSecond(
                            random.nextLong(-62_100_000_000L, 253_300_000_000L), random.nextInt(1_000_000) * 1_000L)
                    .atOffset(ZoneOffset.ofTotalSeconds(60 * random.nextInt(-1_000, 1_000)));
            String text = time.withSecond(1 + random.nextInt(59)).toString();
            byte[] bytes = text.getBytes(US_ASCII);
            Instant expected = OffsetDateTime.parse(text).toInstant();
            assertThat(SyslogTime.micros(bytes, 0, bytes.length, BERLIN, SyslogTime.NO_YEAR, 0))
                    .as("seed %d: %s", seed, text)
                    .isEqualTo(micros(expected.toString()));
            assertThat(SyslogTime.rfc5424End(bytes, 0, bytes.length)).as(text).isEqualTo(bytes.length);
        }
    }
}
