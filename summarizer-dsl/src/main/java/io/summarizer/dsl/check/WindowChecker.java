package io.summarizer.dsl.check;

import io.summarizer.core.time.CalendarUnit;
import io.summarizer.dsl.diagnose.Diagnostics;
import io.summarizer.dsl.diagnose.Span;
import io.summarizer.dsl.diagnose.Suggestions;
import io.summarizer.dsl.parse.Ast;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** Checks the widths and zones of windows. */
final class WindowChecker {
    private final Diagnostics diagnostics;

    WindowChecker(Diagnostics diagnostics) {
        this.diagnostics = diagnostics;
    }

    /**
     * The zone with this name, in its simplest form, if it has windows of this width. Returns null after it reported an
     * error.
     *
     * @param width above 0
     */
    @Nullable
    ZoneId zone(Span span, String name, Ast.DurationExpr width) {
        ZoneId zone;
        try {
            zone = ZoneId.of(name).normalized();
        } catch (DateTimeException e) {
            String near = nearest(name);
            diagnostics.error(
                    span,
                    "there is no time zone `" + name + "`",
                    near.isEmpty()
                            ? "a zone is a name, as `\"Europe/Berlin\"`, or an offset from UTC, as `\"+05:30\"`"
                            : "did you mean `" + near + "`?");
            return null;
        }
        CalendarUnit unit = width.unit();
        if (unit == CalendarUnit.MILLISECOND) {
            diagnostics.error(width.span(), "with a zone, a width is in s, m, h, d, w, mo or y");
        } else if (!unit.isOfDays() && !unit.dividesDay(width.count())) {
            diagnostics.error(
                    width.span(),
                    "with a zone, a width in s, m or h divides a day; `" + width.text() + "` does not",
                    divisors(width.count(), unit));
        } else if (!unit.isOfDays() && !zone.getRules().isFixedOffset()) {
            diagnostics.error(
                    span,
                    "a width in s, m or h takes a fixed offset; the offset of `" + name + "` changes",
                    "write an offset from UTC, as `\"" + zone.getRules().getStandardOffset(Instant.now()) + "\"`",
                    "widths in d, w, mo or y follow the calendar of the zone");
        } else {
            return zone;
        }
        return null;
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
