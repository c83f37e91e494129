package io.summarizer.core.store;

import io.summarizer.core.time.CalendarUnit;
import io.summarizer.core.time.Windows;
import java.time.ZoneId;

/**
 * The windows of a summary. A key column has the start of a row's window. A window closes when the watermark has passed
 * the end of the window by {@code closeAfterMicros}; its rows then go to a file. Immutable.
 *
 * <p>State files have the column and the width. They do not have {@code closeAfterMicros} and {@code keepMicros}, which
 * may differ between definitions; in a layout that was read from a file, these are 0 and {@link #FOR_EVER}.
 *
 * @param column position of a key column of type timestamp
 * @param every number of units of a window
 * @param unit unit of the width
 * @param zone the zone whose calendar determines the windows; if they are shorter than a day, the zone has a fixed
 *     offset
 * @param closeAfterMicros time from the end of a window to the watermark that closes it, in µs
 * @param keepMicros time from the end of a window to the deletion of its file, in µs; {@link #FOR_EVER} when files are
 *     not deleted
 */
public record SummaryWindow(
        int column, int every, CalendarUnit unit, ZoneId zone, long closeAfterMicros, long keepMicros) {
    /** The value of {@link #keepMicros} for files that are not deleted. */
    public static final long FOR_EVER = Long.MAX_VALUE;

    /** Stands for the start of a window when the time of an event is too far ahead of its arrival. */
    public static final long EARLY = Long.MAX_VALUE;

    /** Windows as a state file has them. */
    public SummaryWindow(int column, int every, CalendarUnit unit, ZoneId zone) {
        this(column, every, unit, zone, 0, FOR_EVER);
    }

    /** The windows of the calendar, for one thread. */
    public Windows windows() {
        return new Windows(every, unit, zone);
    }

    /**
     * Whether a closed window is so old that it need not be kept.
     *
     * @param end its end, in µs since the epoch
     * @param now time in µs since the epoch
     */
    public boolean isExpired(long end, long now) {
        return keepMicros != FOR_EVER && end <= now - keepMicros;
    }

    /** Whether both have the same width and zone. If so, each time has the same window in both. */
    public boolean isSameCalendar(SummaryWindow other) {
        return every == other.every && unit == other.unit && zone.equals(other.zone);
    }

    /** Whether each window of {@code wider} consists of whole windows of {@code this}. Both have the same zone. */
    public boolean isPartOf(SummaryWindow wider) {
        long more = wider.every;
        return switch (unit) {
            case MILLISECOND -> false;
            case SECOND, MINUTE, HOUR ->
                wider.unit.isOfDays() || more * wider.unit.micros() % (every * unit.micros()) == 0;
            case DAY ->
                switch (wider.unit) {
                    case DAY -> more % every == 0;
                    // Weeks begin on 1970-01-05, four days after the first day.
                    case WEEK -> 4 % every == 0 && 7 * more % every == 0;
                    case MONTH, YEAR -> every == 1;
                    default -> false;
                };
            case WEEK -> wider.unit == CalendarUnit.WEEK && more % every == 0;
            case MONTH, YEAR ->
                wider.unit.compareTo(CalendarUnit.MONTH) >= 0
                        && more * months(wider.unit) % (every * months(unit)) == 0;
        };
    }

    private static long months(CalendarUnit unit) {
        return unit == CalendarUnit.YEAR ? 12 : 1;
    }

    /** The width in the form that definitions use; also the zone, unless the zone is UTC. */
    @Override
    public String toString() {
        String width = every + unit.suffix();
        return zone.getRules().isFixedOffset() && windows().start(0) == 0 ? width : width + " zone \"" + zone + "\"";
    }
}
