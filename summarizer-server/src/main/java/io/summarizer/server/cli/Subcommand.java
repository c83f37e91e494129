package io.summarizer.server.cli;

import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A command, with the streams and the environment of its process. */
@SuppressWarnings("NullAway.Init") // picocli sets the command; Main sets the other fields before the call
abstract class Subcommand implements Callable<Integer> {
    /** Standard output in place of a file to write. */
    static final Path STANDARD_OUTPUT = Path.of("-");

    Terminal terminal;
    Map<String, String> environment;

    @Spec
    private CommandSpec command;

    /** The file of an option {@code --out}; null for standard output, the default. */
    static @Nullable Path unlessStandardOutput(@Nullable Path out) {
        return STANDARD_OUTPUT.equals(out) ? null : out;
    }

    /**
     * Makes the failure for wrong options or arguments. After the message, the command tells the user how to get help.
     */
    final ParameterException wrong(String text) {
        return new ParameterException(command.commandLine(), text);
    }
}
