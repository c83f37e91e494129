package io.summarizer.server.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Files of the last program with formats of version 1, and the CSV that it made of them: a state file with every type,
 * and the data folder of a service that was killed, with checkpoints, a journal beyond them that has a reset and other
 * definitions, and sums at the bounds of int64. They must never change.
 */
class VersionOneTest {
    private static final List<String> TABLES = List.of("Shops", "Shops/items", "Emptied");

    @TempDir
    private Path folder;

    private static Path resource(String name) throws URISyntaxException {
        return Path.of(Objects.requireNonNull(VersionOneTest.class.getResource("/version-1/" + name), name)
                .toURI());
    }

    private static void assertHasTheRowsOfThen(RunningService service) throws Exception {
        String cut = null;
        for (String table : TABLES) {
            RunningService.Pulled pulled = service.pull(table, cut);
            cut = pulled.cut();
            assertThat(pulled.csv().lines().sorted())
                    .as(table)
                    .containsExactlyElementsOf(Files.readString(resource(table.replace('/', '.') + ".csv"))
                            .lines()
                            .sorted()
                            .toList());
        }
    }

    private static void unzip(InputStream in, Path into) throws IOException {
        try (ZipInputStream zip = new ZipInputStream(in)) {
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                Path file = into.resolve(entry.getName());
                Files.createDirectories(file.getParent());
                Files.copy(zip, file);
            }
        }
    }

    @Test
    void aServiceGoesOnFromADataFolderOfVersion1AndThenFromItsOwn() throws Exception {
        Path data = folder.resolve("data");
        try (InputStream in = Files.newInputStream(resource("data.zip"))) {
            unzip(in, data);
        }
        for (int start = 0; start < 3; start++) {
            try (RunningService service = RunningService.start(resource("definitions"), data)) {
                assertHasTheRowsOfThen(service);
            }
        }
    }

    @Test
    void aStateFileOfVersion1IsLoaded() throws Exception {
        try (RunningService service =
                RunningService.start(resource("definitions"), folder.resolve("data"), List.of(resource("cut.state")))) {
            assertHasTheRowsOfThen(service);
        }
    }
}
