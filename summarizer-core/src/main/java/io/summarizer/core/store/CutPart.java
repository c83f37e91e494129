package io.summarizer.core.store;

import java.io.IOException;
import java.io.OutputStream;

/**
 * Something that a cut has beside the rows of summaries, as of the same point of the stream, and that a checkpoint keeps: a name
 * and bytes. Whoever takes state up again finds them under that name. Read by one thread at a time, while the cut is held.
 */
public interface CutPart {
    /** What it is found by; unique within a cut. */
    String name();

    /** Writes all of it; does not close the stream. */
    void writeTo(OutputStream out) throws IOException;

    /** A part of so few bytes that they lie ready. */
    static CutPart of(String name, byte[] bytes) {
        return new CutPart() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public void writeTo(OutputStream out) throws IOException {
                out.write(bytes);
            }
        };
    }
}
