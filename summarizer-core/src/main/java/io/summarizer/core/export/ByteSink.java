package io.summarizer.core.export;

import java.io.IOException;

/** Takes bytes as they come; {@code OutputStream::write} is one. */
@FunctionalInterface
public interface ByteSink {
    /** Takes {@code length} bytes; the array is the caller's again when this returns. May block. */
    void write(byte[] bytes, int offset, int length) throws IOException;
}
