package io.summarizer.flink.cluster;

import static org.junit.jupiter.api.Assumptions.abort;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.summarizer.flink.demo.FlinkProcesses;
import io.summarizer.flink.demo.JavaProcesses;
import io.summarizer.server.Await;
import io.summarizer.server.cli.ProjectHome;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A standalone Flink cluster of processes of the official distribution, on free ports of the loopback: a JobManager,
 * TaskManagers, and a ZooKeeper in which a JobManager that was killed finds the jobs of the one before. Each process
 * can be killed and started again. All of them end with this JVM. For one thread.
 *
 * <p>The distribution is what {@code bin/test --all} unpacks below {@code target/flink}; without it, the calling test
 * is skipped.
 */
public final class FlinkCluster implements AutoCloseable {
    private static final Path DISTRIBUTION = ProjectHome.path().resolve("target/flink");
    private static final long STOP_SECONDS = 30;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final FlinkProcesses processes;
    private Process jobManager;
    private final List<Process> taskManagers = new ArrayList<>();

    private FlinkCluster(FlinkProcesses processes, Path folder) throws IOException {
        this.processes = processes;
        var unused = processes.start(
                "zookeeper",
                "64m",
                "org.apache.flink.runtime.zookeeper.FlinkZooKeeperQuorumPeer",
                "--zkConfigFile",
                folder.resolve("zoo.cfg").toString(),
                "--peerId",
                "1");
        jobManager = processes.startJobManager();
    }

    /**
     * Starts a cluster and waits until all slots are there.
     *
     * @param folder new or empty; holds the configuration, the logs and what ZooKeeper keeps
     * @param taskManagers number of TaskManagers
     * @param slots number of slots of each
     * @param settings further settings, as in {@code config.yaml}
     */
    public static FlinkCluster start(Path folder, int taskManagers, int slots, Map<String, String> settings)
            throws IOException {
        if (!Files.isDirectory(DISTRIBUTION.resolve("lib"))) {
            return abort("no Flink below " + DISTRIBUTION + "; bin/test --all unpacks it");
        }
        int zooKeeperPort = JavaProcesses.freePort();
        Files.createDirectories(folder.resolve("zookeeper"));
        Files.writeString(
                folder.resolve("zoo.cfg"),
                "tickTime=500\nmaxSessionTimeout=60000\ndataDir=" + folder.resolve("zookeeper") + "\nclientPort="
                        + zooKeeperPort + "\nclientPortAddress=127.0.0.1\nadmin.enableServer=false\n");
        Map<String, String> all = new TreeMap<>(Map.ofEntries(
                Map.entry("high-availability.type", "zookeeper"),
                Map.entry(
                        "high-availability.storageDir",
                        folder.resolve("ha").toUri().toString()),
                Map.entry("high-availability.zookeeper.quorum", "127.0.0.1:" + zooKeeperPort),
                Map.entry("high-availability.zookeeper.client.session-timeout", "8000"),
                Map.entry("high-availability.zookeeper.client.connection-timeout", "5000"),
                Map.entry(
                        "execution.checkpointing.savepoint-dir",
                        folder.resolve("savepoints").toUri().toString()),
                // A killed process is missed soon.
                Map.entry("heartbeat.interval", "500"),
                Map.entry("heartbeat.timeout", "5000"),
                Map.entry("restart-strategy.type", "fixed-delay"),
                Map.entry("restart-strategy.fixed-delay.attempts", "1000"),
                Map.entry("restart-strategy.fixed-delay.delay", "200ms")));
        all.putAll(settings);
        FlinkProcesses processes = FlinkProcesses.configure(DISTRIBUTION, folder, slots, all, (name, reason) -> {});
        try {
            FlinkCluster cluster = new FlinkCluster(processes, folder);
            for (int i = 0; i < taskManagers; i++) {
                cluster.taskManagers.add(processes.startTaskManager(i));
            }
            cluster.awaitSlots(taskManagers * slots);
            return cluster;
        } catch (AssertionError | IOException e) {
            processes.close();
            throw e;
        }
    }

    /** The jar of the job, which the build makes before tests of this cluster run. */
    public static Path jobJar() throws IOException {
        try (Stream<Path> files = Files.list(ProjectHome.path().resolve("summarizer-flink/target"))) {
            return files.filter(file -> file.getFileName().toString().matches("summarizer-flink-[0-9.]+\\.jar"))
                    .findFirst()
                    .orElseThrow(() -> new AssertionError("the jar of the job is not built"));
        }
    }

    /** The output of a process, {@code jobmanager}, {@code taskmanagerN} or {@code zookeeper}, over all its starts. */
    public String output(String name) {
        return processes.output(name);
    }

    private void awaitSlots(int slots) {
        Await.until(() -> "fewer slots than " + slots + "; " + output("taskmanager0") + output("jobmanager"), () -> {
            JsonNode overview = tryGet("/overview");
            return overview != null && overview.path("slots-total").asInt() >= slots;
        });
    }

    /**
     * Submits a job as a user does, by {@code flink run}.
     *
     * @param options of {@code flink run}, such as {@code -s SAVEPOINT}
     * @param arguments of the job
     * @return the job's id
     */
    public String run(Path jar, List<String> options, List<String> arguments) throws IOException, InterruptedException {
        return processes.run(jar, options, arguments);
    }

    /** The state of a job, such as {@code RUNNING}; empty while no JobManager answers. */
    public String status(String job) {
        JsonNode found = tryGet("/jobs/" + job);
        return found == null ? "" : found.path("state").asText();
    }

    /** Waits until a job has a state, and fails when it ends in another one. */
    public void awaitStatus(String job, String state) {
        Await.until(() -> job + " is " + status(job) + " and not " + state + "; " + failure(job), () -> {
            String found = status(job);
            if (!found.equals(state)
                    && List.of("FAILED", "CANCELED", "FINISHED").contains(found)) {
                throw new AssertionError("the job is " + found + " and not " + state + ": " + failure(job));
            }
            return found.equals(state);
        });
    }

    private String failure(String job) {
        JsonNode exceptions = tryGet("/jobs/" + job + "/exceptions");
        return exceptions == null ? "no JobManager answers" : exceptions.toString();
    }

    /** Number of checkpoints that a job completed, as the present JobManager counts them. */
    public long completedCheckpoints(String job) {
        JsonNode found = tryGet("/jobs/" + job + "/checkpoints");
        return found == null ? 0 : found.path("counts").path("completed").asLong();
    }

    /** Waits until a job has completed so many checkpoints more than now. */
    public void awaitCheckpoints(String job, long more) {
        long end = completedCheckpoints(job) + more;
        Await.until(() -> completedCheckpoints(job) + " of " + end + " checkpoints; " + failure(job), () -> {
            return completedCheckpoints(job) >= end;
        });
    }

    /** Makes a savepoint and goes on; returns its path. */
    public String savepoint(String job) throws IOException, InterruptedException {
        return operation(job, "savepoints", Map.of("cancel-job", false));
    }

    /** Stops a job with a savepoint; returns its path. */
    public String stop(String job) throws IOException, InterruptedException {
        return operation(job, "stop", Map.of("drain", false));
    }

    private String operation(String job, String kind, Map<String, Object> body)
            throws IOException, InterruptedException {
        HttpResponse<String> response = processes.send(
                "/jobs/" + job + "/" + kind,
                HttpRequest.newBuilder()
                        .header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString(JSON.writeValueAsString(body))));
        if (response.statusCode() / 100 != 2) {
            throw new AssertionError(kind + " was answered by " + response.statusCode() + ": " + response.body());
        }
        String id = JSON.readTree(response.body()).path("request-id").asText();
        String path = "/jobs/" + job + "/savepoints/" + id;
        Await.until(() -> kind + " is at " + tryGet(path), () -> {
            JsonNode found = tryGet(path);
            return found != null && found.path("status").path("id").asText().equals("COMPLETED");
        });
        JsonNode done = tryGet(path);
        JsonNode location = done == null ? null : done.path("operation").get("location");
        if (location == null) {
            throw new AssertionError(kind + " failed: " + done);
        }
        return location.asText();
    }

    /** Ends a job without a savepoint, and waits for its end. */
    public void cancel(String job) throws IOException, InterruptedException {
        var unused = processes.send(
                "/jobs/" + job, HttpRequest.newBuilder().method("PATCH", HttpRequest.BodyPublishers.noBody()));
        awaitStatus(job, "CANCELED");
    }

    /** An answer of the REST API. */
    public JsonNode get(String path) {
        JsonNode found = tryGet(path);
        if (found == null) {
            throw new AssertionError("no answer to " + path);
        }
        return found;
    }

    private @Nullable JsonNode tryGet(String path) {
        try {
            return processes.tryGet(path);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Sends SIGKILL to a TaskManager. */
    public void killTaskManager(int index) throws InterruptedException {
        kill(taskManagers.get(index));
    }

    /** Starts a TaskManager in the place of one that was killed. */
    public void restartTaskManager(int index) throws IOException {
        taskManagers.set(index, processes.startTaskManager(index));
    }

    /** Starts TaskManagers in the place of those that ended, as a supervisor does. */
    public void restartEndedTaskManagers() throws IOException {
        for (int index = 0; index < taskManagers.size(); index++) {
            if (!taskManagers.get(index).isAlive()) {
                restartTaskManager(index);
            }
        }
    }

    /** Sends SIGKILL to the JobManager. */
    public void killJobManager() throws InterruptedException {
        kill(jobManager);
    }

    /** Starts a JobManager in the place of the one that was killed. It takes the jobs over. */
    public void restartJobManager() throws IOException {
        jobManager = processes.startJobManager();
    }

    private static void kill(Process process) throws InterruptedException {
        process.destroyForcibly();
        if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
            throw new AssertionError("the process does not end");
        }
    }

    /** Kills all processes. */
    @Override
    public void close() {
        processes.close();
    }
}
