package io.summarizer.dsl.check;

import java.io.IOException;

/** Rules for the text of every file. */
final class SourceText {
    /** Maximum size of a file. Definitions are written by people, so their files are small. */
    static final int MAX_BYTES = 1 << 20;

    private SourceText() {}

    /**
     * Thrown for a file that can be read but not used, which is an error in the definitions. The exception's message
     * has the reason.
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

    /** The text without a byte order mark at its start. Editors on Windows write such marks. */
    static String withoutMark(String text) {
        return text.startsWith("\uFEFF") ? text.substring(1) : text;
    }
}
