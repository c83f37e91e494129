package io.summarizer.dsl.check;

import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/** Rules for the path and the text of every file. */
final class SourceText {
    /** Maximum size of a file. Definitions are written by people, so their files are small. */
    static final int MAX_BYTES = 1 << 20;

    /**
     * Maximum size of a path as it is written in a URL. A service keeps each file under this name, in one folder.
     */
    private static final int MAX_ENCODED_PATH = 255;

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

    /**
     * Checks the length of a path from the definitions folder.
     *
     * @throws Unusable when the path is too long
     */
    static void checkPath(String path) throws Unusable {
        int length = URLEncoder.encode(path, StandardCharsets.UTF_8).length();
        if (length > MAX_ENCODED_PATH) {
            throw new Unusable("has a path that is too long: written in a URL, it has " + length
                    + " characters, and at most " + MAX_ENCODED_PATH + " are allowed");
        }
    }

    static Unusable notUtf8() {
        return new Unusable("is not UTF-8");
    }

    /** The text without a byte order mark at its start. Editors on Windows write such marks. */
    static String withoutMark(String text) {
        return text.startsWith("\uFEFF") ? text.substring(1) : text;
    }
}
