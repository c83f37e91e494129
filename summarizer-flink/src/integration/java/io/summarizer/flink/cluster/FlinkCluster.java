package io.summarizer.flink.cluster;

import static org.junit.jupiter.api.Assumptions.abort;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.summarizer.server.Await;
import io.summarizer.server.cli.ProjectHome;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A standalone Flink cluster of processes of the official distribution, on free ports of the loopback: a JobManager,
 * TaskManagers, and a ZooKeeper in which a JobManager that was killed finds the jobs of the one before. Each process can
 * be killed and started again. All of them end with this JVM. For one thread.
 *
 * <p>The distribution is what {@code bin/test --all} unpacks below {@code target/flink}; without it, the calling test is
 * skipped.
 */
public final class FlinkCluster implements AutoCloseable {
    private static final Path DISTRIBUTION = ProjectHome.path().resolve("target/flink");
    private static final Pattern SUBMITTED = Pattern.compile("JobID ([0-9a-f]{32})");
    private static final long STOP_SECONDS = 30;
    private static final ObjectMapper JSON = new ObjectMapper();

    /** Modules that Flink's own scripts open to it. */
    private static final List<String> OPENED = Stream.of(
                    "java.lang",
                    "java.lang.reflect",
                    "java.net",
                    "java.io",
                    "java.nio",
                    "sun.nio.ch",
                    "java.text",
                    "java.time",
                    "java.util",
                    "java.util.concurrent",
                    "java.util.concurrent.atomic",
                    "java.util.concurrent.locks")
            .map(opened -> "--add-opens=java.base/" + opened + "=ALL-UNNAMED")
            .toList();

    private final HttpClient http = HttpClient.newHttpClient();
    private final Path folder;
    private final String rest;
    private Process jobManager;
    private final List<Process> taskManagers = new ArrayList<>();
    private final List<Process> all = new ArrayList<>();
    private final Thread onExit = new Thread(this::killAll);

    private FlinkCluster(Path folder, int restPort) throws IOException {
        this.folder = folder;
        rest = "http://127.0.0.1:" + restPort;
        Runtime.getRuntime().addShutdownHook(onExit);
        var unused = launch(
                "zookeeper",
                "64m",
                "org.apache.flink.runtime.zookeeper.FlinkZooKeeperQuorumPeer",
                "--zkConfigFile",
                folder.resolve("zoo.cfg").toString(),
                "--peerId",
                "1");
        jobManager = launchJobManager();
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
        int restPort = freePort();
        int zooKeeperPort = freePort();
        Files.createDirectories(folder.resolve("zookeeper"));
        Files.writeString(
                folder.resolve("zoo.cfg"),
                "tickTime=500\ndataDir=" + folder.resolve("zookeeper") + "\nclientPort=" + zooKeeperPort
                        + "\nclientPortAddress=127.0.0.1\nadmin.enableServer=false\n");
        Map<String, String> all = new TreeMap<>(Map.ofEntries(
                Map.entry("jobmanager.rpc.address", "127.0.0.1"),
                Map.entry("jobmanager.bind-host", "127.0.0.1"),
                Map.entry("taskmanager.host", "127.0.0.1"),
                Map.entry("taskmanager.bind-host", "127.0.0.1"),
                Map.entry("rest.address", "127.0.0.1"),
                Map.entry("rest.bind-address", "127.0.0.1"),
                Map.entry("rest.port", Integer.toString(restPort)),
                Map.entry("taskmanager.numberOfTaskSlots", Integer.toString(slots)),
                // What Flink's scripts would work out.
                Map.entry("taskmanager.cpu.cores", Integer.toString(slots)),
                Map.entry("taskmanager.memory.task.heap.size", "384m"),
                Map.entry("taskmanager.memory.task.off-heap.size", "64m"),
                Map.entry("taskmanager.memory.network.min", "64m"),
                Map.entry("taskmanager.memory.network.max", "64m"),
                Map.entry("taskmanager.memory.managed.size", "0"),
                Map.entry("taskmanager.memory.framework.heap.size", "128m"),
                Map.entry("taskmanager.memory.framework.off-heap.size", "128m"),
                Map.entry("taskmanager.memory.jvm-metaspace.size", "256m"),
                Map.entry("taskmanager.memory.jvm-overhead.min", "192m"),
                Map.entry("taskmanager.memory.jvm-overhead.max", "192m"),
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
                Map.entry(
                        "io.tmp.dirs",
                        Files.createDirectories(folder.resolve("tmp")).toString()),
                // A killed process is missed soon.
                Map.entry("heartbeat.interval", "500"),
                Map.entry("heartbeat.timeout", "5000"),
                Map.entry("restart-strategy.type", "fixed-delay"),
                Map.entry("restart-strategy.fixed-delay.attempts", "1000"),
                Map.entry("restart-strategy.fixed-delay.delay", "200ms")));
        all.putAll(settings);
        StringBuilder configuration = new StringBuilder();
        all.forEach((key, value) ->
                configuration.append(key).append(": \"").append(value).append("\"\n"));
        Files.createDirectories(folder.resolve("conf"));
        Files.writeString(folder.resolve("conf/config.yaml"), configuration);
        Files.writeString(folder.resolve("conf/log4j.properties"), """
                rootLogger.level = INFO
                rootLogger.appenderRef.console.ref = console
                appender.console.name = console
                appender.console.type = CONSOLE
                appender.console.layout.type = PatternLayout
                appender.console.layout.pattern = %d{HH:mm:ss,SSS} %-5p %c %m%n
                """);
        FlinkCluster cluster = new FlinkCluster(folder, restPort);
        try {
            for (int i = 0; i < taskManagers; i++) {
                cluster.taskManagers.add(cluster.launchTaskManager(i));
            }
            cluster.awaitSlots(taskManagers * slots);
        } catch (AssertionError | IOException e) {
            cluster.close();
            throw e;
        }
        return cluster;
    }

    /** The jar of the job, which the build makes before tests of this cluster run. */
    public static Path jobJar() throws IOException {
        try (Stream<Path> files = Files.list(ProjectHome.path().resolve("summarizer-flink/target"))) {
            return files.filter(file -> file.getFileName().toString().matches("summarizer-flink-[0-9.]+\\.jar"))
                    .findFirst()
                    .orElseThrow(() -> new AssertionError("the jar of the job is not built"));
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return free.getLocalPort();
        }
    }

    private Process launchJobManager() throws IOException {
        return launch(
                "jobmanager",
                "384m",
                "org.apache.flink.runtime.entrypoint.StandaloneSessionClusterEntrypoint",
                "--configDir",
                conf(),
                "--executionMode",
                "cluster");
    }

    private Process launchTaskManager(int index) throws IOException {
        return launch(
                "taskmanager" + index,
                "512m",
                "org.apache.flink.runtime.taskexecutor.TaskManagerRunner",
                "--configDir",
                conf());
    }

    private String conf() {
        return folder.resolve("conf").toString();
    }

    private Process launch(String name, String heap, String mainClass, String... arguments) throws IOException {
        Process process = builder(heap, mainClass, arguments)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log(name).toFile()))
                .start();
        synchronized (all) {
            all.add(process);
        }
        return process;
    }

    private ProcessBuilder builder(String heap, String mainClass, String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx" + heap,
                "-XX:+UseSerialGC",
                "-Dlog4j.configurationFile=" + folder.resolve("conf/log4j.properties")));
        command.addAll(OPENED);
        command.addAll(List.of("-cp", DISTRIBUTION.resolve("lib") + File.separator + "*", mainClass));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().put("FLINK_CONF_DIR", conf());
        builder.environment()
                .put("FLINK_PLUGINS_DIR", DISTRIBUTION.resolve("plugins").toString());
        return builder;
    }

    private Path log(String name) {
        return folder.resolve(name + ".log");
    }

    /** The output of a process, {@code jobmanager}, {@code taskmanagerN} or {@code zookeeper}, over all its starts. */
    public String output(String name) {
        try {
            return Files.readString(log(name));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
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
        List<String> all = new ArrayList<>(List.of("run", "-d"));
        all.addAll(options);
        all.add(jar.toString());
        all.addAll(arguments);
        Process process = builder("256m", "org.apache.flink.client.cli.CliFrontend", all.toArray(String[]::new))
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        int status = process.waitFor();
        Matcher matcher = SUBMITTED.matcher(said);
        if (status != 0 || !matcher.find()) {
            throw new AssertionError("flink run ended with " + status + ": " + said);
        }
        return matcher.group(1);
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
        HttpRequest request = HttpRequest.newBuilder(URI.create(rest + "/jobs/" + job + "/" + kind))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(JSON.writeValueAsString(body)))
                .build();
        HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString());
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
        HttpRequest request = HttpRequest.newBuilder(URI.create(rest + "/jobs/" + job))
                .method("PATCH", HttpRequest.BodyPublishers.noBody())
                .build();
        var unused = http.send(request, HttpResponse.BodyHandlers.discarding());
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
            HttpResponse<String> response = http.send(
                    HttpRequest.newBuilder(URI.create(rest + path)).build(), HttpResponse.BodyHandlers.ofString());
            return response.statusCode() == 200 ? JSON.readTree(response.body()) : null;
        } catch (IOException e) {
            return null; // no JobManager is there, or one that is about to lead
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
        taskManagers.set(index, launchTaskManager(index));
    }

    /** Sends SIGKILL to the JobManager. */
    public void killJobManager() throws InterruptedException {
        kill(jobManager);
    }

    /** Starts a JobManager in the place of the one that was killed. It takes the jobs over. */
    public void restartJobManager() throws IOException {
        jobManager = launchJobManager();
    }

    private static void kill(Process process) throws InterruptedException {
        process.destroyForcibly();
        if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
            throw new AssertionError("the process does not end");
        }
    }

    private void killAll() {
        synchronized (all) {
            all.forEach(Process::destroyForcibly);
        }
    }

    /** Kills all processes. */
    @Override
    public void close() {
        killAll();
        try {
            for (Process process : all) {
                process.waitFor(STOP_SECONDS, TimeUnit.SECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        Runtime.getRuntime().removeShutdownHook(onExit);
    }
}
