package io.summarizer.server.e2e;

import static org.junit.jupiter.api.Assumptions.abort;

import io.summarizer.server.cli.ProjectHome;
import java.nio.file.Files;
import java.nio.file.Path;

/** Recorded data that lies beside the project, or where SUMMARIZER_SHARED_DATA says, and may be absent. */
final class SharedData {
    private SharedData() {}

    /** The file; without it, the test that asks is skipped. */
    static Path file(String name) {
        String given = System.getenv("SUMMARIZER_SHARED_DATA");
        Path folder = given != null
                ? Path.of(given)
                : ProjectHome.path().resolveSibling("shared").resolve("data");
        Path file = folder.resolve(name);
        return Files.exists(file) ? file : abort(file + " is not there; SUMMARIZER_SHARED_DATA names another folder");
    }
}
