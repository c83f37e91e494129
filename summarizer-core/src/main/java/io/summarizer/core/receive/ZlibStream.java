package io.summarizer.core.receive;

import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * Tells a stream that its sender compresses as a whole, as rsyslog's omfwd does with {@code compression.mode="stream:always"}, from
 * one of messages: it has the header of zlib (RFC 1950), and begins with a digit or a PRI when it is inflated. One for each stream,
 * which remembers how much it inflated: it inflates again when there is twice as much, however small the pieces are that come. Used by one
 * thread at a time.
 */
final class ZlibStream {
    /** The answer to {@link #look}. */
    enum Answer {
        YES,
        NO,
        /** More bytes are needed to tell. */
        MORE
    }

    static final String HINT = "the stream is compressed as a whole (zlib), which is not read; set compression.mode="
            + "\"single\" for rsyslog's omfwd, or none";

    /** Deflate, with a window of 32 KiB: an x, where it is text. */
    private static final byte METHOD = 0x78;
    /** The check of a header's two bytes. */
    private static final int CHECK = 31;
    /** One of the second bytes that pass the check is printable. */
    private static final byte PRINTABLE = '^';
    /** Compressed data has a byte that is no text before that. */
    private static final int TEXT_BYTES_MAX = 64;
    /** More than the codes of a first block take. */
    private static final int BYTES_MAX = 1024;

    /** Bytes that were inflated last and did not tell. */
    private int inflated;

    /** Times that bytes were inflated. */
    private int inflations;

    /** Looks at the first bytes of a stream, of which there is at least one, and none fewer than before. */
    Answer look(byte[] bytes, int from, int to) {
        if (bytes[from] != METHOD) {
            return Answer.NO;
        }
        if (to - from == 1) {
            return Answer.MORE;
        }
        if ((METHOD << 8 | (bytes[from + 1] & 0xff)) % CHECK != 0) {
            return Answer.NO;
        }
        if (bytes[from + 1] == PRINTABLE) {
            int end = textEnd(bytes, from, to);
            if (end == to || bytes[end] == '\n') {
                return end == to && to - from <= TEXT_BYTES_MAX ? Answer.MORE : Answer.NO; // a line, so far
            }
        }
        if (to - from < 2 * inflated) {
            return Answer.MORE;
        }
        inflated = to - from;
        inflations++;
        Inflater inflater = new Inflater();
        try {
            inflater.setInput(bytes, from, to - from);
            byte[] first = new byte[1];
            if (inflater.inflate(first) > 0) {
                return first[0] == '<' || StreamFramer.isDigit(first[0]) ? Answer.YES : Answer.NO;
            }
        } catch (DataFormatException e) {
            return Answer.NO;
        } finally {
            inflater.end();
        }
        return to - from > BYTES_MAX ? Answer.NO : Answer.MORE;
    }

    /** Number of times that bytes were inflated. */
    int inflations() {
        return inflations;
    }

    /** Where the first byte is that is no ASCII text. */
    private static int textEnd(byte[] bytes, int from, int to) {
        int at = from;
        while (at < to && (bytes[at] >= ' ' || bytes[at] == '\t' || bytes[at] == '\r')) {
            at++;
        }
        return at;
    }
}
