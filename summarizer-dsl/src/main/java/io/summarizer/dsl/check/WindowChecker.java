package io.summarizer.dsl.check;

import io.summarizer.core.store.KeyType;
import io.summarizer.core.store.SummaryWindow;
import io.summarizer.core.time.CalendarUnit;
import io.summarizer.dsl.diagnose.Diagnostics;
import io.summarizer.dsl.diagnose.Span;
import io.summarizer.dsl.diagnose.Suggestions;
import io.summarizer.dsl.parse.Ast;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** Checks the {@code window} of summaries, and the widths and zones of {@code bucket}. */
record WindowChecker(Diagnostics diagnostics) {
    /** Longest allowed time after the end of a window. The end of any window plus this time is a valid time. */
    private static final long AFTER_MAX = 1000 * longest(CalendarUnit.YEAR);

    /** Names of the IANA database that most versions of Java do not have, and what to write in their place. */
    private static final Map<String, String> UNKNOWN_TO_JAVA =
            Map.of("EST", "-05:00", "MST", "-07:00", "HST", "-10:00", "ROC", "Asia/Taipei");

    private static final String EXAMPLE = "`window minute every 5m close after 2m;`";

    /**
     * Checks the windows of a top-level summary. Returns null after reporting an error.
     *
     * @param keys the key columns of the summary
     */
    @Nullable
    SummaryWindow window(Ast.Window window, Ast.Summary summary, List<SummaryShape.Key> keys) {
        int column = column(window.column(), summary, keys);
        Ast.Text zoneText = window.zone();
        ZoneId zone = zoneText == null ? ZoneOffset.UTC : zone(zoneText.span(), zoneText.value());
        Ast.DurationExpr every = window.every() instanceof Ast.DurationExpr width ? width : null;
        boolean fits = every != null
                && zone != null
                && isAboveZero(every)
                && fits(every, zone, zoneText == null ? every.span() : zoneText.span(), "");
        long closeAfter = closeAfter(window);
        long keep = keep(window, closeAfter);
        return every != null && zone != null && fits && column >= 0 && closeAfter >= 0 && keep >= 0
                ? new SummaryWindow(column, (int) every.count(), every.unit(), zone, closeAfter, keep)
                : null;
    }

    private boolean isAboveZero(Ast.DurationExpr every) {
        if (every.count() <= 0) {
            diagnostics.error(every.span(), "the width of a window is above 0");
        }
        return every.count() > 0;
    }

    /** The position of the key column of a window; -1 after an error was reported. */
    private int column(Ast.Name name, Ast.Summary summary, List<SummaryShape.Key> keys) {
        List<String> names = keys.stream().map(key -> key.name().text()).toList();
        int column = names.indexOf(name.text());
        if (column < 0) {
            if (!summary.incomplete()) {
                List<String> times = keys.stream()
                        .filter(key -> key.type() == KeyType.TIMESTAMP)
                        .map(key -> key.name().text())
                        .toList();
                diagnostics.error(
                        name.span(),
                        "`" + summary.name().text() + "` has no key field `" + name.text() + "`",
                        times.isEmpty()
                                ? List.of(
                                        "a window has a key field with its start: `timestamp " + name.text() + " = 1;`")
                                : Suggestions.help(name.text(), times, "its key fields of type timestamp are"));
            }
            return -1;
        }
        KeyType type = keys.get(column).type();
        if (type != null && type != KeyType.TIMESTAMP) {
            diagnostics.error(
                    name.span(),
                    "`" + name.text() + "` is of type " + type.keyword() + "; the key field of a window is a timestamp",
                    "the field has the start of the window");
        }
        return type == KeyType.TIMESTAMP ? column : -1;
    }

    /**
     * The closing delay in µs: a window closes when the watermark has passed the end of the window by this time. -1
     * after an error was reported.
     */
    private long closeAfter(Ast.Window window) {
        if (window.closeAfter() == null) {
            diagnostics.error(
                    window.span(),
                    "a window has a `close after`",
                    "it is the time for late events after the end of a window: " + EXAMPLE);
        }
        return window.closeAfter() instanceof Ast.DurationExpr after
                        && ExpressionChecker.isDuration(after, diagnostics)
                        && isNotTooLong(after)
                ? after.micros()
                : -1;
    }

    /** The time from the end of a window to the deletion of its file, in µs; -1 after an error was reported. */
    private long keep(Ast.Window window, long closeAfter) {
        if (window.keep() == null) {
            return SummaryWindow.FOR_EVER;
        }
        if (!(window.keep() instanceof Ast.DurationExpr keep) || !isNotTooLong(keep)) {
            return -1;
        }
        long micros = keep.count() * longest(keep.unit());
        if (micros < closeAfter) {
            diagnostics.error(
                    keep.span(),
                    "`keep` is at least as long as `close after`",
                    "both are times after the end of a window, and a file is made when its window closes");
            return -1;
        }
        return micros;
    }

    /**
     * The length of a unit in µs; for a month or a year, the greatest possible length, so that no file is deleted
     * early.
     */
    private static long longest(CalendarUnit unit) {
        return switch (unit) {
            case MONTH -> 31 * CalendarUnit.DAY.micros();
            case YEAR -> 366 * CalendarUnit.DAY.micros();
            default -> unit.micros();
        };
    }

    private boolean isNotTooLong(Ast.DurationExpr duration) {
        boolean fits = duration.count() <= AFTER_MAX / longest(duration.unit());
        if (!fits) {
            diagnostics.error(duration.span(), "the duration is too long; at most 1000y");
        }
        return fits;
    }

    /**
     * The zone with this name, in its simplest form, if the zone allows windows of this width. Otherwise, reports an
     * error and returns null.
     *
     * @param width above 0
     */
    @Nullable
    ZoneId zone(Span span, String name, Ast.DurationExpr width) {
        ZoneId zone = zone(span, name);
        return zone != null && fits(width, zone, span, "with a zone, ") ? zone : null;
    }

    private @Nullable ZoneId zone(Span span, String name) {
        try {
            return ZoneId.of(name).normalized();
        } catch (DateTimeException e) {
            String written = UNKNOWN_TO_JAVA.get(name);
            if (written != null) {
                return diagnostics.error(
                        span, "the Java runtime has no time zone `" + name + "`", "write `\"" + written + "\"`");
            }
            String near = nearest(name);
            return diagnostics.error(
                    span,
                    "there is no time zone `" + name + "`",
                    near.isEmpty()
                            ? "a zone is a name, as `\"Europe/Berlin\"`, or an offset from UTC, as `\"+05:30\"`"
                            : "did you mean `" + near + "`?");
        }
    }

    /**
     * Whether a zone allows windows of this width. If not, reports an error.
     *
     * @param zoneSpan the place at which to report an error of the zone
     * @param when the text at the start of messages about the width, such as {@code with a zone, }; empty if the same
     *     rules hold without a zone
     */
    private boolean fits(Ast.DurationExpr width, ZoneId zone, Span zoneSpan, String when) {
        CalendarUnit unit = width.unit();
        if (unit == CalendarUnit.MILLISECOND) {
            diagnostics.error(width.span(), when + "a width is in s, m, h, d, w, mo or y");
        } else if (!unit.isOfDays() && !unit.dividesDay(width.count())) {
            diagnostics.error(
                    width.span(),
                    when + "a width in s, m or h divides a day; `" + width.text() + "` does not",
                    divisors(width.count(), unit));
        } else if (!unit.isOfDays() && !zone.getRules().isFixedOffset()) {
            diagnostics.error(
                    zoneSpan,
                    "a width in s, m or h takes a fixed offset; the offset of `" + zone + "` changes",
                    startsAsInUtc(width, zone)
                            ? "leave the zone out: steps of `" + width.text() + "` begin at the same moments in `"
                                    + zone + "` and in UTC"
                            : "write an offset from UTC, as `\""
                                    + zone.getRules().getStandardOffset(Instant.now()) + "\"`",
                    "widths in d, w, mo or y follow the calendar of the zone");
        } else {
            return true;
        }
        return false;
    }

    /** Whether all offsets of the zone from 1970 to the next change of clocks are whole multiples of the width. */
    private static boolean startsAsInUtc(Ast.DurationExpr width, ZoneId zone) {
        long seconds = width.count() * width.unit().micros() / 1_000_000;
        ZoneRules rules = zone.getRules();
        Instant now = Instant.now();
        Instant at = Instant.EPOCH;
        while (rules.getOffset(at).getTotalSeconds() % seconds == 0) {
            ZoneOffsetTransition next = rules.nextTransition(at);
            if (next == null || at.isAfter(now)) {
                return true;
            }
            at = next.getInstant();
        }
        return false;
    }

    /** The nearest name of a zone; for a city, the zone of the city. */
    private static String nearest(String name) {
        Set<String> zones = new TreeSet<>(ZoneId.getAvailableZoneIds());
        String city = "/" + name.replace(' ', '_').toLowerCase(Locale.ROOT);
        return zones.stream()
                .filter(zone -> zone.toLowerCase(Locale.ROOT).endsWith(city))
                .findFirst()
                .orElseGet(() -> Suggestions.nearest(name, zones));
    }

    /** Advice that names the nearest widths that divide a day. */
    private static String divisors(long count, CalendarUnit unit) {
        long most = CalendarUnit.DAY.micros() / unit.micros();
        long below = LongStream.iterate(Math.min(count, most), less -> less - 1)
                .filter(unit::dividesDay)
                .findFirst()
                .orElseThrow();
        OptionalLong above =
                LongStream.rangeClosed(count, most).filter(unit::dividesDay).findFirst();
        String text = "`" + below + unit.suffix() + "`";
        return above.isPresent()
                ? text + " and `" + above.getAsLong() + unit.suffix() + "` do"
                : text + " does; longer widths are in d, w, mo or y";
    }
}
