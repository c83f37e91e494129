package io.summarizer.bench.flink;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.summarizer.bench.e2e.ServerProcess;
import io.summarizer.bench.report.Processes;
import io.summarizer.bench.report.ThreadTimes;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A job of {@code bin/summarizer flink try} in a process of its own. For each checkpoint, the job's results have the
 * time of the checkpoint, and the number of events that the job had evaluated before. Statistics come from Flink's REST
 * API, whose port the log names. One thread.
 */
public final class FlinkTry implements AutoCloseable {
    private static final Pattern REST = Pattern.compile("Rest endpoint listening at (\\S+)");
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final HttpClient CLIENT = HttpClient.newHttpClient();
    private static final int POLL_MS = 100;
    /** Number of results that the job keeps; no run has so many. */
    private static final int KEEP = 10_000;

    private final Path exports;
    private final Path log;
    private final Process process;
    private ThreadTimes threads = ThreadTimes.NONE;

    /** A completed checkpoint: the events evaluated before it, and when it was taken. */
    public record Mark(long checkpoint, long events, Instant taken) {
        /** Events per second from an earlier checkpoint to this one. */
        public double rateSince(Mark earlier) {
            return (events - earlier.events)
                    * 1e9
                    / Duration.between(earlier.taken, taken).toNanos();
        }
    }

    private FlinkTry(Path exports, Path log, Process process) {
        this.exports = exports;
        this.log = log;
        this.process = process;
    }

    /**
     * Starts a job.
     *
     * @param home the project's root
     * @param folder a new folder for the results, the log and checkpoints
     * @param prefix of the command, as {@code taskset -c 0}
     * @param options options of {@code flink try}, without {@code --exports} and {@code --keep}
     */
    public static FlinkTry start(Path home, Path folder, List<String> prefix, Path definitions, List<String> options)
            throws IOException {
        Files.createDirectories(folder);
        Path log = folder.resolve("log");
        Path logging = Files.writeString(folder.resolve("logging.properties"), """
                handlers=java.util.logging.ConsoleHandler
                .level=WARNING
                org.apache.flink.runtime.dispatcher.DispatcherRestEndpoint.level=INFO
                """);
        List<String> command = new ArrayList<>(prefix);
        command.addAll(List.of(home.resolve("bin/summarizer").toString(), "flink", "try", definitions.toString()));
        command.addAll(List.of("--exports", folder.resolve("exports").toString(), "--keep", Integer.toString(KEEP)));
        command.addAll(options);
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
        builder.environment()
                .merge(
                        "SUMMARIZER_JAVA_OPTS",
                        "-Djava.util.logging.config.file=" + logging,
                        (given, more) -> given + ' ' + more);
        return new FlinkTry(folder.resolve("exports"), log, builder.start());
    }

    /**
     * Waits until a condition holds.
     *
     * @throws IOException when the job ends too early, or the time limit is reached; the message has the job's log
     */
    public void await(String otherwise, Duration limit, ServerProcess.Condition condition)
            throws IOException, InterruptedException {
        long deadline = System.nanoTime() + limit.toNanos();
        while (!condition.holds()) {
            if (!process.isAlive() || System.nanoTime() > deadline) {
                throw new IOException(otherwise + ": " + Files.readString(log));
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MS);
        }
    }

    /** Whether the job runs. */
    public boolean isAlive() {
        return process.isAlive();
    }

    /**
     * Waits until the job has ended.
     *
     * @throws IOException when the job failed; the message has the job's log
     */
    public void awaitEnd(Duration limit) throws IOException, InterruptedException {
        if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS) || process.exitValue() != 0) {
            throw new IOException("the job does not end, or failed: " + Files.readString(log));
        }
    }

    /** The present checkpoints with results, in their order. */
    public List<Mark> marks() throws IOException {
        Path manifests = exports.resolve("manifests");
        List<Mark> marks = new ArrayList<>();
        if (Files.isDirectory(manifests)) {
            try (Stream<Path> files = Files.list(manifests)) {
                for (Path file : files.filter(file -> file.toString().endsWith(".json"))
                        .sorted()
                        .toList()) {
                    JsonNode manifest = JSON.readTree(file.toFile());
                    long events = 0;
                    for (JsonNode listener : manifest.path("ledger").path("listeners")) {
                        events += listener.path("received").asLong();
                    }
                    marks.add(new Mark(
                            manifest.path("checkpoint").asLong(),
                            events,
                            Instant.parse(manifest.path("time").asText())));
                }
            }
        }
        return marks;
    }

    /** Returns the processor time of the threads so far; after the end, the last known time. */
    public ThreadTimes threads() {
        // The process has become the JVM: a prefix like taskset becomes bin/summarizer, and this becomes the JVM.
        ThreadTimes now = ThreadTimes.of(process.pid());
        if (now.total() > 0) {
            threads = now;
        }
        return threads;
    }

    /**
     * Returns Flink's answer to a request below {@code /jobs/ID} of the job; empty before the job is known and after
     * its end.
     */
    public Optional<JsonNode> job(String path) throws IOException, InterruptedException {
        Matcher listening = REST.matcher(Files.readString(log));
        if (!listening.find()) {
            return Optional.empty();
        }
        String rest = "http://" + listening.group(1) + "/jobs";
        Optional<JsonNode> jobs = get(rest);
        if (jobs.isEmpty() || jobs.get().path("jobs").isEmpty()) {
            return Optional.empty();
        }
        return get(rest + '/' + jobs.get().path("jobs").get(0).path("id").asText() + path);
    }

    private Optional<JsonNode> get(String url) throws InterruptedException {
        try {
            HttpResponse<String> answer =
                    CLIENT.send(HttpRequest.newBuilder(URI.create(url)).build(), HttpResponse.BodyHandlers.ofString());
            return answer.statusCode() == 200 ? Optional.of(JSON.readTree(answer.body())) : Optional.empty();
        } catch (IOException e) {
            return Optional.empty(); // the cluster ends
        }
    }

    /** Ends the process by SIGKILL, so that the last checkpoint stays. */
    public void kill() {
        process.destroyForcibly().onExit().join();
    }

    @Override
    public void close() {
        Processes.end(process);
    }
}
