package io.summarizer.core.decode;

import java.nio.charset.StandardCharsets;

/**
 * Carries the reason for a rejection out of a decoder. Has no stack trace, because bad payloads may be very frequent.
 */
public final class BadPayloadException extends Exception {
    private static final int MAX_QUOTED_BYTES = 40;

    BadPayloadException(String reason) {
        super(reason, null, false, false);
    }

    /** An exception with the message {@code field: "text" is not expected}. A long text is shortened. */
    static BadPayloadException of(FieldSchema field, byte[] bytes, int from, int to, String expected) {
        String text = new String(bytes, from, Math.min(to - from, MAX_QUOTED_BYTES), StandardCharsets.UTF_8);
        String cut = to - from > MAX_QUOTED_BYTES ? "..." : "";
        return new BadPayloadException(field.name() + ": \"" + text + cut + "\" is not " + expected);
    }
}
