package io.summarizer.bench.plot;

import java.awt.BasicStroke;
import java.awt.Color;
import org.knowm.xchart.style.markers.Marker;
import org.knowm.xchart.style.markers.SeriesMarkers;

/**
 * The appearance of a series: a colour of the palette, a shape of its marks and the dashes of its line.
 *
 * @param number number of the series, which determines colour and shape
 * @param stroke the stroke of the line
 */
public record Style(int number, BasicStroke stroke) {
    private static final float WIDTH = 1.8f;
    private static final Marker[] MARKS = {
        SeriesMarkers.CIRCLE,
        SeriesMarkers.SQUARE,
        SeriesMarkers.TRIANGLE_UP,
        SeriesMarkers.DIAMOND,
        SeriesMarkers.TRIANGLE_DOWN,
        SeriesMarkers.CROSS
    };

    /** A continuous line. */
    public static Style of(int number) {
        return new Style(number, new BasicStroke(WIDTH));
    }

    /** A dashed line. */
    public static Style dashed(int number) {
        return dashed(number, 6, 4);
    }

    /** A line of dots. */
    public static Style dotted(int number) {
        return dashed(number, 2, 3);
    }

    private static Style dashed(int number, float... dashes) {
        return new Style(number, new BasicStroke(WIDTH, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND, 10, dashes, 0));
    }

    Color colour() {
        return Palette.series(number);
    }

    Marker mark() {
        return MARKS[number % MARKS.length];
    }
}
