package io.summarizer.server.cli;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Standard output as bytes. The class records the first error, which a PrintStream would hide. So an incomplete answer
 * does not look complete. Written by one thread.
 */
final class StandardOutput extends FilterOutputStream {
    private volatile @Nullable IOException failure;

    StandardOutput(OutputStream out) {
        super(out);
    }

    /** The first error, or null when all writes succeeded. */
    @Nullable
    IOException failure() {
        return failure;
    }

    /**
     * Whether the first error says that the reader closed the pipe, as {@code | head} does. In the JDK, only the
     * operating system's error text tells a closed pipe from a full disk. This method looks for a word that most
     * languages have in that text.
     */
    boolean isClosedPipe() {
        IOException failure = this.failure;
        return failure != null
                && String.valueOf(failure.getMessage()).toLowerCase(Locale.ROOT).contains("pipe");
    }

    @Override
    public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        try {
            out.write(bytes, offset, length);
        } catch (IOException e) {
            throw remembered(e);
        }
    }

    @Override
    public void flush() throws IOException {
        try {
            out.flush();
        } catch (IOException e) {
            throw remembered(e);
        }
    }

    private IOException remembered(IOException e) {
        if (failure == null) {
            failure = e;
        }
        return e;
    }
}
