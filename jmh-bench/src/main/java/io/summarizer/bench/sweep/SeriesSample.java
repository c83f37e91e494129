package io.summarizer.bench.sweep;

import io.summarizer.bench.report.Numbers;
import java.util.Locale;

/**
 * The queues at a moment of a run.
 *
 * @param tMs time since the run's beginning
 * @param parseFill occupied share of the parse queue; NaN when there is no parse queue
 * @param ownerFillMin occupied share of the emptiest owner queue; NaN when there is no owner queue
 * @param eventsPerS events processed per second since the previous sample
 */
public record SeriesSample(long tMs, double parseFill, double ownerFillMin, double ownerFillMax, double eventsPerS) {
    /** The columns of a file of series. */
    public static final String HEADER =
            "point,run,kind,offered_per_s,t_ms,parse_fill,owner_fill_min,owner_fill_max,events_per_s";

    static final int COLUMNS = HEADER.split(",").length;

    /** The sample as a line of a file of series. */
    public String csv(Point point, int run, Kind kind, long offeredPerS) {
        return String.join(
                ",",
                run(point, run, kind, offeredPerS),
                Long.toString(tMs),
                fill(parseFill),
                fill(ownerFillMin),
                fill(ownerFillMax),
                String.format(Locale.ROOT, "%.0f", eventsPerS));
    }

    /** The first columns, which identify the run. */
    static String run(Point point, int run, Kind kind, long offeredPerS) {
        return String.join(
                ",",
                point.id(),
                Integer.toString(run),
                kind.word(),
                offeredPerS == 0 ? "" : Long.toString(offeredPerS));
    }

    /** Parses a line's cells. */
    static SeriesSample parse(String[] cells) {
        return new SeriesSample(
                Long.parseLong(cells[4]),
                Numbers.parse(cells[5]),
                Numbers.parse(cells[6]),
                Numbers.parse(cells[7]),
                Numbers.parse(cells[8]));
    }

    private static String fill(double value) {
        return Double.isNaN(value) ? "" : String.format(Locale.ROOT, "%.4f", value);
    }
}
