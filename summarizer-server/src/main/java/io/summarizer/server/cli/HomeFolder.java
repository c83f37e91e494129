package io.summarizer.server.cli;

import java.nio.file.Path;

/** The folder that the Summarizer is installed in: where {@code schemas/}, {@code config/} and {@code data/} are. */
final class HomeFolder {
    private HomeFolder() {}

    /** As the start script says, else the working directory. */
    static Path path() {
        return Path.of(System.getProperty("summarizer.home", "")).toAbsolutePath();
    }

    /** Where definitions are unless somebody says otherwise. */
    static Path definitions() {
        return path().resolve("schemas");
    }
}
