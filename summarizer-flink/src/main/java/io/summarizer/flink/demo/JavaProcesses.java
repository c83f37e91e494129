package io.summarizer.flink.demo;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;

/**
 * Java programs in processes of their own, on the JDK of this process. They write their output and their temporary
 * files to one folder, and end with this JVM. Thread-safe.
 */
public final class JavaProcesses implements AutoCloseable {
    private static final long STOP_SECONDS = 30;
    private static final int ERRORS_MAX = 5;

    private final Path folder;
    private final Path temporary;
    private final BiConsumer<String, String> ended;
    private final List<Process> all = new ArrayList<>();
    private final Thread onExit = new Thread(this::killAll, "end of processes");
    private boolean closed;

    /**
     * Makes the folder; starts nothing.
     *
     * @param folder holds the output of each process, and temporary files
     * @param ended gets the name of a process that ended before {@link #close}, and the reason for the end; called on
     *     any thread
     */
    public JavaProcesses(Path folder, BiConsumer<String, String> ended) throws IOException {
        this.folder = folder;
        this.ended = ended;
        temporary = Files.createDirectories(folder.resolve("tmp"));
        Runtime.getRuntime().addShutdownHook(onExit);
    }

    /** Returns a port of the loopback that was free a moment ago. */
    public static int freePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return free.getLocalPort();
        }
    }

    /**
     * Describes a process that is not started yet.
     *
     * @param flags flags of its JVM
     * @param classPath its class path
     * @param program its main class and the arguments
     */
    public ProcessBuilder builder(List<String> flags, String classPath, List<String> program) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:-UsePerfData", // its file would outlive a process that is killed
                "-Djava.io.tmpdir=" + temporary));
        command.addAll(flags);
        command.addAll(List.of("-cp", classPath));
        command.addAll(program);
        return new ProcessBuilder(command).redirectErrorStream(true);
    }

    /** Starts a process. Its output is appended to the output of earlier processes with this name. */
    public Process start(String name, ProcessBuilder builder) throws IOException {
        Process process;
        synchronized (all) {
            if (closed) {
                throw new IOException("the processes are being ended");
            }
            process = builder.redirectOutput(
                            ProcessBuilder.Redirect.appendTo(log(name).toFile()))
                    .start();
            all.add(process);
        }
        var unused = process.onExit().thenAccept(gone -> {
            if (!isClosed()) {
                ended.accept(name, "ended with " + gone.exitValue() + reason(name));
            }
        });
        return process;
    }

    private boolean isClosed() {
        synchronized (all) {
            return closed;
        }
    }

    private Path log(String name) {
        return folder.resolve(name + ".log");
    }

    /** The output of a process, over all its starts. */
    public String output(String name) {
        try {
            return Files.readString(log(name));
        } catch (IOException e) {
            return "no output that can be read (" + e.getMessage() + ")";
        }
    }

    /** The last errors in the output of a process, on one line. */
    private String reason(String name) {
        List<String> errors = output(name)
                .lines()
                .filter(line -> line.contains("ERROR") || line.contains("Caused by") || line.contains("Exception"))
                .toList();
        return errors.isEmpty()
                ? ""
                : ": " + String.join(" | ", errors.subList(Math.max(0, errors.size() - ERRORS_MAX), errors.size()));
    }

    private void killAll() {
        List<Process> running;
        synchronized (all) {
            closed = true;
            running = List.copyOf(all);
        }
        running.forEach(Process::destroyForcibly);
        try {
            for (Process process : running) {
                process.waitFor(STOP_SECONDS, TimeUnit.SECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Kills all processes and waits for their ends. */
    @Override
    public void close() {
        killAll();
        try {
            Runtime.getRuntime().removeShutdownHook(onExit);
        } catch (IllegalStateException e) {
            // This JVM is ending.
        }
    }
}
