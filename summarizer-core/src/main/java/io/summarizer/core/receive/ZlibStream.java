package io.summarizer.core.receive;

import io.summarizer.core.text.Utf8;

/**
 * Distinguishes a stream that is compressed as a whole from a stream of messages. rsyslog's omfwd compresses streams
 * with {@code compression.mode="stream:always"}. Stateless.
 *
 * <p>A compressed stream begins with the header of zlib (RFC 1950): an {@code x} and one of four bytes. Two of these
 * four bytes cannot follow an {@code x} in UTF-8; a stream with one of these two is compressed. For the other two, the
 * first {@value #TEXT_BYTES} bytes of the stream decide. UTF-8 without control characters is taken for lines;
 * everything else, even a line in Latin-1, is taken for a compressed stream.
 */
final class ZlibStream {
    /** The result of {@link #look}. */
    enum Answer {
        YES,
        NO,
        /** More bytes are needed to decide. */
        MORE
    }

    static final String HINT = "the stream is compressed as a whole (zlib), which is not read; set compression.mode="
            + "\"single\" for rsyslog's omfwd, or none";

    /** Deflate, with a window of 32 KiB. */
    private static final byte METHOD = 'x';

    // The second byte of a zlib header without preset dictionary: the compression level, and a checksum of both bytes.
    private static final byte FASTEST = 0x01;
    private static final byte FAST = 0x5e;
    private static final byte DEFAULT = (byte) 0x9c;
    private static final byte BEST = (byte) 0xda;

    /**
     * Number of bytes at the start of a stream that are checked. Within so many bytes, compressed data has a byte that
     * is not text.
     */
    static final int TEXT_BYTES = 64;
    /** Maximum number of bytes of a character in UTF-8. The bytes that are checked may end within a character. */
    private static final int CHARACTER_BYTES_MAX = 4;

    private ZlibStream() {}

    /** Checks the first bytes of a stream, at least one. */
    static Answer look(byte[] bytes, int from, int to) {
        if (bytes[from] != METHOD) {
            return Answer.NO;
        }
        if (to - from == 1) {
            return Answer.MORE;
        }
        return switch (bytes[from + 1]) {
            case FASTEST, DEFAULT -> Answer.YES;
            case FAST, BEST -> {
                if (!isText(bytes, from, Math.min(to, from + TEXT_BYTES))) {
                    yield Answer.YES;
                }
                yield to - from < TEXT_BYTES ? Answer.MORE : Answer.NO;
            }
            default -> Answer.NO;
        };
    }

    /** Whether the bytes are lines of UTF-8. The last character may be incomplete. */
    private static boolean isText(byte[] bytes, int from, int to) {
        for (int at = from; at < to; at++) {
            byte b = bytes[at];
            if (b >= 0 && b < ' ' && b != '\t' && b != '\r' && b != '\n') {
                return false;
            }
        }
        for (int end = to; end > to - CHARACTER_BYTES_MAX; end--) {
            if (Utf8.isValid(bytes, from, end)) {
                return true;
            }
            if (bytes[end - 1] >= 0) {
                return false;
            }
        }
        return false;
    }
}
