package io.summarizer.core.export;

import java.io.IOException;

/** Takes bytes in pieces of any size; {@code OutputStream::write} is such a sink. */
@FunctionalInterface
public interface ByteSink {
    /** Takes {@code length} bytes. May block. When the method returns, the array belongs to the caller again. */
    void write(byte[] bytes, int offset, int length) throws IOException;
}
