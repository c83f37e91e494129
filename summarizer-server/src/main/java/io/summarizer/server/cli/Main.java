package io.summarizer.server.cli;

import io.summarizer.core.disk.DiskErrors;
import io.summarizer.core.export.CsvQueryException;
import io.summarizer.server.config.ConfigException;
import io.summarizer.server.service.DefinitionsException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.UnmatchedArgumentException;

/** The process's entry point, which finds the command, runs it, and turns a failure into a line and an exit code. */
@Command(
        name = "summarizer",
        description = "Turns a stream of syslog events into small keyed summaries while they arrive.",
        versionProvider = Version.class,
        footer = {"", "First time here? Try: summarizer demo"})
public final class Main {
    private static final String VERSION = "--version";
    /** Commands in the order of the help. */
    private static final Map<String, Supplier<Object>> COMMANDS = new LinkedHashMap<>();

    static {
        COMMANDS.put("serve", ServeCommand::new);
        COMMANDS.put("demo", DemoCommand::new);
        COMMANDS.put("check", CheckCommand::new);
        COMMANDS.put("topics", TopicsCommand::new);
        COMMANDS.put("explain", ExplainCommand::new);
        COMMANDS.put("run", RunCommand::new);
        COMMANDS.put("replay", ReplayCommand::new);
        COMMANDS.put("rejects", RejectsCommand::new);
        COMMANDS.put("generate", GenerateCommand::new);
        COMMANDS.put("export", ExportCommand::new);
        COMMANDS.put("ledger", LedgerCommand::new);
        COMMANDS.put("reset", ResetCommand::new);
        COMMANDS.put("windows", WindowsCommand::new);
        COMMANDS.put("plan", PlanCommand::new);
        COMMANDS.put("reload", ReloadCommand::new);
        COMMANDS.put("state", StateCommand::new);
        COMMANDS.put("journal", JournalCommand::new);
        COMMANDS.put("merge", MergeCommand::new);
        COMMANDS.put("token", TokenCommand::new);
    }

    /** Puts an option behind the others in help texts. */
    private static final int LAST = 1;

    private static final int HELP_COLUMNS_MIN = 60;
    private static final int HELP_COLUMNS_MAX = 120;

    @Option(
            names = "--verbose",
            order = LAST,
            scope = ScopeType.INHERIT,
            description = "Show stack traces, and log more details.")
    private boolean verbose;

    private final Terminal terminal;
    private final Map<String, String> environment;

    private Main(Terminal terminal, Map<String, String> environment) {
        this.terminal = terminal;
        this.environment = environment;
    }

    /** Whether stack traces are requested. */
    boolean isVerbose() {
        return verbose;
    }

    /** Runs a command of the process. */
    public static void main(String[] arguments) {
        Logging.configure(List.of(arguments).contains("--verbose"));
        Terminal terminal = Terminal.ofProcess();
        System.exit(run(terminal, System.getenv(), arguments));
    }

    /** Runs a command; returns its exit code. */
    static int run(Terminal terminal, Map<String, String> environment, String... arguments) {
        Main main = new Main(terminal, environment);
        int exit = main.execute(arguments);
        terminal.out().flush();
        return terminal.data().failure() == null ? exit : main.outputFailed();
    }

    private int execute(String... arguments) {
        try {
            if (List.of(arguments).equals(List.of(VERSION))) {
                terminal.out().println(Version.line()); // without the command line, whose making would take long
                return Exit.OK;
            }
            return line(arguments)
                    .setUsageHelpWidth(Math.max(HELP_COLUMNS_MIN, Math.min(terminal.columns(), HELP_COLUMNS_MAX)))
                    .setOut(new PrintWriter(terminal.out(), true, StandardCharsets.UTF_8))
                    .setErr(new PrintWriter(terminal.err(), true, StandardCharsets.UTF_8))
                    .setParameterExceptionHandler((e, args) -> usage(e))
                    .setExecutionExceptionHandler((e, command, result) -> failed(e))
                    .execute(arguments);
        } catch (OutOfMemoryError e) {
            terminal.err().println("summarizer: out of memory: raise the heap (-Xmx in SUMMARIZER_JAVA_OPTS)");
            return Exit.of(e);
        } catch (StackOverflowError | LinkageError | AssertionError e) {
            fault(e);
            trace(e);
            return Exit.of(e);
        }
    }

    /** All commands and their options. */
    public static CommandLine commandLine() {
        Terminal silent = Terminal.of(OutputStream.nullOutputStream(), OutputStream.nullOutputStream());
        return new Main(silent, Map.of()).line();
    }

    /**
     * Makes only the command that the first argument names, to save time. Makes all commands when the first argument
     * names no command.
     */
    private CommandLine line(String... arguments) {
        CommandLine line = new CommandLine(this);
        Supplier<Object> named = arguments.length > 0 ? COMMANDS.get(arguments[0]) : null;
        (named == null ? COMMANDS.values() : List.of(named)).forEach(made -> line.addSubcommand(made.get()));
        complete(line);
        line.getCommandSpec()
                .addOption(OptionSpec.builder(VERSION)
                        .order(LAST)
                        .versionHelp(true)
                        .description("Show the version.")
                        .build())
                .addOption(OptionSpec.builder("--json")
                        .order(LAST)
                        .description("With --version: print JSON.")
                        .build());
        return line;
    }

    /**
     * Returns the exit code after a failed write. The code of the command does not matter, because its answer is
     * incomplete. Prints the error, unless the reader closed the pipe.
     */
    private int outputFailed() {
        if (terminal.data().isClosedPipe()) {
            return Exit.CLOSED_PIPE;
        }
        IOException failure = terminal.data().failure();
        terminal.err().println("summarizer: standard output: " + (failure == null ? "" : DiskErrors.describe(failure)));
        return Exit.FAILED;
    }

    /**
     * Gives a command and its subcommands the process's streams, the parsers, the help option and the list of exit
     * codes. Only the meaning of the code NO comes from the command itself.
     */
    private void complete(CommandLine line) {
        line.getSubcommands().values().forEach(this::complete);
        if (line.getCommand() instanceof Subcommand command) {
            command.terminal = terminal;
            command.environment = environment;
        }
        if (line.getCommand() instanceof JsonCommand command) {
            line.getCommandSpec().addMixin("json", CommandSpec.forAnnotatedObject(command.json));
        }
        Converters.register(line);
        UsageMessageSpec usage = line.getCommandSpec().usageMessage();
        String no = usage.exitCodeList().getOrDefault(String.valueOf(Exit.NO), "Not used by this command.");
        usage.sortOptions(false);
        usage.exitCodeListHeading("Exit status:%n");
        usage.exitCodeList(Exit.help(no));
        line.getCommandSpec()
                .addOption(OptionSpec.builder("-h", "--help")
                        .usageHelp(true)
                        .order(LAST)
                        .description("Show this help.")
                        .build());
    }

    private int usage(ParameterException e) {
        terminal.err().println("summarizer: " + e.getMessage());
        PrintWriter err = new PrintWriter(terminal.err(), true, StandardCharsets.UTF_8);
        if (!UnmatchedArgumentException.printSuggestions(e, err)) {
            err.println("Try: " + e.getCommandLine().getCommandSpec().qualifiedName() + " --help");
        }
        return Exit.of(e);
    }

    private int failed(Exception e) {
        if (e instanceof CommandFailure failure) {
            print(failure.details(), String.valueOf(e.getMessage()));
        } else if (e instanceof DefinitionsException definitions) {
            print(definitions.rendered(), definitions.summary());
        } else if (e instanceof ConfigException config) {
            int problems = config.problems().size();
            print(
                    String.valueOf(e.getMessage()),
                    "the configuration has " + problems + (problems == 1 ? " problem" : " problems"));
        } else if (e instanceof CsvQueryException) {
            print("", String.valueOf(e.getMessage()));
        } else if (e == terminal.data().failure()) {
            return Exit.of(e); // reported later, together with failed writes that threw no exception
        } else if (e instanceof IOException) {
            print("", DiskErrors.describe(e));
        } else {
            fault(e);
        }
        trace(e);
        return Exit.of(e);
    }

    private void fault(Throwable e) {
        print("", "a fault of this program: " + e + " (--verbose shows where)");
    }

    private void trace(Throwable e) {
        if (verbose) {
            e.printStackTrace(terminal.err());
        }
    }

    private void print(String details, String line) {
        if (!details.isEmpty()) {
            terminal.err().println(details);
            terminal.err().println();
        }
        terminal.err().println("summarizer: " + line);
    }
}
