package io.summarizer.server.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.summarizer.core.LogLines;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DataLockTest {
    @TempDir
    Path folder;

    @Test
    void aFolderHasOneOwnerAndTheErrorNamesIt() throws IOException {
        Path data = folder.resolve("data");
        try (DataLock lock = DataLock.of(data)) {
            assertThat(lock).isNotNull();
            assertThat(data.resolve("lock"))
                    .hasContent("" + ProcessHandle.current().pid());
            assertThatThrownBy(() -> DataLock.of(data))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(
                            "in use by process " + ProcessHandle.current().pid());
        }
    }

    @Test
    void aFolderThatCannotBeMadeIsNamedWithItsSetting() throws IOException {
        Path data = Files.writeString(folder.resolve("file"), "").resolve("data");
        assertThatThrownBy(() -> DataLock.of(data))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("cannot make the data folder " + data + " (setting data): ");
    }

    @Test
    void itIsFreeAgainWhenClosedAndWhenItsOwnerDied() throws IOException {
        DataLock.of(folder).close();
        Files.writeString(folder.resolve("lock"), "999999999999\n");
        DataLock.of(folder).close();
        assertThat(folder.resolve("lock"))
                .hasContent("" + ProcessHandle.current().pid());
    }

    @Test
    void anotherProcessIsNamedToo() throws Exception {
        Process other = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Holder.class.getName(),
                        folder.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try {
            assertThat(other.getInputStream().read()).isEqualTo('+');
            assertThatThrownBy(() -> DataLock.of(folder)).hasMessageContaining("in use by process " + other.pid());
        } finally {
            other.destroyForcibly();
        }
        assertThat(other.waitFor()).isNotZero();
        DataLock.of(folder).close();
    }

    @Test
    void rootIsWarnedThatTheFolderBelongsToSomebodyElse() throws IOException {
        assumeTrue(System.getProperty("user.name").equals("root"), "only root can give a folder away");
        Files.setOwner(
                folder, folder.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("nobody"));
        LogLines logged = LogLines.of(DataLock.class);
        try (logged) {
            DataLock.of(folder).close();
        }
        assertThat(logged.lines())
                .singleElement()
                .asString()
                .contains("belongs to nobody", "chown -R nobody: " + folder);
    }

    /** A process that claims a folder and stays. */
    static final class Holder {
        private Holder() {}

        public static void main(String[] arguments) throws Exception {
            try (DataLock lock = DataLock.of(Path.of(arguments[0]))) {
                System.out.print(lock == null ? '-' : '+');
                System.out.flush();
                Thread.sleep(60_000);
            }
        }
    }
}
