package io.summarizer.server.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Option;

/** The option to replace an existing state file; an input is never replaced. */
final class OverwriteOption {
    @Option(names = "--overwrite", description = "Replace the state file if it exists.")
    private boolean overwrite;

    /**
     * Refuses an output file if writing it would destroy data. Called before any work is done.
     *
     * @param inputs files that the command reads; a link to one of them is refused, too
     * @param what name of the output on the command line
     */
    void check(Path file, List<Path> inputs, String what) throws IOException, CommandFailure {
        if (!Files.exists(file)) {
            return;
        }
        checkApart(file, inputs, what);
        if (!Files.isRegularFile(file)) {
            throw CommandFailure.usage(what + ": " + file + " is there already, and no file");
        }
        if (!overwrite) {
            throw CommandFailure.usage(
                    what + ": " + file + " is there already; name another file, or replace it with --overwrite");
        }
    }

    /** Refuses to write to an input. */
    static void checkApart(Path file, List<Path> inputs, String what) throws IOException, CommandFailure {
        for (Path input : inputs) {
            if (Files.exists(file) && Files.exists(input) && Files.isSameFile(file, input)) {
                throw CommandFailure.usage(what + ": " + file + " is "
                        + (file.equals(input) ? "" : "the same file as " + input + ", ")
                        + "a file to read; what is written needs a place of its own");
            }
        }
    }
}
