package io.summarizer.core.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TimestampTextTest {
    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

    private static long parse(String text, ZoneId zone) {
        byte[] bytes = ("9" + text + "9").getBytes(StandardCharsets.UTF_8);
        return TimestampText.parse(bytes, 1, bytes.length - 1, zone);
    }

    private static long micros(Instant instant) {
        return instant.getEpochSecond() * 1_000_000 + instant.getNano() / 1000;
    }

    @ParameterizedTest
    @CsvSource({
        "2019-11-24 00:01:03.979311+00:00, 2019-11-24T00:01:03.979311Z",
        "2026-11-20T00:00:00Z, 2026-11-20T00:00:00Z",
        "2026-11-20T00:00:00.000000Z, 2026-11-20T00:00:00Z",
        "2026-11-20t01:02:03z, 2026-11-20T01:02:03Z",
        "2026-11-20T01:02, 2026-11-20T01:02:00Z",
        "2026-11-20, 2026-11-20T00:00:00Z",
        "2026-11-20 01:02:03 UTC, 2026-11-20T01:02:03Z",
        "2026-11-20 01:02:03 +01:30, 2026-11-19T23:32:03Z",
        "2026-11-20T01:02:03-0800, 2026-11-20T09:02:03Z",
        "2026-11-20T01:02:03+05, 2026-11-19T20:02:03Z",
        "20261120T010203Z, 2026-11-20T01:02:03Z",
        "20261120T010203.5+0100, 2026-11-20T00:02:03.5Z",
        "'2026-11-20T01:02:03,25Z', 2026-11-20T01:02:03.25Z",
        "2026-11-20T01:02:03.123456789Z, 2026-11-20T01:02:03.123456Z",
        "1969-12-31T23:59:59.999999Z, 1969-12-31T23:59:59.999999Z",
        "+12026-11-20T01:02:03Z, +12026-11-20T01:02:03Z",
        "-0044-03-15T00:00:00Z, -0044-03-15T00:00:00Z",
        "2024-02-29T00:00:00Z, 2024-02-29T00:00:00Z",
    })
    void readsIso8601(String text, String expected) {
        assertThat(parse(text, ZoneOffset.UTC)).isEqualTo(micros(Instant.parse(expected)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "2026",
                "2026-11",
                "2026-13-01",
                "2026-00-01",
                "2026-02-29",
                "2026-11-31",
                "2026-11-20T",
                "2026-11-20T1",
                "2026-11-20T24:00:00Z",
                "2026-11-20T23:60:00Z",
                "2026-11-20T23:59:60Z",
                "2026-11-20T00:00:00.Z",
                "2026-11-20T00:00:00+1",
                "2026-11-20T00:00:00+19:00",
                "2026-11-20T00:00:00X",
                "2026-11-20Z",
                "2026-11-20T00:00:00Z ",
                "2026/11/20",
                "12026-11-20",
                "2026-1-20",
                "2026-11-20T00:00:0",
                "Nov 20 2026",
                "2026-11-20T0000",
                "+294247-01-10T04:00:54.775808Z",
                "+300000-01-01T00:00:00Z",
                "-290308-12-21T19:59:05.224191Z",
                "-999999-01-01T00:00:00Z",
                "-"
            })
    void refusesWhatIsNoTimestamp(String text) {
        assertThat(parse(text, ZoneOffset.UTC)).as(text).isEqualTo(TimestampText.INVALID);
    }

    @Test
    void takesTheGivenZoneWhenTheTextHasNone() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        DateTimeFormatter format = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.SSSSSS");
        for (int i = 0; i < 20_000; i++) {
            LocalDateTime local =
                    LocalDateTime.ofEpochSecond(random.nextInt(), random.nextInt(1_000_000) * 1000, ZoneOffset.UTC);
            assertThat(parse(format.format(local), BERLIN))
                    .as("%s, seed %d", local, seed)
                    .isEqualTo(micros(local.atZone(BERLIN).toInstant()));
        }
    }

    @Test
    void readsRandomTimesWithOffsets() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int i = 0; i < 20_000; i++) {
            long micros = randomMicros(random);
            OffsetDateTime time = Instant.EPOCH
                    .plus(micros, ChronoUnit.MICROS)
                    .atOffset(ZoneOffset.ofTotalSeconds(60 * (random.nextInt(2 * 18 * 60) - 18 * 60)));
            String text = DateTimeFormatter.ISO_OFFSET_DATE_TIME.format(time);
            assertThat(parse(text, BERLIN)).as("%s, seed %d", text, seed).isEqualTo(micros);
        }
    }

    @Test
    void printsWithSixPlacesAndReadsBackWhatItPrints() {
        assertThat(TimestampText.toString(micros(Instant.parse("2026-11-20T00:00:00Z"))))
                .isEqualTo("2026-11-20T00:00:00.000000Z");
        long seed = System.nanoTime();
        Random random = new Random(seed);
        DateTimeFormatter format = DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'");
        for (int i = 0; i < 20_000; i++) {
            long micros = randomMicros(random);
            LocalDateTime time =
                    LocalDateTime.ofEpochSecond(0, 0, ZoneOffset.UTC).plus(micros, ChronoUnit.MICROS);
            String text = TimestampText.toString(micros);
            if (time.getYear() >= 0 && time.getYear() <= 9999) {
                assertThat(text).as("%d, seed %d", micros, seed).isEqualTo(format.format(time));
            }
            assertThat(Instant.parse(text)).as("%d, seed %d", micros, seed).isEqualTo(time.toInstant(ZoneOffset.UTC));
            assertThat(parse(text, BERLIN)).as("%d, seed %d", micros, seed).isEqualTo(micros);
        }
    }

    @Test
    void printsAndReadsTheWholeRange() {
        assertThat(TimestampText.toString(Long.MAX_VALUE)).isEqualTo("+294247-01-10T04:00:54.775807Z");
        assertThat(TimestampText.toString(Long.MIN_VALUE)).isEqualTo("-290308-12-21T19:59:05.224192Z");
        for (long micros : new long[] {Long.MAX_VALUE, Long.MAX_VALUE - 54_775_807, Long.MIN_VALUE + 1}) {
            assertThat(parse(TimestampText.toString(micros), ZoneOffset.UTC)).isEqualTo(micros);
        }
    }

    private static long randomMicros(Random random) {
        return random.nextInt(4) == 0
                ? random.nextLong() / 32 // tens of thousands of years
                : random.nextInt() * 1_000_000L + random.nextInt(1_000_000);
    }
}
