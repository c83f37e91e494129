package io.summarizer.bench.e2e;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.summarizer.bench.report.Processes;
import io.summarizer.core.ledger.LedgerCounts;
import io.summarizer.core.ledger.LedgerJson;
import io.summarizer.server.cli.Main;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A server in a process of its own, on loopback ports that the server chooses. Closing this object ends the process.
 * One thread starts and ends the process. Any thread may query the server once it listens.
 */
public final class ServerProcess implements AutoCloseable {
    private static final Duration START_LIMIT = Duration.ofMinutes(10);
    private static final Duration STOP_LIMIT = Duration.ofMinutes(2);
    private static final Duration ANSWER_LIMIT = Duration.ofMinutes(5);
    private static final int POLL_MS = 5;
    /** A rate that no server reaches. */
    private static final double MESSAGES_PER_MS_MAX = 10_000;

    private static final int MISSING_POLL_MS_MAX = 1_000;
    private static final int REASON_CHARS_MAX = 200;
    private static final Pattern LISTENING =
            Pattern.compile("(syslog-tcp|relp|http) listening on (?:http://)?.*:(\\d+)");
    private static final List<String> PORTS =
            List.of("listen.syslog-tcp.bind=127.0.0.1:0", "listen.relp.bind=127.0.0.1:0", "http.bind=127.0.0.1:0");
    /** First JDK that writes an archive of classes by itself. */
    private static final int ARCHIVES_SINCE = 19;
    /** Options of the JVM of a short-lived server with little state. */
    public static final List<String> SHORT_LIVED =
            List.of("-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:+ExitOnOutOfMemoryError");

    private static final ObjectMapper JSON = new ObjectMapper();
    /** One client for all servers, because each client has threads of its own. */
    private static final HttpClient CLIENT =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private final Process process;
    private final BufferedReader lines;
    private final StringBuilder said = new StringBuilder();
    private final @Nullable Path log;
    private int syslogPort;
    private int relpPort;
    private int httpPort;

    private ServerProcess(Process process, @Nullable Path log) {
        this.process = process;
        this.log = log;
        // Nothing closes this reader, because that would close the server's output. The output ends with the process.
        lines = process.inputReader(StandardCharsets.UTF_8);
    }

    /**
     * The arguments for starting a server by {@code bin/summarizer serve}.
     *
     * @param home the project's root
     * @param data an empty folder for the server's state
     * @param settings {@code key=value} settings; the last setting of a key counts
     * @param javaHome folder of the JDK that runs the server; null: {@code bin/summarizer} chooses the JDK
     * @param jvmOptions options that are appended to the shipped options and to {@code SUMMARIZER_JAVA_OPTS}
     * @param log file for the server's standard error; null: the standard error of this process
     */
    public record Launch(
            Path home,
            Path data,
            List<String> settings,
            @Nullable Path javaHome,
            List<String> jvmOptions,
            @Nullable Path log) {
        public Launch {
            settings = List.copyOf(settings);
            jvmOptions = List.copyOf(jvmOptions);
        }
    }

    /** Starts a server as users do and waits until it is ready. */
    public static ServerProcess start(Path home, Path data, List<String> settings)
            throws IOException, InterruptedException {
        return start(new Launch(home, data, settings, null, List.of(), null));
    }

    /**
     * Starts a server and waits until it is ready.
     *
     * @throws IOException when the server ends before it is ready, or is not ready in time; the exception's message has
     *     the first lines of the server's log, if there is a log
     */
    public static ServerProcess start(Launch launch) throws IOException, InterruptedException {
        List<String> settings =
                new ArrayList<>(List.of("definitions=" + launch.home.resolve("schemas"), "data=" + launch.data));
        settings.addAll(launch.settings);
        ServerProcess server = begin(
                List.of(launch.home.resolve("bin/summarizer").toString()),
                null,
                settings,
                environment -> {
                    if (launch.javaHome != null) {
                        environment.put("JAVA_HOME", launch.javaHome.toString());
                    }
                    String options = String.join(" ", launch.jvmOptions);
                    environment.merge("SUMMARIZER_JAVA_OPTS", options, (given, more) -> given + " " + more);
                },
                launch.log);
        try {
            server.awaitListening();
        } catch (IOException | InterruptedException | RuntimeException e) {
            server.close();
            throw e;
        }
        return server;
    }

    /**
     * Starts a server with the class path of this process, and returns before the server listens, so that the server
     * can be killed at any moment. {@link #awaitListening} waits for the server. The server inherits no settings of
     * this process.
     *
     * @param home the project's root
     * @param jvmOptions all options of the server's JVM, except for the archive
     * @param config the configuration file; null: the project's configuration file
     * @param environment variables to add to the environment of this process
     * @param archive file for the archive of classes, which servers with the same class path share
     * @param log file for its standard error
     */
    public static ServerProcess begin(
            Path home,
            List<String> jvmOptions,
            @Nullable Path config,
            List<String> settings,
            Map<String, String> environment,
            Path archive,
            Path log)
            throws IOException {
        List<String> classPath = classPath();
        List<String> options = new ArrayList<>(jvmOptions);
        if (isArchiving()) {
            classPath.removeIf(entry -> !entry.endsWith(".jar"));
            options.addAll(List.of("-XX:+AutoCreateSharedArchive", "-XX:SharedArchiveFile=" + archive));
        }
        options.addAll(List.of("-cp", String.join(File.pathSeparator, classPath), "-Dsummarizer.home=" + home));
        return begin(
                Processes.java(options, Main.class.getName()),
                config,
                settings,
                variables -> {
                    variables.keySet().removeIf(name -> name.startsWith("SUMMARIZER_"));
                    variables.putAll(environment);
                },
                log);
    }

    private static ServerProcess begin(
            List<String> program,
            @Nullable Path config,
            List<String> settings,
            Consumer<Map<String, String>> environment,
            @Nullable Path log)
            throws IOException {
        List<String> command = new ArrayList<>(program);
        command.add("serve");
        if (config != null) {
            command.addAll(List.of("--config", config.toString()));
        }
        Stream.concat(PORTS.stream(), settings.stream()).forEach(setting -> command.addAll(List.of("--set", setting)));
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectError(
                        log == null ? ProcessBuilder.Redirect.INHERIT : ProcessBuilder.Redirect.to(log.toFile()));
        environment.accept(builder.environment());
        return new ServerProcess(builder.start(), log);
    }

    /**
     * Whether servers use an archive of their classes. The first server that ends in an orderly way writes the archive,
     * which saves later servers a third of the work of a start. An archive can only hold classes from jars, so servers
     * in tests have no archive.
     */
    public static boolean isArchiving() {
        return Runtime.version().feature() >= ARCHIVES_SINCE
                && classPath().stream().anyMatch(entry -> entry.matches(".*/summarizer-server[^/]*\\.jar"));
    }

    /**
     * Returns the JVM options of the shipped start script, which {@code bin/bench} also gave to this JVM, and an option
     * for the size of the heap.
     */
    public static List<String> shippedOptions(String heap) {
        return Stream.concat(
                        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                                .filter(option -> option.startsWith("-XX:")),
                        Stream.of(heap))
                .toList();
    }

    private static List<String> classPath() {
        return new ArrayList<>(List.of(System.getProperty("java.class.path").split(File.pathSeparator)));
    }

    /**
     * Waits until the server prints that it takes messages, and prints its ports.
     *
     * @throws IOException when the server ends first, or takes too long; the message has the server's output
     */
    public void awaitListening() throws IOException, InterruptedException {
        long deadline = System.nanoTime() + START_LIMIT.toNanos();
        while (httpPort == 0) { // its line is the last one
            // Checks first whether the process has ended, then reads: after the end, all of the output is there.
            boolean ended = !process.isAlive();
            if (lines.ready()) {
                hear(lines.readLine());
            } else if (ended) {
                throw new IOException("the server ended with status " + process.exitValue() + reason());
            } else if (System.nanoTime() > deadline) {
                kill();
                throw new IOException("the server was not ready within " + START_LIMIT + reason());
            } else {
                Thread.sleep(POLL_MS);
            }
        }
    }

    private void hear(@Nullable String line) {
        said.append(line).append('\n');
        Matcher listening = LISTENING.matcher(line == null ? "" : line);
        if (listening.matches()) {
            int port = Integer.parseInt(listening.group(2));
            switch (listening.group(1)) {
                case "relp" -> relpPort = port;
                case "http" -> httpPort = port;
                default -> syslogPort = port;
            }
        }
    }

    /** The beginning of the server's log, on one line. */
    private String reason() throws IOException {
        String text = complaints()
                .lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty() && !line.startsWith("WARNING:"))
                .limit(5)
                .collect(Collectors.joining("; ", ": ", ""));
        return text.substring(0, Math.min(text.length(), REASON_CHARS_MAX));
    }

    /** The server's output until it listened, and its log so far. */
    public String log() throws IOException {
        return said + complaints();
    }

    /** The text of the server's log; empty without a log. */
    public String complaints() throws IOException {
        return log == null ? "" : Files.readString(log, StandardCharsets.ISO_8859_1);
    }

    /** The port for syslog over TCP. */
    public InetSocketAddress syslog() {
        return loopback(syslogPort);
    }

    /** The port for syslog over RELP. */
    public InetSocketAddress relp() {
        return loopback(relpPort);
    }

    /** The address for HTTP. */
    public InetSocketAddress http() {
        return loopback(httpPort);
    }

    private static InetSocketAddress loopback(int port) {
        if (port == 0) {
            throw new IllegalStateException("the server does not listen there");
        }
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    /** The process id. */
    public long pid() {
        return process.pid();
    }

    /** Whether the process runs. */
    public boolean isAlive() {
        return process.isAlive();
    }

    /**
     * Lists the live objects of the server's heap by class, with the total in the last line. Makes the server collect
     * all garbage first.
     */
    public String liveObjects() throws IOException, InterruptedException {
        return Processes.output(Processes.jdk("jcmd"), Long.toString(process.pid()), "GC.class_histogram");
    }

    /** User and system CPU time of the server so far, with a resolution of 10 ms. */
    public Duration cpu() {
        return process.info().totalCpuDuration().orElse(Duration.ZERO);
    }

    /** Number of bytes that the server's threads have allocated on its heap so far. */
    public double allocatedBytes() throws IOException, InterruptedException {
        return metric("summarizer_allocated_bytes_total");
    }

    /** Value of an unlabelled counter or gauge in {@code /metrics}. */
    public double metric(String name) throws IOException, InterruptedException {
        return scrape(name).sum(name);
    }

    /** Returns the present values of these metrics. */
    public Scrape scrape(String... names) throws IOException, InterruptedException {
        return Scrape.parse(get(
                Stream.of(names).map(name -> "name%5B%5D=" + name).collect(Collectors.joining("&", "/metrics?", ""))));
    }

    /** A condition to wait for. */
    public interface Condition {
        /** Whether it holds now. */
        boolean holds() throws IOException, InterruptedException;
    }

    /**
     * Waits until a condition on the server holds.
     *
     * @throws IOException when the condition does not hold within {@code limit}; the message has the server's log
     */
    public void await(String otherwise, Duration limit, Condition condition) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + limit.toNanos();
        while (!condition.holds()) {
            if (System.nanoTime() > deadline) {
                throw new IOException(otherwise + ": " + log());
            }
            Thread.sleep(2 * POLL_MS);
        }
    }

    /**
     * Waits until the server has received a number of messages. Because each question takes processor time of the
     * server, asks less often while many messages are missing.
     */
    public void awaitReceived(long expected, Duration limit) throws IOException, InterruptedException {
        await("fewer than " + expected + " events", limit, () -> {
            double missing = expected - metric("summarizer_received_total");
            if (missing > 0) {
                Thread.sleep((long) Math.min(MISSING_POLL_MS_MAX, missing / MESSAGES_PER_MS_MAX));
            }
            return missing <= 0;
        });
    }

    /** Takes a cut that the server does not keep. Returns the sum of {@code updates} over all summaries of the cut. */
    public long updates() throws IOException, InterruptedException {
        return json("/summaries?keep=no").findValues("updates").stream()
                .mapToLong(JsonNode::asLong)
                .sum();
    }

    /** Paths of the CSV files of all summaries, nested ones too. */
    public List<String> csvPaths() throws IOException, InterruptedException {
        return json("/summaries").findValuesAsText("csv");
    }

    /** Writes the CSVs of all summaries, from one cut, to files with the same names as the files of {@code run}. */
    public void pull(Path folder) throws IOException, InterruptedException {
        Files.createDirectories(folder);
        for (String path : csvPaths()) {
            String name = path.replaceFirst("^/summaries/", "")
                    .replaceFirst("\\?.*", "")
                    .replace('/', '.');
            Files.writeString(folder.resolve(name), get(path));
        }
    }

    /** The present ledger. */
    public LedgerCounts ledger() throws IOException, InterruptedException {
        return LedgerJson.read(new ByteArrayInputStream(get("/ledger").getBytes(StandardCharsets.UTF_8)));
    }

    /** Returns whether the server is ready, and the reason if it is not. */
    public String readiness() throws IOException, InterruptedException {
        return send(request("/readyz")).body().strip();
    }

    /**
     * Returns the answer to a GET.
     *
     * @throws IOException also when the status of the answer is not 200
     */
    public String get(String path) throws IOException, InterruptedException {
        return answer(path, request(path));
    }

    /** Returns the answer to a GET as JSON, like {@link #get}. */
    public JsonNode json(String path) throws IOException, InterruptedException {
        return JSON.readTree(get(path));
    }

    /** Returns the answer to a POST without a body, like {@link #get}. */
    public String post(String path) throws IOException, InterruptedException {
        return answer(path, posting(path));
    }

    /** Begins a POST. The answer may never come, because the server is killed. */
    public CompletableFuture<HttpResponse<String>> beginPost(String path) {
        return CLIENT.sendAsync(posting(path).build(), HttpResponse.BodyHandlers.ofString());
    }

    /** Begins a POST of a file, like {@link #beginPost(String)}. There may never be an answer. */
    public CompletableFuture<HttpResponse<String>> beginPost(String path, Path file) throws IOException {
        return CLIENT.sendAsync(
                request(path).POST(HttpRequest.BodyPublishers.ofFile(file)).build(),
                HttpResponse.BodyHandlers.ofString());
    }

    private String answer(String path, HttpRequest.Builder request) throws IOException, InterruptedException {
        HttpResponse<String> response = send(request);
        if (response.statusCode() != 200) {
            throw new IOException(path + " answered " + response.statusCode() + ": "
                    + response.body().strip() + "\n" + log());
        }
        return response.body();
    }

    private static HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private HttpRequest.Builder posting(String path) {
        return request(path).POST(HttpRequest.BodyPublishers.noBody());
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + httpPort + path))
                .timeout(ANSWER_LIMIT);
    }

    /** Ends the process by SIGKILL, and waits for its end. */
    public void kill() {
        process.destroyForcibly().onExit().join();
    }

    /**
     * Ends the process by SIGTERM. The server first processes the messages that it took.
     *
     * @throws IOException when the process does not end within two minutes, or when its exit code is not 0
     */
    public void stop() throws IOException, InterruptedException {
        process.destroy();
        if (!process.waitFor(STOP_LIMIT.toSeconds(), TimeUnit.SECONDS)) {
            kill();
            throw new IOException("told to stop, the server did not end within " + STOP_LIMIT + ": " + log());
        }
        if (process.exitValue() != 0) {
            throw new IOException("told to stop, it ended with status " + process.exitValue() + ": " + log());
        }
    }

    @Override
    public void close() {
        Processes.end(process);
    }
}
