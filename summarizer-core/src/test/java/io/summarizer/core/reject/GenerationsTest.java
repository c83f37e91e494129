package io.summarizer.core.reject;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GenerationsTest {
    @TempDir
    private Path folder;

    private void write(String name, int bytes) throws IOException {
        Files.write(folder.resolve(name), new byte[bytes]);
    }

    /** Somebody takes only the files of messages: their indexes must not fill the disk. */
    @Test
    void shouldBoundIndexesWithoutTheirFiles() throws IOException {
        write("payload.1.frames", 100);
        write("payload.1.log", 30);
        write("payload.2.frames", 100);
        write("payload.2.log", 40);
        write("payload.log", 1_000); // the index of the present file
        Generations generations = new Generations(folder, 10_000);
        assertThat(generations.bytes()).isEqualTo(270);
        Files.delete(folder.resolve("payload.1.frames"));
        assertThat(generations.bytes()).isEqualTo(170);
        assertThat(new Generations(folder, 10_000).bytes())
                .as("in the next process")
                .isEqualTo(170);
        Files.delete(folder.resolve("payload.2.frames"));
        generations.bound(50);
        assertThat(generations.bytes()).isEqualTo(40);
        assertThat(folder.resolve("payload.1.log")).doesNotExist();
        assertThat(folder.resolve("payload.2.log")).exists();
        assertThat(generations.droppedFrames()).isZero();
        Files.delete(folder.resolve("payload.2.log"));
        assertThat(generations.bytes()).isZero();
        assertThat(generations.next("payload")).isEqualTo(1);
    }
}
