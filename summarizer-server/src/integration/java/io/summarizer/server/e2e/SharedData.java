package io.summarizer.server.e2e;

import static org.junit.jupiter.api.Assumptions.abort;

import io.summarizer.server.cli.ProjectHome;
import java.nio.file.Files;
import java.nio.file.Path;

/** Recorded data beside the project, or in the folder SUMMARIZER_SHARED_DATA, which may be absent. */
final class SharedData {
    private SharedData() {}

    /** Returns the file; without it, the calling test is skipped. */
    static Path file(String name) {
        String given = System.getenv("SUMMARIZER_SHARED_DATA");
        Path folder = given != null
                ? Path.of(given)
                : ProjectHome.path().resolveSibling("shared").resolve("data");
        Path file = folder.resolve(name);
        return Files.exists(file) ? file : abort(file + " is not there; SUMMARIZER_SHARED_DATA names another folder");
    }
}
