package io.summarizer.server.replay;

import io.summarizer.core.message.RejectReason;
import io.summarizer.core.text.Digits;

/**
 * A way to send a message to a listener that detects the framing of each frame. Such a listener takes a frame for
 * octet-counted if it starts with one to nine digits, a space, and then {@code <} or {@code z}. It takes any other
 * frame for a line.
 */
enum Passage {
    /** The message is sent after its length. */
    COUNTED,
    /** The message is sent before a line feed. */
    LINE,
    /**
     * The message starts like a counted frame, but does not contain the whole frame. So it is sent unchanged, on a
     * separate connection that ends after the message.
     */
    ALONE,
    /** The message is not sent, because every way would split or change it. */
    NONE;

    /**
     * Default bound of a listener on the length of a counted frame. The listener closes the connection when a frame
     * exceeds the bound.
     */
    static final int COUNTED_BYTES_MAX = 64 * 1024;

    private static final int DIGITS_MAX = 9;
    private static final int ZLIB_DEFLATE = 8;
    private static final int ZLIB_CHECK = 31;

    /** Information that a message's file, or the record of the message's rejection, gives about the message. */
    enum Origin {
        /** No information. */
        UNKNOWN,
        /**
         * The messages were rejected for their framing. So a message that starts with {@code z} must have been a
         * compressed frame.
         */
        BAD_FRAME,
        /**
         * The messages were rejected for their size. A listener closes the connection when so large a message comes as
         * a counted frame.
         */
        OVERSIZE;

        /** The origin of a message that was rejected for the reason with this label. */
        static Origin of(String reason) {
            if (reason.equals(RejectReason.FRAME.label())) {
                return BAD_FRAME;
            }
            return reason.equals(RejectReason.OVERSIZE.label()) ? OVERSIZE : UNKNOWN;
        }
    }

    /** Returns the way to send the message of {@code length} bytes, at least one, that begins at {@code offset}. */
    static Passage of(byte[] bytes, int offset, int length, Origin origin) {
        boolean line = lineLength(bytes, offset, length) > 0;
        byte first = bytes[offset];
        if (first == 'z' && (origin == Origin.BAD_FRAME || isZlib(bytes, offset + 1, offset + length))) {
            return COUNTED;
        }
        if (first == '<') {
            boolean large = origin == Origin.OVERSIZE || length > COUNTED_BYTES_MAX;
            return line && large ? LINE : COUNTED;
        }
        int header = headerLength(bytes, offset, length);
        if (header > 0) {
            return isWhole(bytes, offset, length, header) ? NONE : ALONE;
        }
        return line ? LINE : NONE;
    }

    /** Whether a line begins like a counted frame, so that a listener takes it and what follows for such a frame. */
    static boolean isCounted(byte[] bytes, int offset, int length) {
        return headerLength(bytes, offset, length) > 0;
    }

    /**
     * Length of the message when it is sent as a line; -1 when it cannot be sent as a line. A line feed at the end of a
     * counted frame does not count, because it is not part of the message.
     */
    static int lineLength(byte[] bytes, int offset, int length) {
        int end = offset + length;
        for (int i = offset; i < end; i++) {
            if (bytes[i] == '\n') {
                return i == end - 1 ? length - 1 : -1;
            }
        }
        return length;
    }

    /**
     * Whether bytes begin with a header of RFC 1950. Such a header has two bytes, with the compression method in the
     * low bits of the first byte; as one number, the two bytes are a multiple of 31.
     */
    private static boolean isZlib(byte[] bytes, int offset, int end) {
        if (end - offset < 2) {
            return false;
        }
        int header = ((bytes[offset] & 0xff) << 8) + (bytes[offset + 1] & 0xff);
        return (bytes[offset] & 0xf) == ZLIB_DEFLATE && header % ZLIB_CHECK == 0;
    }

    /**
     * Length of the header of a counted frame (the count and a space character) at the start of the message. The length
     * is 0 when a listener would not recognize such a header.
     */
    private static int headerLength(byte[] bytes, int offset, int length) {
        int digits = 0;
        while (digits < Math.min(DIGITS_MAX, length) && Digits.isDigit(bytes[offset + digits])) {
            digits++;
        }
        boolean counted = digits > 0
                && length > digits + 1
                && bytes[offset + digits] == ' '
                && (bytes[offset + digits + 1] == '<' || bytes[offset + digits + 1] == 'z');
        return counted ? digits + 1 : 0;
    }

    /** Whether the message begins with a complete counted frame. */
    private static boolean isWhole(byte[] bytes, int offset, int length, int header) {
        int count = 0;
        for (int i = 0; i < header - 1; i++) {
            count = count * 10 + (bytes[offset + i] - '0');
        }
        return bytes[offset] != '0' && count <= length - header;
    }
}
