package io.summarizer.bench.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The watch over files of windows finds what must not happen to them. */
class WindowFilesTest {
    private static final long SECOND = 1_000_000;
    /** A window that ended long ago, and one that ends long from now. */
    private static final String OLD = "20000101T000000Z";

    private static final String NEW = "22000101T000000Z";
    private static final long NEW_START = Instant.parse("2200-01-01T00:00:00Z").getEpochSecond() * SECOND;

    @TempDir
    Path folder;

    private WindowFiles files;

    @BeforeEach
    void begin() throws IOException {
        files = new WindowFiles(
                Files.createDirectory(folder.resolve("windows")), folder.resolve("links"), 5 * SECOND, 60 * SECOND);
        write(OLD + ".state", "old");
        write(NEW + ".state", "new");
        write("." + NEW + ".state.17.tmp", "unfinished");
        files.look();
        files.look();
        assertThat(files.windows()).isEqualTo(2);
    }

    private Path write(String name, String content) throws IOException {
        return Files.writeString(files.folder().resolve(name), content);
    }

    @Test
    void findsAFileThatChanged() throws IOException {
        write(NEW + ".state", "other");
        assertThatThrownBy(files::look).hasMessageContaining(NEW + ".state has changed");
    }

    @Test
    void findsAFileThatIsGoneTooEarly() throws IOException {
        Files.delete(files.folder().resolve(OLD + ".state"));
        files.look();
        assertThat(files.gone()).isEqualTo(1);
        Files.delete(files.folder().resolve(NEW + ".state"));
        assertThatThrownBy(files::look).hasMessageContaining(NEW + ".state is gone, and should be kept");
    }

    @Test
    void findsAFileThatComesAgain() throws IOException {
        Files.delete(files.folder().resolve(OLD + ".state"));
        files.look();
        write(OLD + ".state", "old");
        assertThatThrownBy(files::look).hasMessageContaining(OLD + ".state was deleted and is there again");
    }

    @Test
    void findsAFileThatReplacesAWindowAndWasNotPut() throws IOException {
        write(NEW + "-2.state", "corrected");
        assertThatThrownBy(files::look).hasMessageContaining(NEW + "-2.state replaces a window, and was not put");
    }

    @Test
    void takesAFileThatWasPut() throws IOException {
        assertThat(files.replaceable().keySet()).contains(NEW_START);
        files.putting(NEW_START, Files.writeString(folder.resolve("put"), "corrected"));
        files.look();
        assertThat(files.hasPut(NEW_START)).isFalse();
        assertThat(files.replaceable().keySet()).doesNotContain(NEW_START);
        write(NEW + "-2.state", "corrected");
        Files.delete(files.folder().resolve(NEW + ".state"));
        files.look();
        assertThat(files.hasPut(NEW_START)).isTrue();
    }

    @Test
    void bringsDeletedFilesBack() throws IOException {
        Files.delete(files.folder().resolve(OLD + ".state"));
        files.look();
        files.bringBack();
        assertThat(files.folder().resolve(OLD + ".state")).hasContent("old");
    }
}
