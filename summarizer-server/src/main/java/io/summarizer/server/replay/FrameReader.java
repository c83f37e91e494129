package io.summarizer.server.replay;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * Reads messages from a stream of either {@link FrameFormat}. Memory: one buffer of the size of the largest message.
 * Empty lines are skipped.
 */
public final class FrameReader implements MessageReader {
    private static final int BUFFER_BYTES = 256 * 1024;
    private static final int MESSAGE_BYTES_MAX = 256 << 20;
    private static final int COUNT_DIGITS_MAX = 9;

    private final InputStream in;
    private final FrameFormat format;
    private byte[] buffer = new byte[BUFFER_BYTES];
    private int position;
    private int limit;
    private boolean end;
    private int offset;
    private int length;

    /** Makes a reader that detects the format from the beginning of {@code in}. */
    public FrameReader(InputStream in) throws IOException {
        this.in = in;
        while (limit < buffer.length && fill()) {
            // Reads as much as detection may use.
        }
        format = FrameFormat.detect(buffer, limit);
    }

    /** Makes a reader of a known format. The reader reads no more from {@code in} than it needs. */
    public FrameReader(InputStream in, FrameFormat format) {
        this.in = in;
        this.format = format;
    }

    @Override
    public boolean next() throws IOException {
        return format == FrameFormat.LF ? nextLine() : nextCounted();
    }

    @Override
    public byte[] buffer() {
        return buffer;
    }

    @Override
    public int offset() {
        return offset;
    }

    @Override
    public int length() {
        return length;
    }

    @Override
    public boolean isLines() {
        return format == FrameFormat.LF;
    }

    private boolean nextLine() throws IOException {
        int scan = position;
        while (true) {
            for (; scan < limit; scan++) {
                if (buffer[scan] == '\n') {
                    if (take(position, scan)) {
                        position = scan + 1;
                        return true;
                    }
                    position = scan + 1;
                }
            }
            int scanned = scan - position;
            if (end || !fill()) {
                boolean last = take(position, limit);
                position = limit;
                return last;
            }
            scan = position + scanned;
        }
    }

    private boolean take(int from, int to) {
        offset = from;
        length = to - from;
        if (length > 0 && buffer[to - 1] == '\r') {
            length--;
        }
        return length > 0;
    }

    private boolean nextCounted() throws IOException {
        while (has(1) && buffer[position] == '\n') {
            position++;
        }
        if (!has(1)) {
            return false;
        }
        int count = 0;
        int digits = 0;
        while (has(1) && digits < COUNT_DIGITS_MAX && buffer[position] >= '0' && buffer[position] <= '9') {
            count = count * 10 + (buffer[position++] - '0');
            digits++;
        }
        if (count == 0 || !has(1) || buffer[position] != ' ') {
            throw new IOException("not a count where an octet-counted frame should begin");
        }
        position++;
        if (!has(count)) {
            throw new EOFException(
                    "ends within a frame: " + count + " bytes announced, " + (limit - position) + " there");
        }
        offset = position;
        length = count;
        position += count;
        return true;
    }

    private boolean has(int bytes) throws IOException {
        while (limit - position < bytes) {
            if (!fill()) {
                return false;
            }
        }
        return true;
    }

    /**
     * Reads more bytes and puts them after the bytes in the buffer. When the buffer is full, drops the bytes before the
     * position.
     */
    private boolean fill() throws IOException {
        if (end) {
            return false;
        }
        if (limit == buffer.length) {
            if (position > 0) {
                System.arraycopy(buffer, position, buffer, 0, limit - position);
                limit -= position;
                position = 0;
            } else if (buffer.length >= MESSAGE_BYTES_MAX) {
                throw new IOException("a message larger than " + (MESSAGE_BYTES_MAX >> 20) + " MiB");
            } else {
                buffer = Arrays.copyOf(buffer, buffer.length * 2);
            }
        }
        int read = in.read(buffer, limit, buffer.length - limit);
        if (read < 0) {
            end = true;
            return false;
        }
        limit += read;
        return true;
    }
}
