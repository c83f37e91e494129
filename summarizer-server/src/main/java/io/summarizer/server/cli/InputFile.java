package io.summarizer.server.cli;

import java.nio.file.Files;
import java.nio.file.Path;

/** Checks of a file that a command reads. */
final class InputFile {
    private InputFile() {}

    /** Rejects an unreadable file before any work is done. */
    static void check(Path input) throws CommandFailure {
        if (Files.isDirectory(input)) {
            throw new CommandFailure(input + ": is a folder; name a file in it");
        }
        if (Files.notExists(input)) { // false also when a folder of the path is closed to this user
            throw new CommandFailure(input + ": no such file");
        }
        if (!Files.isReadable(input)) {
            throw new CommandFailure(input + ": this user may not read it");
        }
    }
}
