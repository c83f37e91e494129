package io.summarizer.core.disk;

import io.summarizer.core.bytes.BlockOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Writes a file from its start. Closing the stream does not close the file. Not thread-safe. */
public final class DiskOutput extends BlockOutputStream {
    private final DiskFile file;
    private long written;

    public DiskOutput(DiskFile file) {
        this.file = file;
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        file.write(ByteBuffer.wrap(bytes, offset, length), written);
        written += length;
    }
}
