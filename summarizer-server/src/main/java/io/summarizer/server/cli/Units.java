package io.summarizer.server.cli;

import java.util.Locale;

/** Formats numbers for people, with a decimal point in every language of the machine. */
final class Units {
    private Units() {}

    /** Formats a count: {@code 1,234,567}. */
    static String count(long count) {
        return String.format(Locale.ROOT, "%,d", count);
    }

    /** Formats a number and a noun: {@code 1 file}, {@code 1,234 files}, {@code 2 summaries}, {@code 2 classes}. */
    static String count(long count, String what) {
        String plural = what.endsWith("y")
                ? what.substring(0, what.length() - 1) + "ies"
                : what + (what.endsWith("s") ? "es" : "s");
        return count(count) + " " + (count == 1 ? what : plural);
    }

    /** Formats a number of bytes: {@code 640 B}, {@code 1.5 MiB}. */
    static String bytes(long bytes) {
        if (bytes < 1024) {
            return bytes + " B";
        }
        String[] units = {"KiB", "MiB", "GiB", "TiB"};
        double value = bytes / 1024.0;
        int unit = 0;
        while (value >= 1024 && unit < units.length - 1) {
            value /= 1024;
            unit++;
        }
        return String.format(Locale.ROOT, value < 100 ? "%.1f %s" : "%.0f %s", value, units[unit]);
    }

    /** Formats a duration: {@code 0.42 s}, {@code 75 s}, {@code 1:02:03}. */
    static String duration(double seconds) {
        if (seconds < 10) {
            return String.format(Locale.ROOT, "%.2f s", seconds);
        }
        if (seconds < 100) {
            return String.format(Locale.ROOT, "%.0f s", seconds);
        }
        long whole = Math.round(seconds);
        return whole < 3600
                ? String.format(Locale.ROOT, "%d:%02d", whole / 60, whole % 60)
                : String.format(Locale.ROOT, "%d:%02d:%02d", whole / 3600, whole / 60 % 60, whole % 60);
    }

    /** Formats a rate: {@code 1,234,567/s}. */
    static String rate(long count, double seconds) {
        return count(Math.round(count / Math.max(seconds, 1e-9))) + "/s";
    }
}
