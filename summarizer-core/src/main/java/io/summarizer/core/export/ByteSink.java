package io.summarizer.core.export;

import java.io.IOException;

/** Takes bytes as they come; {@code OutputStream::write} is one. */
@FunctionalInterface
public interface ByteSink {
    /** Takes {@code length} bytes; afterwards the array belongs to the caller again. May block. */
    void write(byte[] bytes, int offset, int length) throws IOException;
}
