package io.summarizer.server.cli;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.function.LongConsumer;

/** A stream that counts the bytes read. */
final class CountingStream extends FilterInputStream {
    private final LongConsumer progress;
    private long count;

    CountingStream(InputStream in, LongConsumer progress) {
        super(in);
        this.progress = progress;
    }

    long count() {
        return count;
    }

    @Override
    public int read() throws IOException {
        int b = super.read();
        advance(b < 0 ? b : 1);
        return b;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        int read = super.read(bytes, offset, length);
        advance(read);
        return read;
    }

    @Override
    public boolean markSupported() {
        return false; // a reset would count bytes twice
    }

    private void advance(int read) {
        if (read > 0) {
            count += read;
            progress.accept(count);
        }
    }
}
