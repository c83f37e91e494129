package io.summarizer.server.cli;

import io.summarizer.core.export.CsvQueryException;
import io.summarizer.server.config.ConfigException;
import io.summarizer.server.service.DefinitionsException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.UnmatchedArgumentException;

/** The process's entry point: finds the command, runs it, turns failures into a line and an exit code. */
@Command(
        name = "summarizer",
        description = "Turns a stream of syslog events into small keyed summaries while they arrive.",
        versionProvider = Version.class,
        footer = {"", "First time here? Try: summarizer demo"},
        sortOptions = false)
public final class Main {
    private static final String VERSION = "--version";
    /** Commands in the order of the help. */
    private static final List<String> COMMANDS = List.of(
            "serve",
            "demo",
            "check",
            "topics",
            "explain",
            "run",
            "replay",
            "rejects",
            "generate",
            "export",
            "ledger",
            "reset",
            "plan",
            "reload",
            "state",
            "journal",
            "merge",
            "token");

    private static final int HELP_COLUMNS_MIN = 60;
    private static final int HELP_COLUMNS_MAX = 120;

    @Option(
            names = "--verbose",
            scope = ScopeType.INHERIT,
            description = "Show stack traces and what the service does.")
    private boolean verbose;

    private Main() {}

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
        int exit = execute(terminal, environment, arguments);
        terminal.out().flush();
        return terminal.data().failure() == null ? exit : outputFailed(terminal);
    }

    /** Prints the version without making the command line, which takes most of the time. */
    private static int version(Terminal terminal) {
        terminal.out().println(Version.line());
        return Exit.OK;
    }

    private static int execute(Terminal terminal, Map<String, String> environment, String... arguments) {
        Main main = new Main();
        int exit;
        try {
            exit = List.of(arguments).equals(List.of(VERSION))
                    ? version(terminal)
                    : execute(main, terminal, environment, arguments);
        } catch (OutOfMemoryError e) {
            terminal.err().println("summarizer: out of memory: raise the heap (-Xmx in SUMMARIZER_JAVA_OPTS)");
            exit = Exit.of(e);
        } catch (StackOverflowError | LinkageError | AssertionError e) {
            terminal.err().println("summarizer: a fault of this program: " + e + " (--verbose shows where)");
            if (main.verbose) {
                e.printStackTrace(terminal.err());
            }
            exit = Exit.of(e);
        }
        return exit;
    }

    private static int execute(Main main, Terminal terminal, Map<String, String> environment, String... arguments) {
        return commandLine(main, terminal, environment, arguments)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setUsageHelpWidth(Math.max(HELP_COLUMNS_MIN, Math.min(terminal.columns(), HELP_COLUMNS_MAX)))
                .setOut(new PrintWriter(terminal.out(), true, StandardCharsets.UTF_8))
                .setErr(new PrintWriter(terminal.err(), true, StandardCharsets.UTF_8))
                .setParameterExceptionHandler((e, args) -> usage(terminal, e))
                .setExecutionExceptionHandler(failure(terminal, main))
                .execute(arguments);
    }

    /** All commands and their options. */
    static CommandLine commandLine(Terminal terminal) {
        return commandLine(new Main(), terminal, Map.of());
    }

    /**
     * Makes only the command that the first argument names, which saves the time to read all others; otherwise all
     * commands.
     */
    private static CommandLine commandLine(
            Main main, Terminal terminal, Map<String, String> environment, String... arguments) {
        CommandLine line = new CommandLine(main);
        List<String> names = arguments.length > 0 && COMMANDS.contains(arguments[0]) ? List.of(arguments[0]) : COMMANDS;
        names.forEach(name -> line.addSubcommand(command(name, terminal, environment)));
        addHelp(line);
        line.getCommandSpec()
                .addOption(OptionSpec.builder(VERSION)
                        .versionHelp(true)
                        .description("Show the version.")
                        .build())
                .addOption(OptionSpec.builder("--json")
                        .description("With --version: print JSON.")
                        .build());
        return line;
    }

    private static Object command(String name, Terminal terminal, Map<String, String> environment) {
        return switch (name) {
            case "serve" -> new ServeCommand(terminal, environment);
            case "demo" -> new DemoCommand(terminal);
            case "check" -> new CheckCommand(terminal, environment);
            case "topics" -> new TopicsCommand(terminal, environment);
            case "explain" -> new ExplainCommand(terminal, environment);
            case "run" -> new RunCommand(terminal, environment);
            case "replay" -> new ReplayCommand(terminal);
            case "rejects" -> new RejectsCommand(terminal);
            case "generate" -> new GenerateCommand(terminal);
            case "export" -> new ExportCommand(terminal, environment);
            case "ledger" -> new LedgerCommand(terminal, environment);
            case "reset" -> new ResetCommand(terminal, environment);
            case "plan" -> new PlanCommand(terminal, environment);
            case "reload" -> new ReloadCommand(terminal, environment);
            case "state" -> new StateCommand(terminal);
            case "journal" -> JournalCommand.of(terminal);
            case "merge" -> new MergeCommand(terminal);
            case "token" -> new TokenCommand(terminal);
            default -> throw new IllegalArgumentException(name);
        };
    }

    /**
     * Handles a failed write of the answer, which is incomplete whatever the command returned. Silent where the reader
     * closed it.
     */
    private static int outputFailed(Terminal terminal) {
        if (terminal.data().isClosedPipe()) {
            return Exit.CLOSED_PIPE;
        }
        IOException failure = terminal.data().failure();
        terminal.err().println("summarizer: standard output: " + (failure == null ? "" : describe(failure)));
        return Exit.FAILED;
    }

    /**
     * Adds to a command, and to those below it, the help option and the exit codes; a command itself defines the
     * meaning of NO.
     */
    private static void addHelp(CommandLine line) {
        line.getSubcommands().values().forEach(Main::addHelp);
        UsageMessageSpec usage = line.getCommandSpec().usageMessage();
        String no = usage.exitCodeList().getOrDefault(String.valueOf(Exit.NO), "Not used by this command.");
        usage.exitCodeListHeading("Exit status:%n");
        usage.exitCodeList(Exit.help(no));
        line.getCommandSpec()
                .addOption(OptionSpec.builder("-h", "--help")
                        .usageHelp(true)
                        .description("Show this help.")
                        .build());
    }

    private static int usage(Terminal terminal, ParameterException e) {
        terminal.err().println("summarizer: " + e.getMessage());
        PrintWriter err = new PrintWriter(terminal.err(), true, StandardCharsets.UTF_8);
        if (!UnmatchedArgumentException.printSuggestions(e, err)) {
            err.println("Try: " + e.getCommandLine().getCommandSpec().qualifiedName() + " --help");
        }
        return Exit.of(e);
    }

    private static IExecutionExceptionHandler failure(Terminal terminal, Main main) {
        return (e, command, result) -> {
            if (e instanceof CommandFailure commandFailure) {
                print(commandFailure.details(), String.valueOf(e.getMessage()), terminal);
            } else if (e instanceof DefinitionsException definitions) {
                print(definitions.rendered(), definitions.summary(), terminal);
            } else if (e instanceof ConfigException config) {
                int problems = config.problems().size();
                print(
                        String.valueOf(e.getMessage()),
                        "the configuration has " + problems + (problems == 1 ? " problem" : " problems"),
                        terminal);
            } else if (e instanceof CsvQueryException) {
                print("", String.valueOf(e.getMessage()), terminal);
            } else if (e == terminal.data().failure()) {
                return Exit.of(e); // reported together with errors that threw no exception
            } else if (e instanceof IOException io) {
                terminal.err().println("summarizer: " + describe(io));
            } else {
                terminal.err().println("summarizer: a fault of this program: " + e + " (--verbose shows where)");
            }
            if (main.verbose) {
                e.printStackTrace(terminal.err());
            }
            return Exit.of(e);
        };
    }

    private static void print(String details, String line, Terminal terminal) {
        if (!details.isEmpty()) {
            terminal.err().println(details);
            terminal.err().println();
        }
        terminal.err().println("summarizer: " + line);
    }

    /** Describes an exception in words where the JDK's message is only its type. */
    private static String describe(IOException e) {
        if (e instanceof NoSuchFileException) {
            return e.getMessage() + ": no such file";
        }
        if (e instanceof AccessDeniedException) {
            return e.getMessage() + ": permission denied";
        }
        if (e instanceof FileAlreadyExistsException) {
            return e.getMessage() + ": is there already, and not a folder";
        }
        return e.getMessage() == null ? e.toString() : e.getMessage();
    }
}
