package io.summarizer.server.cli;

import java.nio.file.Path;

/** The folder in which the Summarizer is installed, with {@code schemas/}, {@code config/} and {@code data/}. */
final class HomeFolder {
    private HomeFolder() {}

    /** The folder that the start script gives, or else the working directory. */
    static Path path() {
        return Path.of(System.getProperty("summarizer.home", "")).toAbsolutePath();
    }

    /** The default folder of definitions. */
    static Path definitions() {
        return path().resolve("schemas");
    }
}
