package io.summarizer.core.store;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;

/**
 * Data of a cut in addition to the rows of summaries, at the same point of the stream. A part has a name and bytes. A
 * checkpoint has all parts, and a restart finds the bytes of a part by its name. One thread at a time reads a part,
 * while the cut is held.
 */
public interface CutPart {
    /** Name of the part; unique within a cut. */
    String name();

    /** Writes the whole part; does not close the stream. */
    void writeTo(OutputStream out) throws IOException;

    /** Writes the bytes of a part. */
    @FunctionalInterface
    interface Content {
        void writeTo(DataOutputStream out) throws IOException;
    }

    /** A part of bytes that {@code content} writes to memory now. */
    static CutPart of(String name, Content content) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            content.writeTo(out);
        } catch (IOException e) {
            throw new UncheckedIOException(e); // in memory
        }
        return new CutPart() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public void writeTo(OutputStream out) throws IOException {
                bytes.writeTo(out);
            }
        };
    }
}
