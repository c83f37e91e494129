package io.summarizer.core.reject;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** The number of frames in a file of octet-counted frames, and the end of the last complete frame. */
final class FrameFile {
    private static final int DIGITS_MAX = 9;

    private FrameFile() {}

    /** The number of whole frames at the start of a file, and the number of their bytes. */
    record Extent(long frames, long bytes) {}

    /**
     * Counts the sound frames at the start of {@code path}; finds no frames when the file does not exist. Cost: reads
     * the file once.
     */
    static Extent sound(Path path) throws IOException {
        if (!Files.exists(path)) {
            return new Extent(0, 0);
        }
        long frames = 0;
        long end = 0;
        try (InputStream in = new BufferedInputStream(Files.newInputStream(path), 1 << 16)) {
            while (true) {
                long length = 0;
                int digits = 0;
                int b = in.read();
                while (b >= '0' && b <= '9' && digits < DIGITS_MAX) {
                    length = length * 10 + (b - '0');
                    digits++;
                    b = in.read();
                }
                if (digits == 0 || b != ' ' || length == 0) {
                    return new Extent(frames, end);
                }
                try {
                    in.skipNBytes(length);
                } catch (EOFException e) {
                    return new Extent(frames, end);
                }
                frames++;
                end += digits + 1 + length;
            }
        }
    }
}
