package io.summarizer.server.explain;

import java.util.regex.Pattern;

/** Text from the wire, so that it can be shown: it must not steer a terminal, nor fill it. */
final class Shown {
    /** Characters shown of one text. */
    static final int CHARS_MAX = 400;

    private static final Pattern CONTROL = Pattern.compile("\\p{Cntrl}|[\\x{80}-\\x{9f}\\u2028\\u2029]");

    private Shown() {}

    /** The text, cut where it is long, with U+FFFD for what is not to be printed. */
    static String of(String text) {
        String cut = text.length() <= CHARS_MAX
                ? text
                : text.substring(0, CHARS_MAX) + "... (" + text.length() + " characters)";
        return CONTROL.matcher(cut).replaceAll("\uFFFD");
    }
}
