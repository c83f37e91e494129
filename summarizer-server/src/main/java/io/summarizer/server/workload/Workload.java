package io.summarizer.server.workload;

import java.io.IOException;
import java.io.OutputStream;

/**
 * Generated messages, each as a line that ends in LF. Message i depends only on the seed and on i, on any JDK.
 * Immutable; may be shared.
 */
public abstract sealed class Workload permits AdsWorkload, AccessWorkload {
    private static final int BUFFER_BYTES = 64 * 1024;

    private final int lineBytesMax;

    /**
     * Constructor.
     *
     * @param lineBytesMax largest number of bytes of a line
     */
    Workload(int lineBytesMax) {
        this.lineBytesMax = lineBytesMax;
    }

    /** Writes the first {@code events} events. Neither flushes nor closes {@code out}. */
    public final void writeTo(OutputStream out, long events) throws IOException {
        writeTo(out, 0, events);
    }

    /** Writes events {@code from} up to {@code to}, exclusive. */
    public final void writeTo(OutputStream out, long from, long to) throws IOException {
        Encoder encoder = encoder();
        AsciiBuffer buffer = new AsciiBuffer(BUFFER_BYTES);
        for (long index = from; index < to; index++) {
            encoder.append(index, buffer);
            if (buffer.length > BUFFER_BYTES - lineBytesMax) {
                out.write(buffer.bytes, 0, buffer.length);
                buffer.length = 0;
            }
        }
        out.write(buffer.bytes, 0, buffer.length);
    }

    /** Makes an encoder for one thread. */
    abstract Encoder encoder();

    /** A writer of single lines. Confined to one thread. */
    interface Encoder {
        /** Appends event {@code index} as one line. */
        void append(long index, AsciiBuffer out);
    }
}
