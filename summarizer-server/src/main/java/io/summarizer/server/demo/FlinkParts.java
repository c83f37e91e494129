package io.summarizer.server.demo;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Kafka, Flink and the job, which the command {@code summarizer flink demo-parts} runs in processes of their own. When
 * the command's standard input ends, for example because this process was killed, the command ends all parts and then
 * itself.
 */
public final class FlinkParts implements AutoCloseable {
    /** The topic that the job reads, and to which the shipped configuration of rsyslog sends. */
    public static final String TOPIC = "events";

    private static final String FAILED = "failed";
    private static final int STOP_SECONDS = 60;

    private final Process process;
    private final Path log;
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

    private FlinkParts(Process process, Path log) {
        this.process = process;
        this.log = log;
    }

    /**
     * Starts the command. The parts do not run yet when this method returns.
     *
     * @param program the script {@code bin/summarizer}
     * @param folder folder for all that the parts write, created when absent
     * @param results folder to which the job writes results
     * @param distribution Flink's distribution; null for a cluster in one process
     */
    public static FlinkParts start(
            Path program, Path folder, Path definitions, Path results, @Nullable Path distribution) throws IOException {
        Path temporary = Files.createDirectories(folder.resolve("tmp"));
        Path log = folder.resolve("parts.log");
        List<String> command = new ArrayList<>(List.of(
                program.toString(),
                "flink",
                "demo-parts",
                definitions.toString(),
                "--folder",
                folder.toString(),
                "--topic",
                TOPIC,
                "--exports",
                results.toString()));
        if (distribution != null) {
            command.addAll(List.of("--distribution", distribution.toString()));
        }
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(log.toFile());
        builder.environment()
                .merge("SUMMARIZER_JAVA_OPTS", "-Djava.io.tmpdir=" + temporary, (given, ours) -> given + " " + ours);
        FlinkParts parts = new FlinkParts(builder.start(), log);
        Thread reader = new Thread(parts::read, "output of the parts");
        reader.setDaemon(true);
        reader.start();
        return parts;
    }

    private void read() {
        try (BufferedReader in =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            in.lines().forEach(lines::add);
        } catch (IOException | UncheckedIOException e) {
            // The process has ended.
        }
        lines.add(FAILED + " Kafka and Flink have ended");
    }

    /**
     * Waits for a part, and returns a text about the part: an address or an id, or {@code -} when the part has neither.
     *
     * @throws IOException when the part does not start; the message says why
     */
    public String await(String part) throws IOException, InterruptedException {
        String line = lines.take();
        if (line.startsWith(part + " ")) {
            return line.substring(part.length() + 1);
        }
        throw new IOException(part + " did not start: " + failure(line));
    }

    /**
     * Checks that all parts run.
     *
     * @throws IOException when one has ended
     */
    public void check() throws IOException {
        String line = lines.poll();
        if (line != null) {
            throw new IOException(failure(line));
        }
    }

    private String failure(String line) throws IOException {
        String said = Files.readString(log).strip();
        String reason = line.startsWith(FAILED + " ") ? line.substring(FAILED.length() + 1) : line;
        return said.isEmpty() ? reason : reason + ": " + said;
    }

    /** Ends all parts, and waits for their end. */
    @Override
    public void close() {
        try {
            process.getOutputStream().close();
            if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
                process.destroy(); // an orderly end: a killed command would leave its processes behind
            }
        } catch (IOException e) {
            process.destroy();
        } catch (InterruptedException e) {
            process.destroy();
            Thread.currentThread().interrupt();
        }
    }
}
