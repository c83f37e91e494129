package io.summarizer.bench.chaos;

import io.summarizer.core.bytes.Sha256;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;

/** Files whose bytes must never change once they were seen. One thread. */
final class SeenFiles {
    /** SHA-256 of each file that was seen. */
    private final Map<Path, String> seen = new HashMap<>();

    /**
     * Remembers the SHA-256 of a new file. For a file that was seen before, checks that the SHA-256 is the same.
     * Returns the SHA-256.
     */
    String look(Path file) throws IOException {
        String now = sha256(Files.readAllBytes(file));
        String before = seen.putIfAbsent(file, now);
        if (before != null && !before.equals(now)) {
            throw new ChaosException(file + " has changed");
        }
        return now;
    }

    /** Returns the SHA-256 of bytes. */
    static String sha256(byte[] bytes) {
        return HexFormat.of().formatHex(Sha256.of(bytes));
    }
}
