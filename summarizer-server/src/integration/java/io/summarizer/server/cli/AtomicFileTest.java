package io.summarizer.server.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AtomicFileTest {
    @TempDir
    Path folder;

    @Test
    void theOldFileIsThereUntilTheNewOneIsWhole() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "old");
        try (AtomicFile given = new AtomicFile(file)) {
            given.stream().write("half".getBytes(UTF_8));
        }
        assertThat(file).hasContent("old");
        replace(file);
        assertThat(file).hasContent("new");
        assertThat(names()).containsExactly("file");
    }

    @Test
    void aLinkStaysOneAndItsFileIsReplaced() throws IOException {
        Files.createDirectory(folder.resolve("there"));
        Path file = Files.writeString(folder.resolve("there/file"), "old");
        Path link = Files.createSymbolicLink(folder.resolve("link"), Path.of("there/file"));
        Path other = Files.createSymbolicLink(folder.resolve("other"), Path.of("link"));
        replace(other);
        assertThat(other).isSymbolicLink();
        assertThat(link).isSymbolicLink();
        assertThat(file).hasContent("new");

        Files.delete(file);
        replace(link);
        assertThat(link).isSymbolicLink();
        assertThat(file).hasContent("new");
    }

    @Test
    void aPipeIsWrittenToAndStaysOne() throws Exception {
        Path pipe = folder.resolve("pipe");
        assumeTrue(isMade(pipe), "no mkfifo here");
        CompletableFuture<String> read = CompletableFuture.supplyAsync(() -> {
            try {
                return Files.readString(pipe);
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        });
        replace(pipe);
        assertThat(read.get(30, TimeUnit.SECONDS)).isEqualTo("new");
        assertThat(pipe).exists().isNotEqualTo(folder);
        assertThat(Files.isRegularFile(pipe)).isFalse();
        assertThat(names()).containsExactly("pipe");
    }

    @Test
    void nobodyCanGuessTheNameOfTheUnfinishedFile() throws IOException {
        Path file = folder.resolve("file");
        try (AtomicFile one = new AtomicFile(file);
                AtomicFile other = new AtomicFile(file)) {
            one.stream().write("one".getBytes(UTF_8));
            other.stream().write("other".getBytes(UTF_8));
            assertThat(names()).hasSize(2).allMatch(name -> name.matches("\\.file\\.[0-9a-f]{1,16}\\.tmp"));
            one.commit();
        }
        assertThat(file).hasContent("one");
        assertThat(names()).containsExactly("file");
    }

    private static boolean isMade(Path pipe) throws InterruptedException {
        try {
            return new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor() == 0;
        } catch (IOException e) {
            return false;
        }
    }

    private static void replace(Path file) throws IOException {
        try (AtomicFile given = new AtomicFile(file)) {
            given.stream().write("new".getBytes(UTF_8));
            given.commit();
        }
    }

    private Stream<String> names() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).toList().stream();
        }
    }
}
