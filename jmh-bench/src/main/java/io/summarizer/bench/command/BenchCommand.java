package io.summarizer.bench.command;

import io.summarizer.bench.report.Provenance;
import io.summarizer.bench.report.SectionProcess;
import io.summarizer.core.disk.DiskErrors;
import io.summarizer.server.config.ConfigException;
import io.summarizer.server.service.DefinitionsException;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * A program of this package: a command with options and {@code --help}, named after its class. The program reports an
 * error in one line. Not thread-safe. Each object is used for one run.
 *
 * <p>{@link #call} returns the exit code. Invalid arguments give the code 2. The code is 1 when {@code call} throws
 * {@link IllegalArgumentException}, {@link IOException}, {@link ConfigException} or {@link DefinitionsException}; the
 * exception's message then names an error in the input. Any other exception is a fault of the program, and is printed
 * with its stack trace.
 */
@Command(sortOptions = false)
@SuppressWarnings("NullAway.Init") // picocli sets the specification
abstract class BenchCommand implements Callable<Integer> {
    private static final int HELP_COLUMNS = 100;

    /** The project's root. */
    final Path home = Path.of(System.getProperty("summarizer.home", "."));

    @Spec
    private CommandSpec specification;

    /** Does the work; returns the exit code. */
    @Override
    public abstract Integer call() throws Exception;

    /** Runs the command whose class the first argument names, and ends the JVM. */
    public static void main(String[] arguments) throws ReflectiveOperationException {
        Class<?> command = Class.forName(BenchCommand.class.getPackageName() + '.' + arguments[0]);
        System.exit(run(
                (BenchCommand) command.getDeclaredConstructor().newInstance(),
                System.out,
                System.err,
                Arrays.copyOfRange(arguments, 1, arguments.length)));
    }

    /** Runs a command; returns the exit code. */
    static int run(BenchCommand command, PrintStream out, PrintStream errors, String... arguments) {
        return commandLine(command)
                .setOut(new PrintWriter(out, true, StandardCharsets.UTF_8))
                .setErr(new PrintWriter(errors, true, StandardCharsets.UTF_8))
                .setParameterExceptionHandler((e, given) -> {
                    errors.println(command.name() + ": " + e.getMessage() + "; see --help");
                    return CommandLine.ExitCode.USAGE;
                })
                .setExecutionExceptionHandler((e, line, parsed) -> {
                    if (!isOfInput(e)) {
                        throw e;
                    }
                    errors.println(command.name() + ": " + describe(e));
                    return CommandLine.ExitCode.SOFTWARE;
                })
                .execute(arguments);
    }

    /** Makes the command line, for {@link #run} and for tests. */
    static CommandLine commandLine(BenchCommand command) {
        CommandLine line = new CommandLine(command);
        command.addOptions(line.getCommandSpec());
        line.getCommandSpec()
                .addOption(OptionSpec.builder("-h", "--help")
                        .usageHelp(true)
                        .description("Show this help.")
                        .build());
        return line.setCommandName("bin/bench " + command.name())
                .setUsageHelpWidth(HELP_COLUMNS)
                .setCaseInsensitiveEnumValuesAllowed(true)
                // Otherwise picocli takes a mistyped long option for a short option with a value.
                .setPosixClusteredShortOptionsAllowed(false);
    }

    /** Adds options that no field declares. */
    void addOptions(CommandSpec specification) {}

    /** The name of the command for {@code bin/bench}: {@code distinct-error} for {@code DistinctError}. */
    final String name() {
        return getClass().getSimpleName().replaceAll("(?<=.)(?=[A-Z])", "-").toLowerCase(Locale.ROOT);
    }

    /** The parsed command line. */
    final CommandLine line() {
        return specification.commandLine();
    }

    /** Makes the exception for an invalid argument. */
    final ParameterException unusable(String why) {
        return new ParameterException(line(), why);
    }

    /** Rejects a number that is too small. */
    final void atLeast(long least, String option, long given) {
        if (given < least) {
            throw unusable(option + " " + given + " is less than " + least);
        }
    }

    /** Rejects choices that {@code all} does not have. */
    final void among(List<String> all, String what, List<String> chosen) {
        for (String one : chosen) {
            if (!all.contains(one)) {
                throw unusable("no " + what + " " + one + "; there are " + String.join(", ", all));
            }
        }
    }

    private static boolean isOfInput(Exception e) {
        return e instanceof IllegalArgumentException
                || e instanceof IOException
                || e instanceof UncheckedIOException
                || e instanceof ConfigException
                || e instanceof DefinitionsException;
    }

    private static String describe(Exception e) {
        Throwable told = e instanceof UncheckedIOException && e.getCause() instanceof IOException cause ? cause : e;
        if (told instanceof IOException io) {
            return DiskErrors.describe(io);
        }
        String message = told.getMessage();
        return message == null ? told.toString() : message;
    }

    /**
     * The option {@code --record} of benchmarks: a file of results to which rows are appended, with their provenance.
     */
    static final class Recording {
        /** The file; null when nothing is recorded. */
        @Option(names = "--record", paramLabel = "FILE", description = "Append a row for each figure to FILE.")
        @Nullable
        Path file;

        /** Appends rows with the columns of {@code header}, if a file is given. */
        void add(Path home, String header, List<String> rows) throws IOException, InterruptedException {
            if (file != null) {
                Provenance.of(home).append(file, header, rows);
            }
        }

        /** Appends the rows of sections. */
        void add(Path home, List<String> rows) throws IOException, InterruptedException {
            add(home, SectionProcess.HEADER, rows);
        }
    }
}
