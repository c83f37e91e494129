package io.summarizer.bench.report;

import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** Numbers in results. An absent number is NaN. */
public final class Numbers {
    /**
     * Orders numbers within texts by value, and all other characters alphabetically: {@code 8 64 256}, {@code 17.0.19
     * 25.0.3}, {@code abq lbq}.
     */
    public static final Comparator<String> NATURAL = Numbers::compareNaturally;

    private static final Pattern PART = Pattern.compile("\\d+|\\D+");

    private Numbers() {}

    /** Parses a number; NaN for an empty text. */
    public static double parse(String text) {
        if (text.isBlank()) {
            return Double.NaN;
        }
        try {
            return Double.parseDouble(text);
        } catch (NumberFormatException e) {
            return Double.NaN;
        }
    }

    /** The median of the values that are not NaN; NaN when all values are NaN. */
    public static double median(double... values) {
        double[] sorted = Arrays.stream(values).filter(v -> !Double.isNaN(v)).toArray();
        if (sorted.length == 0) {
            return Double.NaN;
        }
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    /** Returns the values that are not NaN. */
    public static double[] array(Collection<Double> values) {
        return values.stream()
                .mapToDouble(Double::doubleValue)
                .filter(v -> !Double.isNaN(v))
                .toArray();
    }

    private static int compareNaturally(String a, String b) {
        String[] left = PART.matcher(a).results().map(MatchResult::group).toArray(String[]::new);
        String[] right = PART.matcher(b).results().map(MatchResult::group).toArray(String[]::new);
        for (int i = 0; i < Math.min(left.length, right.length); i++) {
            boolean numbers = Character.isDigit(left[i].charAt(0)) && Character.isDigit(right[i].charAt(0));
            int order = numbers ? Double.compare(parse(left[i]), parse(right[i])) : left[i].compareTo(right[i]);
            if (order != 0) {
                return order;
            }
        }
        return Integer.compare(left.length, right.length);
    }
}
