package io.summarizer.flink.cli;

import io.summarizer.core.disk.DiskErrors;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.Logger;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** The entry point of {@code summarizer flink}: runs the command, and turns a failure into a line and an exit code. */
@Command(
        name = "summarizer flink",
        description = "Runs the same definitions on Apache Flink.",
        versionProvider = Version.class,
        synopsisSubcommandLabel = "COMMAND")
public final class FlinkCommand {
    private static final String PROGRAM = "summarizer";
    private static final int HELP_COLUMNS_MIN = 60;
    private static final int HELP_COLUMNS_MAX = 120;

    private FlinkCommand() {}

    /** Runs a command of the process. */
    public static void main(String[] arguments) {
        PrintStream out = stream(FileDescriptor.out);
        PrintStream err = stream(FileDescriptor.err);
        logErrors();
        int exit = run(System.in, out, err, arguments);
        out.flush();
        err.flush();
        System.exit(exit);
    }

    private static PrintStream stream(FileDescriptor descriptor) {
        return new PrintStream(new FileOutputStream(descriptor), true, StandardCharsets.UTF_8);
    }

    /**
     * Makes the log show only errors, because Flink logs a lot. Changes nothing if the JVM has a configuration of the
     * log.
     */
    private static void logErrors() {
        if (System.getProperty("java.util.logging.config.file") == null) {
            Logger root = Logger.getLogger("");
            root.setLevel(Level.SEVERE);
            for (Handler handler : root.getHandlers()) {
                handler.setLevel(Level.SEVERE);
            }
        }
    }

    /** Runs a command; returns its exit code. */
    static int run(InputStream in, PrintStream out, PrintStream err, String... arguments) {
        CommandLine line = new CommandLine(new FlinkCommand());
        line.addSubcommand(new TryCommand(out, err));
        line.addSubcommand(new DemoPartsCommand(in, out, err));
        complete(line);
        line.getCommandSpec()
                .addOption(OptionSpec.builder("--version")
                        .versionHelp(true)
                        .description("Show the version.")
                        .build());
        int columns = Integer.getInteger("summarizer.columns", HELP_COLUMNS_MAX);
        return line.setUsageHelpWidth(Math.max(HELP_COLUMNS_MIN, Math.min(columns, HELP_COLUMNS_MAX)))
                .setOut(new PrintWriter(out, true, StandardCharsets.UTF_8))
                .setErr(new PrintWriter(err, true, StandardCharsets.UTF_8))
                .setParameterExceptionHandler((e, args) -> usage(e, err))
                .setExecutionExceptionHandler((e, command, result) -> failed(e, command, err))
                .execute(arguments.length == 0 ? new String[] {"--help"} : arguments);
    }

    private static void complete(CommandLine line) {
        line.getSubcommands().values().forEach(FlinkCommand::complete);
        Converters.register(line);
        CommandLine.Model.UsageMessageSpec usage = line.getCommandSpec().usageMessage();
        usage.sortOptions(false);
        usage.exitCodeListHeading("Exit status:%n");
        Map<String, String> codes = new LinkedHashMap<>();
        codes.put(String.valueOf(Exit.OK), "All is well.");
        codes.put(String.valueOf(Exit.NO), "The definitions have errors, or cannot work on a cluster.");
        codes.put(String.valueOf(Exit.USAGE), "An option is wrong.");
        codes.put(
                String.valueOf(Exit.FAILED),
                "The command could not do its work: a file is unreadable, the job failed, or the module is not built.");
        usage.exitCodeList(codes);
        line.getCommandSpec()
                .addOption(OptionSpec.builder("-h", "--help")
                        .usageHelp(true)
                        .description("Show this help.")
                        .build());
    }

    private static int usage(ParameterException e, PrintStream err) {
        err.println(PROGRAM + ": " + e.getMessage());
        PrintWriter writer = new PrintWriter(err, true, StandardCharsets.UTF_8);
        if (!UnmatchedArgumentException.printSuggestions(e, writer)) {
            err.println("Try: " + e.getCommandLine().getCommandSpec().qualifiedName() + " --help");
        }
        return Exit.USAGE;
    }

    private static int failed(Exception e, CommandLine command, PrintStream err) {
        if (e instanceof CommandFailure failure) {
            err.println(failure.text(PROGRAM));
            return failure.exit();
        }
        if (e instanceof IllegalArgumentException) {
            return usage(new ParameterException(command, String.valueOf(e.getMessage()), e), err);
        }
        err.println(
                PROGRAM + ": " + (e instanceof IOException ? DiskErrors.describe(e) : "a fault of this program: " + e));
        return Exit.FAILED;
    }
}
