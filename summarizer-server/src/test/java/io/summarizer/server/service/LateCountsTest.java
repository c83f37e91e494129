package io.summarizer.server.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class LateCountsTest {
    @TempDir
    private Path folder;

    @Test
    @Timeout(60)
    void aDamagedFileEndsAndTheNextFilesCount() throws Exception {
        Files.write(folder.resolve("S.1.log"), new byte[2 << 20]);
        Files.writeString(folder.resolve("S.log"), "{\"window\":\"1970-01-01T00:01:00Z\"}\n".repeat(3));
        LateCounts counts = new LateCounts(folder);
        for (int i = 0; i < 2; i++) {
            assertThat(counts.of("S")).isEqualTo(Map.of(60_000_000L, 3L));
        }
    }
}
