package io.summarizer.server.cli;

import java.nio.file.Path;

/** The folder in which the Summarizer is installed, with {@code schemas/}, {@code config/} and {@code data/}. */
final class HomeFolder {
    private HomeFolder() {}

    /** The folder that the start script gives, or else the working directory. */
    static Path path() {
        return Path.of(System.getProperty("summarizer.home", "")).toAbsolutePath();
    }

    /** The program, as the shell found it, for commands that are shown. */
    static String program() {
        return quoted(System.getProperty("summarizer.program", "bin/summarizer"));
    }

    /**
     * A file of the installation, for commands that are shown. The path is relative to the working directory if the
     * file is below that.
     */
    static String spelled(String file) {
        Path there = path().resolve(file);
        Path here = Path.of("").toAbsolutePath();
        return quoted((there.startsWith(here) ? here.relativize(there) : there).toString());
    }

    private static String quoted(String word) {
        return word.matches("[\\w./+-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
    }

    /** The default folder of definitions. */
    static Path definitions() {
        return path().resolve("schemas");
    }
}
