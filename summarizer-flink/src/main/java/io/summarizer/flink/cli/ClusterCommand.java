package io.summarizer.flink.cli;

import io.summarizer.flink.options.JobOptions;
import java.io.IOException;
import java.io.PrintStream;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParameterException;

/**
 * The arguments of {@code flink run summarizer-flink-VERSION.jar}. The process may be a client or a JobManager, so no
 * method of this class ends the process.
 */
@Command(
        name = "flink run summarizer-flink.jar",
        description = "Runs definitions on a Flink cluster.",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class)
public final class ClusterCommand {
    @Mixin
    private JobArguments arguments = new JobArguments();

    private ClusterCommand() {}

    /**
     * A job to be submitted.
     *
     * @param definitions texts of the checked definitions by their paths from their folder
     */
    public record Job(JobOptions options, Map<String, String> definitions) {}

    /**
     * Parses arguments and checks the definitions.
     *
     * @return the job; null when help was asked for, and printed
     * @throws IllegalArgumentException when the arguments or the definitions are wrong; the message says why, on
     *     several lines if there are several errors
     */
    public static @Nullable Job parse(String[] arguments, PrintStream out, PrintStream err) {
        ClusterCommand command = new ClusterCommand();
        CommandLine line = new CommandLine(command);
        Converters.register(line);
        try {
            CommandLine.ParseResult result = line.parseArgs(arguments);
            if (result.isUsageHelpRequested()) {
                line.usage(out, CommandLine.Help.Ansi.OFF);
                return null;
            }
            if (result.isVersionHelpRequested()) {
                line.printVersionHelp(out, CommandLine.Help.Ansi.OFF);
                return null;
            }
            JobOptions options = command.arguments.options();
            return new Job(options, CheckedFiles.of(command.arguments.definitions(), err));
        } catch (ParameterException e) {
            throw new IllegalArgumentException(e.getMessage() + "\nTry: " + command.help(), e);
        } catch (CommandFailure e) {
            throw new IllegalArgumentException(e.text("summarizer"), e);
        } catch (IOException e) {
            throw new IllegalArgumentException(String.valueOf(e.getMessage()), e);
        }
    }

    private String help() {
        return new CommandLine(this).getCommandName() + " --help";
    }
}
