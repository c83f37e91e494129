package io.summarizer.core.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OwnerOnlyTest {
    @TempDir
    Path folder;

    @BeforeEach
    void onlyWhereThereArePermissions() {
        assumeTrue(folder.getFileSystem().supportedFileAttributeViews().contains("posix"));
    }

    @Test
    void whatItMakesIsTheOwnersAlone() throws IOException {
        OwnerOnly.createDirectories(folder.resolve("a/b"));
        OwnerOnly.createDirectories(folder.resolve("a/b"));
        OwnerOnly.open(folder.resolve("a/b/file"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)
                .close();
        assertThat(permissions("a")).isEqualTo("rwx------");
        assertThat(permissions("a/b")).isEqualTo("rwx------");
        assertThat(permissions("a/b/file")).isEqualTo("rw-------");
    }

    @Test
    void aDiskOfTheOwnersKeepsItsFilesAndFoldersFromOthers() throws IOException {
        Disk disk = FileDisk.ofOwner(folder.resolve("journal"));
        disk.create("segment").close();
        disk.folder("quarantine").create("copy").close();
        assertThat(permissions("journal")).isEqualTo("rwx------");
        assertThat(permissions("journal/segment")).isEqualTo("rw-------");
        assertThat(permissions("journal/quarantine")).isEqualTo("rwx------");
        assertThat(permissions("journal/quarantine/copy")).isEqualTo("rw-------");
    }

    @Test
    void takesFromOthersWhatTheyMayDoAndLeavesWhatALinkLeadsTo() throws IOException {
        Path outside = Files.createFile(folder.resolve("outside"));
        Path open = Files.createDirectories(folder.resolve("data/checkpoints"));
        Path file = Files.createFile(open.resolve("1.state"));
        Path executable = Files.createFile(open.resolve("x"));
        Files.setPosixFilePermissions(outside, PosixFilePermissions.fromString("rw-rw-rw-"));
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.setPosixFilePermissions(folder.resolve("data"), PosixFilePermissions.fromString("rwx------"));
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("r--r-----"));
        Files.setPosixFilePermissions(executable, PosixFilePermissions.fromString("rwx------"));
        Files.createSymbolicLink(open.resolve("link"), outside);

        OwnerOnly.Tightened tightened = OwnerOnly.tighten(folder.resolve("data"));

        assertThat(tightened.changed()).isEqualTo(2);
        assertThat(tightened.left()).isEmpty();
        assertThat(permissions("data/checkpoints")).isEqualTo("rwx------");
        assertThat(permissions("data/checkpoints/1.state")).isEqualTo("r--------");
        assertThat(permissions("outside")).isEqualTo("rw-rw-rw-");
        assertThat(OwnerOnly.tighten(folder.resolve("data")).changed()).isZero();
        assertThat(OwnerOnly.tighten(folder.resolve("absent")).changed()).isZero();
    }

    private String permissions(String path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve(path)));
    }
}
