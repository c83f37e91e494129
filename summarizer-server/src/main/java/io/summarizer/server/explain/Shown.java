package io.summarizer.server.explain;

import io.summarizer.core.text.ControlCharacters;

/** Makes text from the wire safe to show: the text can neither control a terminal nor fill it. */
final class Shown {
    /** Largest number of characters shown of one text. */
    static final int CHARS_MAX = 400;

    private Shown() {}

    /** Returns the text, cut when it is long, with U+FFFD for unprintable characters. */
    static String of(String text) {
        String cut = text.length() <= CHARS_MAX
                ? text
                : text.substring(0, CHARS_MAX) + "... (" + text.length() + " characters)";
        return ControlCharacters.replaced(cut, "\uFFFD");
    }
}
