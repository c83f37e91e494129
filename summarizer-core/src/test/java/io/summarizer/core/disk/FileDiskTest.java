package io.summarizer.core.disk;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileDiskTest {
    @TempDir
    Path folder;

    @Test
    void aNewFileReplacesALinkAndTheFileThatTheLinkNamesStays() throws IOException {
        Path other = Files.writeString(folder.resolve("other"), "precious");
        Files.createSymbolicLink(folder.resolve("symbolic"), other);
        Files.createLink(folder.resolve("hard"), other);
        for (String name : new String[] {"symbolic", "hard"}) {
            try (DiskFile file = new FileDisk(folder).create(name)) {
                file.write(ByteBuffer.wrap("new".getBytes(UTF_8)), 0);
            }
            assertThat(other).hasContent("precious");
            assertThat(folder.resolve(name)).hasContent("new");
            assertThat(Files.isSymbolicLink(folder.resolve(name))).isFalse();
        }
    }
}
