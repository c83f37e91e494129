package io.summarizer.core.text;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Characters with which text from outside could control a terminal or begin a line: the control characters of ASCII and
 * of ISO 6429 (C1), and the separators of lines and paragraphs.
 */
public final class ControlCharacters {
    private static final Pattern CONTROL = Pattern.compile("\\p{Cntrl}|[\\x{80}-\\x{9f}\\u2028\\u2029]");

    private ControlCharacters() {}

    /** Returns the text with {@code replacement} for each of these characters. */
    public static String replaced(String text, String replacement) {
        return CONTROL.matcher(text).replaceAll(Matcher.quoteReplacement(replacement));
    }
}
