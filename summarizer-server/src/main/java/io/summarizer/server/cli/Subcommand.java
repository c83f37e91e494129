package io.summarizer.server.cli;

import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A command, with the streams and the environment of its process. */
@SuppressWarnings("NullAway.Init") // picocli sets the command; Main sets the other fields before the call
abstract class Subcommand implements Callable<Integer> {
    Terminal terminal;
    Map<String, String> environment;

    @Spec
    private CommandSpec command;

    /**
     * Makes the failure for wrong options or arguments. After the message, the command tells the user how to get help.
     */
    final ParameterException wrong(String text) {
        return new ParameterException(command.commandLine(), text);
    }
}
