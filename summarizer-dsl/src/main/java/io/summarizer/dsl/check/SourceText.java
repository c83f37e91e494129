package io.summarizer.dsl.check;

import java.io.IOException;

/** Rules for the text of every file. */
final class SourceText {
    /** Size of the largest file. People write definitions, so the files are small. */
    static final int MAX_BYTES = 1 << 20;

    private SourceText() {}

    /**
     * Thrown for a file that can be read but not used. This is an error of the definitions. The exception's message has
     * the reason.
     */
    static final class Unusable extends IOException {
        Unusable(String message) {
            super(message);
        }
    }

    static Unusable tooLarge() {
        return new Unusable("is larger than " + (MAX_BYTES >> 20) + " MiB");
    }

    static Unusable notUtf8() {
        return new Unusable("is not UTF-8");
    }

    /** The text without a leading byte order mark, which editors on Windows write. */
    static String withoutMark(String text) {
        return text.startsWith("\uFEFF") ? text.substring(1) : text;
    }
}
