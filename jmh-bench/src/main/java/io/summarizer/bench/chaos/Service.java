package io.summarizer.bench.chaos;

import io.summarizer.core.ledger.LedgerCounts;
import io.summarizer.server.cli.Main;
import io.summarizer.server.http.LedgerJson;
import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * {@code serve} in a process of its own, on free ports and with the class path of this one, so that it can be killed. Its ways of
 * ending belong to one thread; any may ask it.
 */
final class Service {
    private static final Duration START_LIMIT = Duration.ofMinutes(2);
    private static final Duration ANSWER_LIMIT = Duration.ofMinutes(1);
    private static final Duration STOP_LIMIT = Duration.ofMinutes(2);
    private static final int POLL_MS = 5;

    /** JDK that first makes an archive of classes by itself. */
    private static final int ARCHIVES_SINCE = 19;

    /** It does not live long, and its state is small. */
    private static final List<String> JVM_OPTIONS =
            List.of("-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:+ExitOnOutOfMemoryError");

    private static final Pattern TAKEN = Pattern.compile("\"taken\"\\s*:\\s*\"([^\"]+)\"");

    private static final String SYSLOG = "syslog-tcp listening on ";
    private static final String RELP = "relp listening on ";
    private static final String HTTP = "http listening on http://";

    private final Process process;
    private final Path said;
    private final Path complained;
    private final HttpClient client;

    private Service(Process process, Path said, Path complained, HttpClient client) {
        this.process = process;
        this.said = said;
        this.complained = complained;
        this.client = client;
    }

    /**
     * How services are started.
     *
     * @param home the project's root
     * @param settings {@code key=value}
     * @param environment beside that of this process
     * @param archive of classes, written and read by services of the same class path
     * @param client for what they answer; shared, as its threads are many
     */
    record Launch(Path home, List<String> settings, Map<String, String> environment, Path archive, HttpClient client) {
        Launch {
            settings = List.copyOf(settings);
            environment = Map.copyOf(environment);
        }
    }

    /**
     * Begins to start one; {@link #awaitListening} waits for the rest.
     *
     * @param log where what it says goes, with endings of its own
     */
    static Service begin(Launch launch, Path log) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(JVM_OPTIONS);
        command.addAll(classes(launch.archive));
        command.addAll(List.of("-Dsummarizer.home=" + launch.home, Main.class.getName(), "serve"));
        for (String setting : launch.settings) {
            command.add("--set");
            command.add(setting);
        }
        Path said = log.resolveSibling(log.getFileName() + ".out");
        Path complained = log.resolveSibling(log.getFileName() + ".err");
        ProcessBuilder builder = new ProcessBuilder(command);
        // What is set for whoever runs this is no configuration of the service.
        builder.environment().keySet().removeIf(name -> name.startsWith("SUMMARIZER_"));
        builder.environment().putAll(launch.environment);
        Process process = builder.redirectOutput(said.toFile())
                .redirectError(complained.toFile())
                .start();
        return new Service(process, said, complained, launch.client);
    }

    /**
     * Whether services leave their classes in an archive, from which others start with a third less work: the first one that ends in an
     * orderly way does. Only classes in jars can be in one, so not in tests.
     */
    static boolean isArchiving() {
        return Runtime.version().feature() >= ARCHIVES_SINCE
                && classPath().stream()
                        .map(entry -> String.valueOf(Path.of(entry).getFileName()))
                        .anyMatch(file -> file.startsWith("summarizer-server") && file.endsWith(".jar"));
    }

    private static List<String> classPath() {
        return List.of(System.getProperty("java.class.path").split(File.pathSeparator));
    }

    /** Options that say where classes are. */
    private static List<String> classes(Path archive) {
        if (!isArchiving()) {
            return List.of("-cp", String.join(File.pathSeparator, classPath()));
        }
        String jars = classPath().stream()
                .filter(entry -> entry.endsWith(".jar"))
                .collect(Collectors.joining(File.pathSeparator));
        return List.of("-XX:+AutoCreateSharedArchive", "-XX:SharedArchiveFile=" + archive, "-cp", jars);
    }

    /** Waits until it takes messages. */
    void awaitListening() throws IOException, InterruptedException {
        long deadline = System.nanoTime() + START_LIMIT.toNanos();
        while (lineAfter(HTTP).isEmpty()) {
            if (!process.isAlive()) {
                throw new ChaosException("the service did not start: " + log());
            }
            if (System.nanoTime() > deadline) {
                kill();
                throw new ChaosException("the service was not ready within " + START_LIMIT + ": " + log());
            }
            Thread.sleep(POLL_MS);
        }
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** All it said so far. */
    String log() throws IOException {
        return text(said) + text(complained);
    }

    /** What it found worth saying about its start and its end. */
    String complaints() throws IOException {
        return text(complained);
    }

    private static String text(Path file) throws IOException {
        return Files.readString(file, StandardCharsets.ISO_8859_1);
    }

    private Optional<String> lineAfter(String start) throws IOException {
        String text = text(said);
        return text.substring(0, text.lastIndexOf('\n') + 1)
                .lines()
                .filter(line -> line.startsWith(start))
                .map(line -> line.substring(start.length()))
                .findFirst();
    }

    private InetSocketAddress address(String start) throws IOException {
        String text = lineAfter(start).orElseThrow(() -> new ChaosException("no <" + start + "> in " + said));
        int colon = text.lastIndexOf(':');
        return new InetSocketAddress(text.substring(0, colon), Integer.parseInt(text.substring(colon + 1)));
    }

    InetSocketAddress relp() throws IOException {
        return address(RELP);
    }

    InetSocketAddress syslog() throws IOException {
        return address(SYSLOG);
    }

    InetSocketAddress http() throws IOException {
        return address(HTTP);
    }

    /** What a GET answers; the status has to be 200. */
    String get(String path) throws IOException, InterruptedException {
        return answer(path, client.send(request(path).build(), HttpResponse.BodyHandlers.ofString()));
    }

    /** What a POST answers; the status has to be 200. */
    String post(String path) throws IOException, InterruptedException {
        return answer(path, client.send(posting(path), HttpResponse.BodyHandlers.ofString()));
    }

    /** A POST whose answer nobody may live to see. */
    CompletableFuture<HttpResponse<String>> begin(String path) throws IOException {
        return client.sendAsync(posting(path), HttpResponse.BodyHandlers.ofString());
    }

    private HttpRequest posting(String path) throws IOException {
        return request(path).POST(HttpRequest.BodyPublishers.noBody()).build();
    }

    private HttpRequest.Builder request(String path) throws IOException {
        InetSocketAddress http = address(HTTP);
        return HttpRequest.newBuilder(URI.create("http://" + http.getHostString() + ":" + http.getPort() + path))
                .timeout(ANSWER_LIMIT);
    }

    private String answer(String path, HttpResponse<String> response) throws IOException {
        if (response.statusCode() != 200) {
            throw new ChaosException(path + " answered " + response.statusCode() + ": " + response.body() + log());
        }
        return response.body();
    }

    /** Whether it is ready, and if not why. */
    String readiness() throws IOException, InterruptedException {
        return client.send(request("/readyz").build(), HttpResponse.BodyHandlers.ofString())
                .body()
                .strip();
    }

    /** What became of every message, as of now. */
    LedgerCounts ledger() throws IOException, InterruptedException {
        return LedgerJson.read(new ByteArrayInputStream(get("/ledger").getBytes(StandardCharsets.UTF_8)));
    }

    /** What time of day it has. */
    Instant time() throws IOException, InterruptedException {
        Matcher taken = TAKEN.matcher(get("/ledger"));
        if (!taken.find()) {
            throw new ChaosException("the ledger does not say when it was taken");
        }
        return Instant.parse(taken.group(1));
    }

    /** SIGKILL: at once, whatever it is at. */
    void kill() throws InterruptedException {
        process.destroyForcibly();
        process.waitFor();
    }

    /** SIGTERM: processes what it took, and ends. */
    void stop() throws IOException, InterruptedException {
        process.destroy();
        if (!process.waitFor(STOP_LIMIT.toSeconds(), TimeUnit.SECONDS)) {
            kill();
            throw new ChaosException("told to stop, the service did not end within " + STOP_LIMIT + ": " + log());
        }
        if (process.exitValue() != 0) {
            throw new ChaosException("told to stop, it ended with status " + process.exitValue() + ": " + log());
        }
    }
}
