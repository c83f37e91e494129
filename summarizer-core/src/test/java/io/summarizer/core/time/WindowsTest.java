package io.summarizer.core.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.summarizer.core.Seeds;
import java.lang.management.ManagementFactory;
import java.math.BigInteger;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Windows against the dates of {@code java.time}. */
class WindowsTest {
    private static final long MINUTE = CalendarUnit.MINUTE.micros();
    private static final long DAY = CalendarUnit.DAY.micros();
    private static final List<CalendarUnit> OF_DAYS =
            List.of(CalendarUnit.DAY, CalendarUnit.WEEK, CalendarUnit.MONTH, CalendarUnit.YEAR);

    /**
     * The windows as a plain sentence: of all dates that begin a window, the last one whose first instant has come.
     *
     * @param zone for units below a day, a fixed offset
     */
    private record Model(long count, CalendarUnit unit, ZoneId zone) {
        long start(long at) {
            return micros(firstInstants(at)[0]);
        }

        long end(long at) {
            return micros(firstInstants(at)[1]);
        }

        private BigInteger[] firstInstants(long at) {
            if (!unit.isOfDays()) {
                BigInteger width = BigInteger.valueOf(count * unit.micros());
                BigInteger offset = BigInteger.valueOf(
                        zone.getRules().getOffset(Instant.EPOCH).getTotalSeconds() * 1_000_000L);
                BigInteger start = BigInteger.valueOf(at)
                        .subtract(BigInteger.valueOf(at).add(offset).mod(width));
                return new BigInteger[] {start, start.add(width)};
            }
            LocalDate date = Instant.EPOCH
                    .plus(at, ChronoUnit.MICROS)
                    .atZone(zone)
                    .toLocalDate()
                    .plusDays(3);
            BigInteger instant = BigInteger.valueOf(at);
            long window = window(date);
            while (firstInstant(window).compareTo(instant) > 0) {
                window--;
            }
            return new BigInteger[] {firstInstant(window), firstInstant(window + 1)};
        }

        private long window(LocalDate date) {
            return switch (unit) {
                case DAY -> Math.floorDiv(date.toEpochDay(), count);
                case WEEK -> Math.floorDiv(date.toEpochDay() - 4, 7 * count);
                case MONTH -> Math.floorDiv((date.getYear() - 1970) * 12L + date.getMonthValue() - 1, count);
                default -> Math.floorDiv(date.getYear() - 1970L, count);
            };
        }

        private BigInteger firstInstant(long window) {
            LocalDate date = switch (unit) {
                case DAY -> LocalDate.ofEpochDay(window * count);
                case WEEK -> LocalDate.ofEpochDay(4).plusWeeks(window * count);
                case MONTH -> LocalDate.EPOCH.plusMonths(window * count);
                default -> LocalDate.EPOCH.plusYears(window * count);
            };
            return BigInteger.valueOf(date.atStartOfDay(zone).toEpochSecond()).multiply(BigInteger.valueOf(1_000_000));
        }

        private static long micros(BigInteger exact) {
            return exact.bitLength() < Long.SIZE
                    ? exact.longValue()
                    : exact.signum() < 0 ? Long.MIN_VALUE : Long.MAX_VALUE;
        }
    }

    private static void agree(Windows windows, Model model, long at, String context) {
        long start = windows.start(at);
        long end = windows.end(at);
        if (start != model.start(at) || end != model.end(at)) {
            assertThat(List.of(start, end))
                    .as("%s at %d, %s", model, at, context)
                    .isEqualTo(List.of(model.start(at), model.end(at)));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Europe/Berlin",
                "America/New_York",
                "America/Sao_Paulo", // midnight did not exist until 2018
                "Asia/Beirut",
                "America/Havana", // has midnight twice
                "Atlantic/Azores",
                "America/St_Johns", // went back from 00:01 to 23:01 of the day before
                "Australia/Lord_Howe", // half an hour
                "Pacific/Apia", // had no 2011-12-30
                "Africa/Casablanca",
                "America/Toronto",
                "Asia/Kolkata",
                "Antarctica/Troll", // two hours
                "Europe/Dublin" // winter time is the exception
            })
    void daysAroundEachTransitionAreThoseOfJavaTime(ZoneId zone) {
        List<ZoneOffsetTransition> transitions = new ArrayList<>();
        ZoneRules rules = zone.getRules();
        for (ZoneOffsetTransition next = rules.nextTransition(Instant.parse("1960-01-01T00:00:00Z"));
                next != null && next.getDateTimeAfter().getYear() <= 2040;
                next = rules.nextTransition(next.getInstant())) {
            transitions.add(next);
        }
        for (CalendarUnit unit : OF_DAYS) {
            Model model = new Model(1, unit, zone);
            Windows windows = new Windows(1, unit, zone);
            long step = unit == CalendarUnit.DAY ? 15 * MINUTE : DAY / 4;
            for (ZoneOffsetTransition transition : transitions) {
                long instant = transition.toEpochSecond() * 1_000_000;
                for (long at = instant - 3 * DAY / 2; at <= instant + 3 * DAY / 2; at += step) {
                    agree(windows, model, at - 1, "before " + transition);
                    agree(windows, model, at, "near " + transition);
                }
            }
        }
        assertThat(transitions.isEmpty()).isEqualTo(zone.equals(ZoneId.of("Asia/Kolkata")));
    }

    @Test
    void windowsOfAnySizeInAnyZoneAreThoseOfJavaTime() {
        long seed = Seeds.first();
        Random random = new Random(seed);
        List<String> zones = ZoneId.getAvailableZoneIds().stream().sorted().toList();
        for (int round = 0; round < 2_000; round++) {
            CalendarUnit unit = CalendarUnit.values()[1 + random.nextInt(CalendarUnit.values().length - 1)];
            long count = 1L + random.nextInt(unit.isOfDays() ? 1 + random.nextInt(1_000) : 30);
            if (!unit.isOfDays() && !unit.dividesDay(count)) {
                continue;
            }
            ZoneId zone = unit.isOfDays() && random.nextInt(8) > 0
                    ? ZoneId.of(zones.get(random.nextInt(zones.size())))
                    : ZoneOffset.ofTotalSeconds(random.nextInt(2 * 64_800 + 1) - 64_800);
            Windows windows = new Windows(count, unit, zone);
            Model model = new Model(count, unit, zone);
            List<ZoneOffsetTransition> dated = zone.getRules().getTransitions();
            for (int i = 0; i < 50; i++) {
                long at = switch (random.nextInt(8)) {
                    case 0 -> random.nextLong();
                    case 1 -> Long.MAX_VALUE - (long) (random.nextDouble() * DAY * 800);
                    case 2 -> Long.MIN_VALUE + (long) (random.nextDouble() * DAY * 800);
                    case 3 -> model.start(random.nextLong());
                    case 4 -> (long) (random.nextGaussian() * DAY * 146_097); // centuries around the end of the table
                    case 5 -> (long) (random.nextGaussian() * DAY * 400);
                    default ->
                        dated.isEmpty()
                                ? random.nextInt()
                                : dated.get(random.nextInt(dated.size())).toEpochSecond() * 1_000_000
                                        + (long) (random.nextGaussian() * DAY);
                };
                agree(windows, model, at, Seeds.replay(seed));
                agree(windows, model, windows.end(at), Seeds.replay(seed)); // the next window
                agree(windows, model, windows.start(at) - 1, Seeds.replay(seed)); // the window before
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "1, DAY, Europe/Berlin, 2026-03-28T23:30:00Z, 2026-03-28T23:00:00Z, 2026-03-29T22:00:00Z", // 23 hours
        "1, DAY, Europe/Berlin, 2026-10-25T12:00:00Z, 2026-10-24T22:00:00Z, 2026-10-25T23:00:00Z", // 25 hours
        "1, DAY, America/Sao_Paulo, 2017-10-15T12:00:00Z, 2017-10-15T03:00:00Z, 2017-10-16T02:00:00Z", // 01:00 to 24:00
        "1, DAY, America/Toronto, 1919-03-31T12:00:00Z, 1919-03-31T04:30:00Z, 1919-04-01T04:00:00Z", // from 00:30 on
        "1, DAY, America/Havana, 2025-11-02T12:00:00Z, 2025-11-02T04:00:00Z, 2025-11-03T05:00:00Z", // from the first
        // 00:00
        "1, DAY, America/St_Johns, 2006-10-29T03:00:00Z, 2006-10-29T02:30:00Z, 2006-10-30T03:30:00Z", // 23:30 again
        "1, DAY, Pacific/Apia, 2011-12-30T11:00:00Z, 2011-12-30T10:00:00Z, 2011-12-31T10:00:00Z", // a skipped date
        "1, DAY, America/Juneau, 1867-10-18T20:00:00Z, 1867-10-18T08:57:41Z, 1867-10-20T08:57:41Z", // a date that came
        // twice
        "1, WEEK, UTC, 2026-11-22T23:59:59.999999Z, 2026-11-16T00:00:00Z, 2026-11-23T00:00:00Z",
        "2, WEEK, Asia/Kolkata, 1970-01-05T00:00:00Z, 1970-01-04T18:30:00Z, 1970-01-18T18:30:00Z",
        "7, DAY, UTC, 2026-11-20T12:00:00Z, 2026-11-19T00:00:00Z, 2026-11-26T00:00:00Z", // Thursdays, as in 1970
        "3, MONTH, Europe/Berlin, 2026-11-20T12:00:00Z, 2026-09-30T22:00:00Z, 2026-12-31T23:00:00Z",
        "10, YEAR, UTC, 1969-12-31T23:59:59Z, 1960-01-01T00:00:00Z, 1970-01-01T00:00:00Z",
        "6, HOUR, +05:30, 2026-11-20T00:29:59Z, 2026-11-19T18:30:00Z, 2026-11-20T00:30:00Z"
    })
    void windowsOfExamples(long count, CalendarUnit unit, ZoneId zone, Instant at, Instant start, Instant end) {
        Windows windows = new Windows(count, unit, zone);
        assertThat(windows.start(micros(at))).isEqualTo(micros(start));
        assertThat(windows.end(micros(at))).isEqualTo(micros(end));
    }

    private static long micros(Instant instant) {
        return ChronoUnit.MICROS.between(Instant.EPOCH, instant);
    }

    @Test
    void windowsAtTheEndsOfTimeHaveNoStartOrNoEnd() {
        Windows years = new Windows(1, CalendarUnit.YEAR, ZoneId.of("Europe/Berlin"));
        assertThat(years.start(Long.MIN_VALUE)).isEqualTo(Windows.NO_START);
        assertThat(years.start(years.end(Long.MIN_VALUE))).isEqualTo(years.end(Long.MIN_VALUE));
        assertThat(years.end(Long.MAX_VALUE)).isEqualTo(Long.MAX_VALUE);
        assertThat(years.start(Long.MAX_VALUE)).isEqualTo(years.start(years.start(Long.MAX_VALUE)));
        Windows longest = new Windows(292_471, CalendarUnit.YEAR, ZoneOffset.UTC);
        assertThat(longest.start(0)).isZero();
        assertThat(longest.start(-1)).isEqualTo(Windows.NO_START);
        assertThat(longest.end(-1)).isZero();
        assertThat(longest.end(Long.MAX_VALUE)).isEqualTo(Long.MAX_VALUE);
    }

    @ParameterizedTest
    @CsvSource({
        "0, DAY, UTC",
        "-1, MONTH, UTC",
        "292472, YEAR, UTC",
        "500, MILLISECOND, UTC",
        "7, HOUR, UTC",
        "25, HOUR, UTC",
        "1, HOUR, Europe/Berlin",
        "1, HOUR, Asia/Kolkata" // whose offset has changed
    })
    void otherSizesAndZonesMakeNoWindows(long count, CalendarUnit unit, ZoneId zone) {
        assertThatThrownBy(() -> new Windows(count, unit, zone))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no windows of " + count);
    }

    @Test
    void timesInAnyOrderAllocateNothing() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long[] times = new Random(1).longs(10_000).toArray();
        long sum = 0;
        for (CalendarUnit unit : OF_DAYS) {
            Windows windows = new Windows(1, unit, ZoneId.of("Europe/Berlin"));
            windows.start(0);
            long before = threads.getCurrentThreadAllocatedBytes();
            for (long at : times) {
                sum += windows.start(at);
            }
            assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(times.length);
        }
        assertThat(sum).isNotZero();
    }
}
