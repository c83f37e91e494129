package io.summarizer.flink.cli;

import io.summarizer.dsl.check.CheckResult;
import io.summarizer.dsl.check.DefinitionsCompiler;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;

/** Definitions without errors, as texts that travel to the workers. */
final class CheckedFiles {
    /**
     * Maximum number of characters of all files together. There is a maximum because the files are part of the job that
     * the client sends.
     */
    private static final int CHARACTERS_MAX = 8 << 20;

    private CheckedFiles() {}

    /**
     * Checks the definitions of a folder.
     *
     * @param err gets warnings, as {@code check} prints them
     * @return the texts by their paths from the folder
     * @throws CommandFailure when there are errors; it has all of them
     */
    static Map<String, String> of(Path folder, PrintStream err) throws CommandFailure {
        CheckResult result = DefinitionsCompiler.check(folder);
        if (!result.isValid()) {
            throw new CommandFailure(
                    result.isReadable() ? Exit.NO : Exit.FAILED,
                    result.render().strip(),
                    String.format(
                            Locale.ROOT,
                            "%s has %,d %s",
                            folder,
                            result.errors(),
                            result.errors() == 1 ? "error" : "errors"));
        }
        if (!result.warnings().isEmpty()) {
            err.println(result.renderWarnings().strip() + "\n");
        }
        long characters =
                result.files().values().stream().mapToLong(String::length).sum();
        if (characters > CHARACTERS_MAX) {
            throw new CommandFailure(
                    Exit.NO, "", folder + ": the files have more than " + CHARACTERS_MAX + " characters together");
        }
        return result.files();
    }
}
