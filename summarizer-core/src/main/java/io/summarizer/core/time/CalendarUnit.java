package io.summarizer.core.time;

import java.util.Arrays;
import java.util.NoSuchElementException;

/** The units of durations and windows. Durations have the units up to a day; windows have all but milliseconds. */
public enum CalendarUnit {
    MILLISECOND("ms", 1_000),
    SECOND("s", 1_000_000),
    MINUTE("m", 60 * SECOND.micros),
    HOUR("h", 60 * MINUTE.micros),
    DAY("d", 24 * HOUR.micros),
    WEEK("w", 7 * DAY.micros),
    MONTH("mo", 28 * DAY.micros),
    YEAR("y", 365 * DAY.micros);

    private final String suffix;
    private final long micros;

    CalendarUnit(String suffix, long micros) {
        this.suffix = suffix;
        this.micros = micros;
    }

    /** The unit with this suffix, for example the month for {@code mo}. */
    public static CalendarUnit of(String suffix) {
        return Arrays.stream(values())
                .filter(unit -> unit.suffix.equals(suffix))
                .findFirst()
                .orElseThrow(() -> new NoSuchElementException("no unit " + suffix));
    }

    /** The letters that name the unit after a number, for example {@code m} in {@code 5m}. */
    public String suffix() {
        return suffix;
    }

    /** Number of µs of one unit; for a month or a year, the smallest possible number. */
    public long micros() {
        return micros;
    }

    /** Whether this unit is a day or longer, and follows the zone's calendar. Shorter units have a fixed length. */
    public boolean isOfDays() {
        return compareTo(DAY) >= 0;
    }

    /** Whether {@code count} units divide a day of 24 hours into equal parts. */
    public boolean dividesDay(long count) {
        return count > 0 && count <= DAY.micros / micros && DAY.micros / micros % count == 0;
    }
}
