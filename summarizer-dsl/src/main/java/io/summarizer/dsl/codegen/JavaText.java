package io.summarizer.dsl.codegen;

import com.fasterxml.jackson.core.io.NumberOutput;
import java.util.Locale;

/** Writes Java literals and text of comments. Text from definitions cannot end such a literal or comment. */
public final class JavaText {
    private JavaText() {}

    /** A string literal, all ASCII. */
    public static String literal(String value) {
        StringBuilder text = new StringBuilder(value.length() + 2).append('"');
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            switch (c) {
                case '"', '\\' -> text.append('\\').append(c);
                case '\n' -> text.append("\\n");
                case '\r' -> text.append("\\r");
                case '\t' -> text.append("\\t");
                default -> {
                    if (c >= ' ' && c < 0x7f) {
                        text.append(c);
                    } else {
                        text.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
                    }
                }
            }
        }
        return text.append('"').toString();
    }

    /** A long literal. */
    public static String literal(long value) {
        return value == Long.MIN_VALUE ? "Long.MIN_VALUE" : value + "L";
    }

    /** A literal for a finite double. The text is the same on every JDK. */
    public static String literal(double value) {
        if (!Double.isFinite(value)) {
            throw new IllegalArgumentException(value + " has no literal");
        }
        // The JDK's own printing of doubles differs between the JDKs that we support.
        return NumberOutput.toString(value, true);
    }

    /**
     * Makes text safe for a comment. A backslash could start a Unicode escape, and an asterisk with a slash would end
     * the comment.
     */
    public static String inComment(String text) {
        StringBuilder harmless = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean unicodeEscape = c == '\\' && i + 1 < text.length() && text.charAt(i + 1) == 'u';
            boolean end = c == '/' && i > 0 && text.charAt(i - 1) == '*';
            if (unicodeEscape || end) {
                harmless.append(unicodeEscape ? "\\ " : " /");
            } else if (c == '\n' || (c >= ' ' && c < 0x7f)) {
                harmless.append(c);
            } else {
                harmless.append('?');
            }
        }
        return harmless.toString();
    }
}
