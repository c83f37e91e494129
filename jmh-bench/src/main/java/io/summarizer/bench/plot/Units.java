package io.summarizer.bench.plot;

import java.util.Locale;

/** Formats numbers for reading: three digits, thousands as k, millions as M. */
public final class Units {
    private Units() {}

    /** Formats a number: {@code 0.25}, {@code 950}, {@code 1.2k}, {@code 350k}, {@code 1.25M}; a dash for NaN. */
    public static String si(double value) {
        if (Double.isNaN(value) || Double.isInfinite(value)) {
            return "–";
        }
        double size = Math.abs(value);
        if (size >= 999.5e6) {
            return digits(value / 1e9) + "G";
        }
        if (size >= 999.5e3) {
            return digits(value / 1e6) + "M";
        }
        return size >= 999.5 ? digits(value / 1e3) + "k" : digits(value);
    }

    /** Formats microseconds with a suitable unit: {@code 850 µs}, {@code 1.2 ms}, {@code 3 s}. */
    public static String micros(double micros) {
        if (Double.isNaN(micros)) {
            return "–";
        }
        if (micros >= 999.5e3) {
            return digits(micros / 1e6) + " s";
        }
        return micros >= 999.5 ? digits(micros / 1e3) + " ms" : digits(micros) + " µs";
    }

    /** Formats a share as {@code 12 %}; below 10 % with one decimal. */
    public static String percent(double share) {
        if (Double.isNaN(share)) {
            return "–";
        }
        double percent = share * 100;
        boolean whole = Math.abs(percent) >= 9.95 || percent == Math.rint(percent);
        return String.format(Locale.ROOT, whole ? "%.0f %%" : "%.1f %%", percent);
    }

    /** Formats a share with its sign: {@code +12 %}. */
    public static String change(double share) {
        return (share >= 0 ? "+" : "") + percent(share).replace("-", "−");
    }

    private static String digits(double value) {
        double size = Math.abs(value);
        int places = size >= 99.95 || value == 0 ? 0 : size >= 9.995 ? 1 : size >= 0.9995 ? 2 : 3;
        String text = String.format(Locale.ROOT, "%." + places + "f", value);
        return text.contains(".") ? text.replaceAll("0+$", "").replaceAll("\\.$", "") : text;
    }
}
