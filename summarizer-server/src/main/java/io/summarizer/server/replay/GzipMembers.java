package io.summarizer.server.replay;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/**
 * The contents of all members of a gzip stream (RFC 1952). The JDK's stream ends after a member in two wrong cases:
 * when the next member has not arrived yet, as in a pipe, and when the next bytes do not begin a member. This stream
 * waits, and reports such bytes. Zeros after the last member are padding. Used by one thread.
 */
final class GzipMembers extends GZIPInputStream {
    private static final int BUFFER_BYTES = 64 * 1024;
    private static final int TRAILER_BYTES = 8;

    private final Source source;
    /** Number of bytes that were read when the buffer was filled last. */
    private long filled;

    private boolean ended;

    /** A stream of packed bytes that always says that more bytes are available, so that the JDK looks for them. */
    private static final class Source extends FilterInputStream {
        private long count;

        Source(InputStream in) {
            super(in);
        }

        @Override
        public int read() throws IOException {
            int read = super.read();
            count += read < 0 ? 0 : 1;
            return read;
        }

        @Override
        public int read(byte[] to, int offset, int length) throws IOException {
            int read = super.read(to, offset, length);
            count += Math.max(0, read);
            return read;
        }

        @Override
        public int available() {
            return 1;
        }
    }

    GzipMembers(InputStream in) throws IOException {
        this(new Source(in));
    }

    private GzipMembers(Source source) throws IOException {
        super(source, BUFFER_BYTES);
        this.source = source;
    }

    @Override
    protected void fill() throws IOException {
        super.fill();
        filled = source.count;
    }

    @Override
    public int read(byte[] to, int offset, int length) throws IOException {
        int read = super.read(to, offset, length);
        if (read < 0 && !ended) {
            ended = true;
            checkEnd();
        }
        return read;
    }

    /** Checks that the last member is the end of the stream. */
    private void checkEnd() throws IOException {
        int left = inf.getRemaining();
        // What was read beyond the trailer are bytes that do not begin a member.
        boolean hasMore = source.count > filled + Math.max(0, TRAILER_BYTES - left);
        for (int i = len - left + TRAILER_BYTES; i < len; i++) {
            hasMore |= buf[i] != 0;
        }
        for (int next = source.read(); next >= 0 && !hasMore; next = source.read()) {
            hasMore = next != 0;
        }
        if (hasMore) {
            throw new ZipException("the bytes after a gzip member are no gzip member");
        }
    }
}
