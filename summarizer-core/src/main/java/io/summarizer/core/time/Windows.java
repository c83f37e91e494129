package io.summarizer.core.time;

import io.summarizer.core.text.CivilDate;
import java.time.ZoneId;

/**
 * Windows of time that follow each other without gaps. Each window has the same number of units of a zone's calendar.
 * Times are µs since the epoch, UTC.
 *
 * <p>Days, weeks, months and years begin at local midnight, so a day usually has 23, 24 or 25 hours. Windows of more
 * than one day, month or year count from 1970-01-01; windows of weeks begin on Mondays and count from 1970-01-05. A
 * window begins at the first instant whose local time is the window's midnight or later. If the clocks skip this
 * midnight, the window begins at the end of the gap; if there are two such midnights, it begins at the first. When the
 * clocks are set back after a window began, the window continues, even if the local time is then before its midnight
 * again. Windows shorter than a day divide a day, and their zone has a fixed offset.
 *
 * <p>If all windows have the same width, a multiplication finds the window of a time. Otherwise, three searches in the
 * table of the zone's offsets find it. Most times lie in the same window as the previous time, so the last window that
 * was searched is kept. Nothing is allocated. Used by one thread.
 */
public final class Windows {
    /** Stands for the start of a window that begins before the least timestamp. No other window has this start. */
    public static final long NO_START = Long.MIN_VALUE;

    private static final long MICROS = 1_000_000;
    private static final long DAY = 86_400;
    private static final int MONTHS_OF_YEAR = 12;
    /** A bound: sums of a few smaller numbers do not overflow. */
    private static final long FAR = Long.MAX_VALUE / 8;

    private final ZoneOffsets offsets;
    /** The number of months of a window; 0 for windows of seconds. */
    private final long months;
    /** The number of seconds of a window in local time; 0 for windows of months. */
    private final long seconds;
    /** The local time from which windows of seconds are counted. */
    private final long origin;

    /**
     * Width of each window in µs, if the zone has a fixed offset; 0 when the widths of windows differ or are very
     * large.
     */
    private final long width;
    /** Windows of this width per µs, for a multiplication in place of a division. */
    private final double windowsPerMicro;
    /** The start of a window with this width, at or before -{@link #FAR}. */
    private final long someStart;

    private long start;
    private long end;

    /**
     * The windows of {@code count} units.
     *
     * @param unit not milliseconds; if it is shorter than a day, {@code count} units divide a day
     * @param zone has a fixed offset if the unit is shorter than a day
     */
    public Windows(long count, CalendarUnit unit, ZoneId zone) {
        boolean isWindow = unit.isOfDays()
                ? count > 0 && count <= Long.MAX_VALUE / unit.micros()
                : unit != CalendarUnit.MILLISECOND
                        && unit.dividesDay(count)
                        && zone.getRules().isFixedOffset();
        if (!isWindow) {
            throw new IllegalArgumentException("no windows of " + count + unit.suffix() + " in zone " + zone);
        }
        offsets = ZoneOffsets.of(zone);
        months = unit == CalendarUnit.YEAR ? MONTHS_OF_YEAR * count : unit == CalendarUnit.MONTH ? count : 0;
        seconds = months > 0 ? 0 : count * (unit.micros() / MICROS);
        origin = unit == CalendarUnit.WEEK ? 4 * DAY : 0; // 1970-01-05 was a Monday
        width = seconds < FAR / MICROS && zone.getRules().isFixedOffset() ? seconds * MICROS : 0;
        windowsPerMicro = 1.0 / width;
        long nearEpoch = (origin - offsets.toLocal(0)) * MICROS;
        someStart = width == 0 ? 0 : nearEpoch - ((FAR + nearEpoch) / width + 1) * width;
    }

    /** The start of the window of a time, or {@link #NO_START}. */
    public long start(long at) {
        if (isByWidth(at)) {
            return at - sinceStart(at);
        }
        if (at < start || at >= end) {
            search(at);
        }
        return start;
    }

    /**
     * The end of the window of a time, which is the start of the next window; the greatest long when no timestamp is
     * that late.
     */
    public long end(long at) {
        if (isByWidth(at)) {
            return at - sinceStart(at) + width;
        }
        if (at < start || at >= end) {
            search(at);
        }
        return end;
    }

    private boolean isByWidth(long at) {
        return width > 0 && at > -FAR && at < FAR;
    }

    /** The time since the start of a window with the known width. */
    private long sinceStart(long at) {
        long since = at - someStart;
        // It is positive, so the cast rounds down. A window is at least 1 s wide, so the number of windows has at most
        // 42 bits; a double has 53 bits, so the number is wrong by one at most.
        long window = (long) (since * windowsPerMicro);
        long into = since - window * width;
        return into < 0 ? into + width : into >= width ? into - width : into;
    }

    private void search(long at) {
        long second = Math.floorDiv(at, MICROS);
        long window = window(offsets.toLocal(second));
        long next = firstSecond(window + 1);
        // The clocks were set back to a time before the start of the window; the window continues.
        while (next <= second) {
            window++;
            next = firstSecond(window + 1);
        }
        start = micros(firstSecond(window));
        end = micros(next);
    }

    /** The number of the window of a local time. */
    private long window(long local) {
        if (months == 0) {
            return Math.floorDiv(local - origin, seconds);
        }
        long date = CivilDate.of(Math.floorDiv(local, DAY));
        long month = (CivilDate.year(date) - 1970) * MONTHS_OF_YEAR + CivilDate.month(date) - 1;
        return Math.floorDiv(month, months);
    }

    private long firstSecond(long window) {
        if (months == 0) {
            return offsets.firstSecond(window * seconds + origin);
        }
        long month = window * months;
        int year = (int) (1970 + Math.floorDiv(month, MONTHS_OF_YEAR));
        return offsets.firstSecond(CivilDate.toDays(year, 1 + Math.floorMod(month, MONTHS_OF_YEAR), 1) * DAY);
    }

    /**
     * Converts seconds to a timestamp. The result is the least or the greatest long when the timestamp would not fit.
     */
    private static long micros(long second) {
        return second < Long.MIN_VALUE / MICROS
                ? Long.MIN_VALUE
                : second > Long.MAX_VALUE / MICROS ? Long.MAX_VALUE : second * MICROS;
    }
}
