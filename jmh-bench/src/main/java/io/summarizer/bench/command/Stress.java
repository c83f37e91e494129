package io.summarizer.bench.command;

import io.summarizer.bench.report.Processes;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParseResult;

/** The jcstress tests: two threads on one object, some million times, with a count of each outcome. */
@Command(
        description = {
            "The jcstress tests: two threads at one object, some million times over, and each outcome counted.",
            "Ends with an error when an outcome was seen that is not acceptable. The report is"
                    + " jmh-bench/target/jcstress/index.html."
        })
@SuppressWarnings("UnusedVariable") // values are passed on as written
public final class Stress extends BenchCommand {
    // All options that may be passed on: jcstress crashes on an unknown option, because its error message needs an
    // older jopt-simple than JMH.
    @Option(names = "-t", paramLabel = "REGEX", description = "Tests whose names it finds. Default: all.")
    private @Nullable String tests;

    @Option(
            names = "-m",
            paramLabel = "sanity|quick|default|tough|stress",
            description = "How long each runs. Default: default.")
    private @Nullable String mode;

    @Option(names = "-l", paramLabel = "true", description = "List the tests instead.")
    private @Nullable String list;

    @Option(names = "-time", paramLabel = "MS", description = "How long an iteration takes.")
    private @Nullable String time;

    @Option(names = "-iters", paramLabel = "N", description = "Iterations of each test.")
    private @Nullable String iterations;

    @Option(names = "-f", paramLabel = "FORKS", description = "JVMs that each test runs in.")
    private @Nullable String forks;

    @Option(names = "-sc", paramLabel = "true|false", description = "Whether each actor is compiled in its own way.")
    private @Nullable String splitCompilation;

    @Option(names = "-af", paramLabel = "NONE|GLOBAL|LOCAL", description = "How threads are pinned.")
    private @Nullable String affinity;

    @Option(names = "-jvmArgs", paramLabel = "FLAGS", description = "Of these JVMs, as one argument.")
    private @Nullable String jvmFlags;

    /** Tests; see {@code --help}. */
    public static void main(String[] arguments) {
        main(new Stress(), arguments);
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        return run(home.resolve("jmh-bench/target/jcstress"), given(line().getParseResult()));
    }

    /** Returns options and their values in the form that jcstress takes. */
    static List<String> given(ParseResult parsed) {
        List<String> given = new ArrayList<>();
        for (OptionSpec option : parsed.matchedOptions()) {
            given.add(option.longestName());
            given.addAll(option.stringValues());
        }
        return given;
    }

    /** Runs jcstress in a process of its own, because it leaves its results in the folder where it was started. */
    static int run(Path folder, List<String> arguments) throws IOException, InterruptedException {
        Files.createDirectories(folder);
        String classPath = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(entry -> Path.of(entry).toAbsolutePath().toString())
                .collect(Collectors.joining(File.pathSeparator));
        List<String> command = Processes.java(
                List.of("-cp", classPath),
                "org.openjdk.jcstress.Main",
                "-r",
                folder.toAbsolutePath().toString());
        command.addAll(arguments);
        return new ProcessBuilder(command)
                .directory(folder.toFile())
                .inheritIO()
                .start()
                .waitFor();
    }
}
