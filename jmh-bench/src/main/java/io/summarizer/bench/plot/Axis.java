package io.summarizer.bench.plot;

import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleFunction;

/** One side of a chart: where a value lies, 0 to 1 along it, and which marks it has. Immutable. */
public final class Axis {
    private static final double NARROW = 50;

    private final String title;
    private final double min;
    private final double max;
    private final boolean logarithmic;
    private final List<Mark> marks;

    /** A line of the grid; the lines between those that are named have no text. */
    record Mark(double value, String text) {}

    private Axis(String title, double min, double max, boolean logarithmic, List<Mark> marks) {
        this.title = title;
        this.min = min;
        this.max = max;
        this.logarithmic = logarithmic;
        this.marks = List.copyOf(marks);
    }

    /** From 0 to the first line of the grid at or above {@code most}, with four to eight lines. */
    public static Axis fromZero(String title, double most, DoubleFunction<String> format) {
        double step = step(most);
        return linear(title, 0, Math.max(1, Math.ceil(most / step - 1e-9)) * step, step, format);
    }

    /** From {@code min} to {@code max}, with a line at each {@code step}. */
    public static Axis linear(String title, double min, double max, double step, DoubleFunction<String> format) {
        List<Mark> marks = new ArrayList<>();
        int steps = (int) Math.round((max - min) / step);
        for (int i = 0; i <= steps; i++) {
            double value = min + i * step;
            marks.add(new Mark(value, format.apply(Math.abs(value) < step / 1e6 ? 0 : value)));
        }
        return new Axis(title, min, max, false, marks);
    }

    /** Logarithmic from {@code min} to {@code max}, above 0: powers of ten, of two over a narrow range. */
    public static Axis logarithmic(String title, double min, double max, DoubleFunction<String> format) {
        // Over a narrow range, tens would be too few.
        if (max / min > NARROW) {
            return decades(title, min, max, format);
        }
        List<Mark> marks = new ArrayList<>();
        for (double value = min; value <= max * 1.0001; value *= 2) {
            marks.add(new Mark(value, format.apply(value)));
        }
        return new Axis(title, min, max, true, marks);
    }

    /** Logarithmic from {@code min} to {@code max}, above 0, with the powers of ten named. */
    public static Axis decades(String title, double min, double max, DoubleFunction<String> format) {
        List<Mark> marks = new ArrayList<>();
        for (double power = Math.pow(10, Math.floor(Math.log10(min) + 1e-9)); power <= max * 1.0001; power *= 10) {
            for (int digit = 1; digit < 10; digit++) {
                double value = power * digit;
                if (value >= min * 0.9999 && value <= max * 1.0001) {
                    marks.add(new Mark(value, digit == 1 ? format.apply(value) : ""));
                }
            }
        }
        return new Axis(title, min, max, true, marks);
    }

    /** Named places 0, 1, 2 and so on, with room beside the first and the last. */
    public static Axis of(String title, List<String> names) {
        List<Mark> marks = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            marks.add(new Mark(i, names.get(i)));
        }
        return new Axis(title, -0.5, names.size() - 0.5, false, marks);
    }

    String title() {
        return title;
    }

    List<Mark> marks() {
        return marks;
    }

    /** Number of marks with a text, at least 1. */
    int named() {
        return (int) Math.max(
                1, marks.stream().filter(mark -> !mark.text().isEmpty()).count());
    }

    /** Where a value lies; values beyond the ends lie at the ends. */
    double share(double value) {
        double bounded = Math.min(max, Math.max(min, value));
        if (max == min) {
            return 0.5;
        }
        return logarithmic ? Math.log(bounded / min) / Math.log(max / min) : (bounded - min) / (max - min);
    }

    /** The distance of four to eight lines: 1, 2 or 5 times a power of ten. */
    private static double step(double most) {
        double power = Math.pow(10, Math.floor(Math.log10(Math.max(most, 1e-9))));
        for (double step : new double[] {power / 10, power / 5, power / 2, power}) {
            if (most / step <= 6) {
                return step;
            }
        }
        return 2 * power;
    }
}
