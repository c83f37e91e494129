package io.summarizer.bench.report;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Commands and processes of a benchmark: JVMs of the benchmark's JDK, and programs of the machine. Stateless. */
public final class Processes {
    private static final int END_SECONDS = 30;

    private Processes() {}

    /** The command for a program of the JDK that runs this process. */
    public static String jdk(String program) {
        return Path.of(System.getProperty("java.home"), "bin", program).toString();
    }

    /** The command for a JVM with these options, which include the class path. */
    public static List<String> java(List<String> options, String main, String... arguments) {
        List<String> command = new ArrayList<>(List.of(jdk("java")));
        command.addAll(options);
        command.add(main);
        command.addAll(List.of(arguments));
        return command;
    }

    /** The command for a JVM with these options and the class path of this JVM. */
    public static List<String> java(List<String> options, Class<?> main, List<String> arguments) {
        List<String> all = new ArrayList<>(options);
        all.addAll(List.of("-cp", System.getProperty("java.class.path")));
        return java(all, main.getName(), arguments.toArray(String[]::new));
    }

    /**
     * Runs a command to its end.
     *
     * @throws IOException also when the exit code is not 0; the message has the command's output
     */
    public static void run(String... command) throws IOException, InterruptedException {
        var unused = output(command);
    }

    /** Runs a command to its end, like {@link #run}; returns its output. */
    public static String output(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException(String.join(" ", command) + ": " + said.strip());
        }
        return said;
    }

    /** Ends a process; kills it when it does not end within half a minute. */
    public static void end(Process process) {
        process.destroy();
        try {
            if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
