package io.summarizer.bench.plot;

import java.util.List;
import java.util.function.DoubleFunction;
import java.util.function.DoubleUnaryOperator;

/**
 * An axis of a chart. It maps values to positions.
 *
 * @param title title of the axis; empty if the figure has one title for all charts
 * @param min position at the beginning of the axis
 * @param max position at the end of the axis
 * @param place maps a value to a position
 * @param mark names a position
 * @param dense whether each whole position has a mark
 */
public record Axis(
        String title, double min, double max, DoubleUnaryOperator place, DoubleFunction<String> mark, boolean dense) {
    /**
     * Largest ratio between the ends of an axis whose marks double from one to the next. Above this ratio, the marks
     * are powers of ten.
     */
    private static final double NARROW = 50;

    private static final int TICK_DENSE = 24;
    private static final int TICK = 56;

    /** Makes a linear axis from 0 to a little above {@code most}. */
    public static Axis fromZero(String title, double most, DoubleFunction<String> format) {
        return linear(title, 0, most > 0 ? 1.05 * most : 1, format);
    }

    /** Linear. */
    public static Axis linear(String title, double min, double max, DoubleFunction<String> format) {
        return new Axis(title, min, max, value -> value, format, false);
    }

    /**
     * Makes a logarithmic axis between two values above 0. Marks are at {@code min}, at twice {@code min} and so on or,
     * if the range is wide, at powers of ten.
     */
    public static Axis logarithmic(String title, double min, double max, DoubleFunction<String> format) {
        boolean wide = max / min > NARROW;
        double from = wide ? 1 : min;
        double base = wide ? 10 : 2;
        DoubleUnaryOperator place = value -> Math.log(value / from) / Math.log(base);
        double room = wide ? 0 : 0.25;
        return new Axis(
                title,
                place.applyAsDouble(min) - room,
                place.applyAsDouble(max) + room,
                place,
                at -> isWhole(at) ? format.apply(from * Math.pow(base, Math.rint(at))) : blank(at),
                true);
    }

    /** Makes an axis with named positions 0, 1, 2 and so on, and space before the first and after the last position. */
    public static Axis of(String title, List<String> names) {
        return new Axis(
                title,
                -0.5,
                names.size() - 0.5,
                value -> value,
                at -> isWhole(at) && at > -0.5 && at < names.size() - 0.5 ? names.get((int) Math.rint(at)) : blank(at),
                true);
    }

    /** Approximate distance between two marks, in pixels. */
    int tick() {
        return dense ? TICK_DENSE : TICK;
    }

    private static boolean isWhole(double place) {
        return Math.abs(place - Math.rint(place)) < 1e-6;
    }

    /**
     * Returns an invisible text for a mark without a name. XChart needs a different text for each mark, so each text is
     * a different sequence of four kinds of space.
     */
    private static String blank(double place) {
        StringBuilder text = new StringBuilder();
        for (int i = 0, rest = Math.floorMod((int) Math.rint(20 * place), 81); i < 4; i++, rest /= 3) {
            text.append(" \u00a0\u2009".charAt(rest % 3));
        }
        return text.toString();
    }
}
