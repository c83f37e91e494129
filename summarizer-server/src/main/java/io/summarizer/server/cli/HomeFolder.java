package io.summarizer.server.cli;

import java.nio.file.Path;

/** The folder in which the Summarizer is installed, with {@code schemas/}, {@code config/} and {@code data/}. */
final class HomeFolder {
    private HomeFolder() {}

    /** The folder that the start script gives, or else the working directory. */
    static Path path() {
        return Path.of(System.getProperty("summarizer.home", "")).toAbsolutePath();
    }

    /** The program, spelled as the user called it. */
    static String program() {
        return System.getProperty("summarizer.program", "bin/summarizer");
    }

    /** A file of the installation, relative to the working directory if it is below that. */
    static Path spelled(String file) {
        Path there = path().resolve(file);
        Path here = Path.of("").toAbsolutePath();
        return there.startsWith(here) ? here.relativize(there) : there;
    }

    /** The default folder of definitions. */
    static Path definitions() {
        return path().resolve("schemas");
    }
}
