package io.summarizer.core.state;

import io.summarizer.core.bytes.BlockBuffer;
import java.io.IOException;
import java.io.OutputStream;

/**
 * Divides the bytes of one part of a cut into blocks. {@link #close} writes the last block and leaves the file open.
 * Not thread-safe.
 */
final class PartStream extends OutputStream {
    private final String name;
    private final BlockSink.Writer out;
    private final BlockBuffer plain = new BlockBuffer();
    private int pieces;
    private int from;

    PartStream(String name, BlockSink.Writer out) {
        this.name = name;
        this.out = out;
        begin();
    }

    private void begin() {
        plain.clear();
        plain.putName(name);
        plain.putInt(pieces++);
        from = plain.position();
    }

    @Override
    public void write(int b) throws IOException {
        plain.putByte(b);
        flushFull();
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        int at = offset;
        int left = length;
        while (left > 0) {
            int next = Math.min(left, StateFormat.PIECE_BYTES - (plain.position() - from));
            plain.putBytes(bytes, at, next);
            at += next;
            left -= next;
            flushFull();
        }
    }

    private void flushFull() throws IOException {
        if (plain.position() - from == StateFormat.PIECE_BYTES) {
            out.write(StateFormat.PART, -1, plain);
            begin();
        }
    }

    /**
     * Writes the last piece. An empty part is written as one empty piece; otherwise, the part would be missing in the
     * file.
     */
    @Override
    public void close() throws IOException {
        if (plain.position() > from || pieces == 1) {
            out.write(StateFormat.PART, -1, plain);
        }
    }
}
