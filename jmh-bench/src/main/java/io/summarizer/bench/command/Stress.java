package io.summarizer.bench.command;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The jcstress tests: two threads at one object, some million times over, and each outcome counted.
 * <pre>
 *   bin/bench stress [-t REGEX] [-m sanity|quick|default|tough|stress] [-l true]
 * </pre>
 * {@code -t} chooses tests by name, {@code -m} how long each runs, {@code -l true} lists them instead; jcstress is also given
 * {@code -time MS}, {@code -iters N}, {@code -f FORKS}, {@code -sc true|false} (whether each actor is compiled in its own
 * way), {@code -af NONE|GLOBAL|LOCAL} (how threads are pinned) and {@code -jvmArgs FLAGS}. Ends with an error when an outcome
 * was seen that is not acceptable. The report is {@code jmh-bench/target/jcstress/index.html}.
 */
public final class Stress {
    /** Checked here, since jcstress dies of one that it does not know: to say so it needs an older jopt-simple than JMH. */
    private static final Set<String> OPTIONS =
            Set.of("-t", "-m", "-l", "-time", "-iters", "-f", "-sc", "-af", "-jvmArgs");

    private Stress() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        Path home = Path.of(System.getProperty("summarizer.home", "."));
        int status = run(home.resolve("jmh-bench/target/jcstress"), List.of(arguments));
        if (status != 0) {
            System.exit(status);
        }
    }

    /** Runs jcstress in a process of its own, for it leaves what it measured in the folder where it was started. */
    static int run(Path folder, List<String> arguments) throws IOException, InterruptedException {
        for (int i = 0; i < arguments.size(); i += 2) {
            if (!OPTIONS.contains(arguments.get(i))) {
                throw new IllegalArgumentException("unknown option: " + arguments.get(i));
            }
            if (i + 1 == arguments.size()) {
                throw new IllegalArgumentException("no value: " + arguments.get(i));
            }
        }
        Files.createDirectories(folder);
        String classPath = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(entry -> Path.of(entry).toAbsolutePath().toString())
                .collect(Collectors.joining(File.pathSeparator));
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                classPath,
                "org.openjdk.jcstress.Main",
                "-r",
                folder.toAbsolutePath().toString()));
        command.addAll(arguments);
        return new ProcessBuilder(command)
                .directory(folder.toFile())
                .inheritIO()
                .start()
                .waitFor();
    }
}
