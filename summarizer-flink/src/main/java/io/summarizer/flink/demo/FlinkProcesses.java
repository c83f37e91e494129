package io.summarizer.flink.demo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.io.IOException;
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
import java.util.function.BiConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A standalone Flink cluster of the official distribution, in processes of its own. The caller starts the processes: a
 * JobManager, TaskManagers, and {@code flink run}.
 */
public final class FlinkProcesses implements AutoCloseable {
    private static final Pattern SUBMITTED = Pattern.compile("JobID ([0-9a-f]{32})");
    private static final int ATTEMPT_MS = 100;
    private static final ObjectMapper JSON = new ObjectMapper();

    /** Packages of the JDK that Flink's own scripts open to Flink. */
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
    private final Path distribution;
    private final Path folder;
    private final String rest;
    private final JavaProcesses processes;

    private FlinkProcesses(Path distribution, Path folder, String rest, BiConsumer<String, String> ended)
            throws IOException {
        this.distribution = distribution;
        this.folder = folder;
        this.rest = rest;
        processes = new JavaProcesses(folder, ended);
    }

    /**
     * Writes the configuration of a cluster, and starts nothing.
     *
     * @param distribution folder with {@code lib} and {@code plugins} of Flink
     * @param folder new or empty; holds the configuration and the logs
     * @param slots number of slots of each TaskManager
     * @param settings further settings, as in {@code config.yaml}
     * @param ended as in {@link JavaProcesses}
     */
    public static FlinkProcesses configure(
            Path distribution, Path folder, int slots, Map<String, String> settings, BiConsumer<String, String> ended)
            throws IOException {
        int restPort = JavaProcesses.freePort();
        Map<String, String> all = new TreeMap<>(Map.ofEntries(
                Map.entry("jobmanager.rpc.address", "127.0.0.1"),
                Map.entry("jobmanager.bind-host", "127.0.0.1"),
                Map.entry("jobmanager.rpc.port", Integer.toString(JavaProcesses.freePort())),
                Map.entry("taskmanager.host", "127.0.0.1"),
                Map.entry("taskmanager.bind-host", "127.0.0.1"),
                Map.entry("rest.address", "127.0.0.1"),
                Map.entry("rest.bind-address", "127.0.0.1"),
                Map.entry("rest.port", Integer.toString(restPort)),
                Map.entry("taskmanager.numberOfTaskSlots", Integer.toString(slots)),
                // The values that Flink's scripts would compute.
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
                Map.entry(
                        "io.tmp.dirs",
                        Files.createDirectories(folder.resolve("tmp")).toString())));
        all.putAll(settings);
        StringBuilder configuration = new StringBuilder();
        all.forEach((key, value) ->
                configuration.append(key).append(": \"").append(value).append("\"\n"));
        Path conf = Files.createDirectories(folder.resolve("conf"));
        Files.writeString(conf.resolve("config.yaml"), configuration);
        Files.writeString(conf.resolve("log4j.properties"), """
                rootLogger.level = INFO
                rootLogger.appenderRef.console.ref = console
                appender.console.name = console
                appender.console.type = CONSOLE
                appender.console.layout.type = PatternLayout
                appender.console.layout.pattern = %d{HH:mm:ss,SSS} %-5p %c %m%n
                """);
        return new FlinkProcesses(distribution, folder, "http://127.0.0.1:" + restPort, ended);
    }

    /** Starts a process, {@code jobmanager}. */
    public Process startJobManager() throws IOException {
        return start(
                "jobmanager",
                "384m",
                "org.apache.flink.runtime.entrypoint.StandaloneSessionClusterEntrypoint",
                "--configDir",
                conf(),
                "--executionMode",
                "cluster");
    }

    /** Starts a process, {@code taskmanagerN}. */
    public Process startTaskManager(int index) throws IOException {
        return start(
                "taskmanager" + index,
                "512m",
                "org.apache.flink.runtime.taskexecutor.TaskManagerRunner",
                "--configDir",
                conf());
    }

    /**
     * Starts another process of the distribution.
     *
     * @param name names its output
     * @param heap maximum size of its heap, such as {@code 64m}
     */
    public Process start(String name, String heap, String mainClass, String... arguments) throws IOException {
        return processes.start(name, builder(heap, mainClass, List.of(arguments)));
    }

    private ProcessBuilder builder(String heap, String mainClass, List<String> arguments) {
        List<String> flags = new ArrayList<>(
                List.of("-Xmx" + heap, "-Dlog4j.configurationFile=" + folder.resolve("conf/log4j.properties")));
        flags.addAll(OPENED);
        List<String> program = new ArrayList<>(List.of(mainClass));
        program.addAll(arguments);
        ProcessBuilder builder = processes.builder(flags, distribution.resolve("lib") + File.separator + "*", program);
        builder.environment().put("FLINK_CONF_DIR", conf());
        builder.environment()
                .put("FLINK_PLUGINS_DIR", distribution.resolve("plugins").toString());
        return builder;
    }

    private String conf() {
        return folder.resolve("conf").toString();
    }

    /** The output of a process, over all its starts. */
    public String output(String name) {
        return processes.output(name);
    }

    /** The address of the JobManager's web page and REST API. */
    public String rest() {
        return rest;
    }

    /** Waits until the TaskManagers have {@code slots} slots together. Fails when {@code jobManager} has ended. */
    public void awaitSlots(int slots, Process jobManager) throws IOException, InterruptedException {
        while (true) {
            JsonNode overview = tryGet("/overview");
            if (overview != null && overview.path("slots-total").asInt() >= slots) {
                return;
            }
            if (!jobManager.isAlive()) {
                throw new IOException("Flink's JobManager did not start: " + output("jobmanager"));
            }
            TimeUnit.MILLISECONDS.sleep(ATTEMPT_MS);
        }
    }

    /**
     * Submits a job as a user does, by {@code flink run}.
     *
     * @param options of {@code flink run}, such as {@code -s SAVEPOINT}
     * @param arguments of the job
     * @return the job's id
     * @throws IOException when Flink does not take the job; the message has the output
     */
    public String run(Path jar, List<String> options, List<String> arguments) throws IOException, InterruptedException {
        List<String> all = new ArrayList<>(List.of("run", "-d"));
        all.addAll(options);
        all.add(jar.toString());
        all.addAll(arguments);
        Process process =
                builder("256m", "org.apache.flink.client.cli.CliFrontend", all).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        int status = process.waitFor();
        Matcher matcher = SUBMITTED.matcher(said);
        if (status != 0 || !matcher.find()) {
            throw new IOException("flink run ended with " + status + ": " + said);
        }
        return matcher.group(1);
    }

    /** The answer of the REST API to a request. */
    public HttpResponse<String> send(String path, HttpRequest.Builder request)
            throws IOException, InterruptedException {
        return http.send(request.uri(URI.create(rest + path)).build(), HttpResponse.BodyHandlers.ofString());
    }

    /** The answer of the REST API to a GET; null while no JobManager leads. */
    public @Nullable JsonNode tryGet(String path) throws InterruptedException {
        try {
            HttpResponse<String> response = send(path, HttpRequest.newBuilder());
            return response.statusCode() == 200 ? JSON.readTree(response.body()) : null;
        } catch (IOException e) {
            return null; // no JobManager is there, or one that is about to lead
        }
    }

    /** Kills all processes. */
    @Override
    public void close() {
        processes.close();
    }
}
