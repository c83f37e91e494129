package io.summarizer.server.explain;

import java.util.regex.Pattern;

/** Makes text from the wire safe to show: the text can neither control a terminal nor fill it. */
final class Shown {
    /** Largest number of characters shown of one text. */
    static final int CHARS_MAX = 400;

    private static final Pattern CONTROL = Pattern.compile("\\p{Cntrl}|[\\x{80}-\\x{9f}\\u2028\\u2029]");

    private Shown() {}

    /** Returns the text, cut when it is long, with U+FFFD for unprintable characters. */
    static String of(String text) {
        String cut = text.length() <= CHARS_MAX
                ? text
                : text.substring(0, CHARS_MAX) + "... (" + text.length() + " characters)";
        return CONTROL.matcher(cut).replaceAll("\uFFFD");
    }
}
