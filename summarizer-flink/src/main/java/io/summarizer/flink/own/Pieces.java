package io.summarizer.flink.own;

import io.summarizer.core.bytes.Bytes;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/**
 * The format of bytes of unknown length within a longer stream. The bytes are divided into pieces, each with its length
 * as a little-endian int before it. An empty piece marks the end. Stateless.
 */
final class Pieces {
    private static final int PIECE_BYTES = 64 * 1024;

    private Pieces() {}

    /** A stream of pieces. Closing it ends the pieces, and leaves {@code out} open. */
    static OutputStream to(OutputStream out) {
        return new OutputStream() {
            private final byte[] piece = new byte[Integer.BYTES + PIECE_BYTES];
            private int limit = Integer.BYTES;

            @Override
            public void write(int b) throws IOException {
                if (limit == piece.length) {
                    writePiece();
                }
                piece[limit++] = (byte) b;
            }

            @Override
            public void write(byte[] from, int offset, int length) throws IOException {
                for (int done = 0; done < length; ) {
                    if (limit == piece.length) {
                        writePiece();
                    }
                    int count = Math.min(length - done, piece.length - limit);
                    System.arraycopy(from, offset + done, piece, limit, count);
                    limit += count;
                    done += count;
                }
            }

            private void writePiece() throws IOException {
                Bytes.putInt(piece, 0, limit - Integer.BYTES);
                out.write(piece, 0, limit);
                limit = Integer.BYTES;
            }

            @Override
            public void close() throws IOException {
                if (limit > Integer.BYTES) {
                    writePiece();
                }
                writePiece();
            }
        };
    }

    /** Copies all pieces to {@code out}. */
    static void copy(InputStream from, OutputStream out) throws IOException {
        DataInputStream in = new DataInputStream(from);
        byte[] piece = new byte[PIECE_BYTES];
        byte[] header = new byte[Integer.BYTES];
        while (true) {
            in.readFully(header);
            int length = Bytes.getInt(header, 0);
            if (length < 0 || length > PIECE_BYTES) {
                throw new EOFException("a piece of state has length=" + length);
            }
            if (length == 0) {
                return;
            }
            in.readFully(piece, 0, length);
            out.write(piece, 0, length);
        }
    }
}
