package io.summarizer.core.bytes;

import java.io.IOException;
import java.io.OutputStream;

/** A stream whose only way to write is that of several bytes. */
public abstract class BlockOutputStream extends OutputStream {
    @Override
    public final void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public abstract void write(byte[] bytes, int offset, int length) throws IOException;
}
