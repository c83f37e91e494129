package io.summarizer.core.archive;

import io.summarizer.core.text.TimestampText;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Names of windows for files. For a start at a whole second of the years 0000 to 9999, a name is like {@code
 * 20261120T000500Z}. For any other start, a name has {@code us} and the µs since the epoch, such as {@code
 * us-62198755200000001} for a start before 1970. Stateless.
 */
public final class WindowName {
    private static final Pattern MICROS = Pattern.compile("us(-?\\d{1,19})");
    private static final Pattern TIME = Pattern.compile("\\d{8}T\\d{6}Z");
    private static final long SECOND = 1_000_000;

    private WindowName() {}

    /** The name of the window that starts at {@code start}, in µs since the epoch. */
    public static String of(long start) {
        String text = TimestampText.toString(start);
        boolean isShort = Character.isDigit(text.charAt(0)) && start % SECOND == 0;
        return isShort ? text.substring(0, "2026-11-20T00:05:00".length()).replaceAll("[-:]", "") + "Z" : "us" + start;
    }

    /** The start of the window with this name; empty when {@link #of} never makes this name. */
    static OptionalLong start(String name) {
        Matcher micros = MICROS.matcher(name);
        long start;
        if (micros.matches()) {
            try {
                start = Long.parseLong(micros.group(1));
            } catch (NumberFormatException e) {
                return OptionalLong.empty();
            }
        } else if (TIME.matcher(name).matches()) {
            start = TimestampText.parse(name);
        } else {
            return OptionalLong.empty();
        }
        return of(start).equals(name) ? OptionalLong.of(start) : OptionalLong.empty();
    }
}
