package io.summarizer.server.cli;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/**
 * Turns lines that are payloads into syslog messages. Puts the same header before each line that is not empty. The
 * MSGID of the header is the topic. Used by one thread.
 */
final class PayloadLines extends InputStream {
    private static final int BUFFER_BYTES = 64 * 1024;

    private final InputStream in;
    private final byte[] header;
    private final byte[] buffer = new byte[BUFFER_BYTES + 1]; // one more byte, to look ahead
    private int at;
    private int limit;
    private boolean atLineStart = true;
    /**
     * Number of bytes of {@link #header} that must still be read from this stream before the next byte of {@link
     * #buffer}.
     */
    private int headerLeft;

    /** Reads lines from {@code in}. Closing this stream closes {@code in}. */
    PayloadLines(InputStream in, String topic) {
        this.in = in;
        header = header(topic);
    }

    /** Returns the bytes to put before a line. They end with the space that is not part of a payload. */
    static byte[] header(String topic) {
        return ("<13>1 - - - - " + topic + " -  ").getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        int read = read(one, 0, 1);
        return read < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        int from = offset;
        int end = offset + length;
        while (from < end) {
            if (headerLeft > 0) {
                int count = Math.min(headerLeft, end - from);
                System.arraycopy(header, header.length - headerLeft, bytes, from, count);
                headerLeft -= count;
                from += count;
                continue;
            }
            if (at == limit && (from > offset || !fill())) {
                break;
            }
            if (atLineStart && !isEmptyLine()) {
                atLineStart = false;
                headerLeft = header.length;
                continue;
            }
            int most = Math.min(limit - at, end - from);
            int count = 0;
            while (count < most && !atLineStart) {
                atLineStart = buffer[at + count++] == '\n';
            }
            if (count == 0) {
                count = 1; // the line feed of an empty line
            }
            System.arraycopy(buffer, at, bytes, from, count);
            at += count;
            from += count;
        }
        return from == offset ? -1 : from - offset;
    }

    private boolean isEmptyLine() throws IOException {
        if (buffer[at] == '\r' && at + 1 == limit) {
            limit += Math.max(0, in.read(buffer, limit, 1));
        }
        return buffer[at] == '\n' || (buffer[at] == '\r' && at + 1 < limit && buffer[at + 1] == '\n');
    }

    private boolean fill() throws IOException {
        at = 0;
        limit = Math.max(0, in.read(buffer, 0, BUFFER_BYTES));
        return limit > 0;
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
