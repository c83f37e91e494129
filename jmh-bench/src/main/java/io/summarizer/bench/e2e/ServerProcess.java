package io.summarizer.bench.e2e;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
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
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A server in a process of its own, started by {@code bin/summarizer serve} on ports of its choice; closing it ends the
 * process. Used by any thread once it is started.
 */
public final class ServerProcess implements AutoCloseable {
    private static final Duration START_LIMIT = Duration.ofSeconds(60);
    private static final int POLL_MS = 5;
    private static final int REASON_CHARS_MAX = 200;
    private static final Pattern SYSLOG = Pattern.compile("syslog-tcp listening on (.*):(\\d+)");
    private static final Pattern RELP = Pattern.compile("relp listening on (.*):(\\d+)");
    private static final Pattern HTTP = Pattern.compile("http listening on http://(.*):(\\d+)");

    private final Process process;
    private final @Nullable Path log;
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private int syslogPort;
    private int relpPort;
    private int httpPort;

    private ServerProcess(Process process, @Nullable Path log) {
        this.process = process;
        this.log = log;
    }

    /**
     * How a server is started.
     *
     * @param home the project's root
     * @param data an empty folder for its state
     * @param settings {@code key=value} settings; the last one of a key counts
     * @param javaHome of the JDK that runs it; null: the one that {@code bin/summarizer} chooses
     * @param jvmOptions behind those that the product ships with and those of {@code SUMMARIZER_JAVA_OPTS}
     * @param log where its standard error goes; null: to that of this process
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
     * @throws IOException when it ends instead; the message has what it said
     */
    public static ServerProcess start(Launch launch) throws IOException, InterruptedException {
        List<String> command =
                new ArrayList<>(List.of(launch.home.resolve("bin/summarizer").toString(), "serve"));
        List<String> all = new ArrayList<>(List.of(
                "listen.syslog-tcp.bind=127.0.0.1:0",
                "listen.relp.bind=127.0.0.1:0",
                "http.bind=127.0.0.1:0",
                "definitions=" + launch.home.resolve("schemas"),
                "data=" + launch.data));
        all.addAll(launch.settings);
        for (String setting : all) {
            command.add("--set");
            command.add(setting);
        }
        Path log = launch.log;
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectError(
                        log == null ? ProcessBuilder.Redirect.INHERIT : ProcessBuilder.Redirect.to(log.toFile()));
        if (launch.javaHome != null) {
            builder.environment().put("JAVA_HOME", launch.javaHome.toString());
        }
        builder.environment()
                .merge(
                        "SUMMARIZER_JAVA_OPTS",
                        String.join(" ", launch.jvmOptions),
                        (given, more) -> given + " " + more);
        ServerProcess server = new ServerProcess(builder.start(), log);
        try {
            server.awaitListening();
        } catch (IOException | InterruptedException | RuntimeException e) {
            server.close();
            throw e;
        }
        return server;
    }

    /** Reads the lines that the server prints when it takes messages: they name the ports it was given. */
    private void awaitListening() throws IOException, InterruptedException {
        long deadline = System.nanoTime() + START_LIMIT.toNanos();
        // Not closed: that would close the pipe under the server. It ends with the process.
        BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        while (syslogPort == 0 || httpPort == 0) {
            // A process that ended has written all; what it wrote before is still read.
            boolean ended = !process.isAlive();
            if (lines.ready()) {
                String line = lines.readLine();
                syslogPort = Math.max(syslogPort, port(SYSLOG, line));
                relpPort = Math.max(relpPort, port(RELP, line));
                httpPort = Math.max(httpPort, port(HTTP, line));
            } else if (ended) {
                throw new IOException("the server ended with status " + process.exitValue() + said());
            } else if (System.nanoTime() > deadline) {
                throw new IOException("the server was not ready within " + START_LIMIT + said());
            } else {
                Thread.sleep(POLL_MS);
            }
        }
    }

    private static int port(Pattern announcement, @Nullable String line) {
        Matcher matcher = announcement.matcher(line == null ? "" : line);
        return matcher.matches() ? Integer.parseInt(matcher.group(2)) : 0;
    }

    /** The beginning of what it wrote to its log, on one line. */
    private String said() {
        if (log == null) {
            return "";
        }
        try (Stream<String> lines = Files.lines(log)) {
            String text = lines.map(String::strip)
                    .filter(line -> !line.isEmpty() && !line.startsWith("WARNING:"))
                    .limit(5)
                    .collect(Collectors.joining("; ", ": ", ""));
            return text.substring(0, Math.min(text.length(), REASON_CHARS_MAX));
        } catch (IOException e) {
            return "; its log cannot be read: " + e.getMessage();
        }
    }

    /** Port of the syslog listener on loopback. */
    public int syslogPort() {
        return syslogPort;
    }

    /** Port on loopback where it takes RELP. */
    public int relpPort() {
        if (relpPort == 0) {
            throw new IllegalStateException("the server takes no RELP");
        }
        return relpPort;
    }

    /** Where HTTP is answered. */
    public InetSocketAddress httpAddress() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), httpPort);
    }

    /** User and system CPU time of the server so far, to 10 ms. */
    public Duration cpu() {
        return process.info().totalCpuDuration().orElse(Duration.ZERO);
    }

    /** Value of an unlabelled counter or gauge in {@code /metrics}. */
    public double metric(String name) throws IOException, InterruptedException {
        return scrape(name).sum(name);
    }

    /** These metrics as of now. */
    public Scrape scrape(String... names) throws IOException, InterruptedException {
        return Scrape.parse(text(
                Stream.of(names).map(name -> "name%5B%5D=" + name).collect(Collectors.joining("&", "/metrics?", ""))));
    }

    /** Sum of {@code updates} over all summaries, taken from one cut, which is not kept. */
    public long updates() throws IOException, InterruptedException {
        Matcher updates = Pattern.compile("\"updates\"\\s*:\\s*(\\d+)").matcher(text("/summaries?keep=no"));
        long sum = 0;
        while (updates.find()) {
            sum += Long.parseLong(updates.group(1));
        }
        return sum;
    }

    /** Addresses of all summaries, nested ones too, as CSV. */
    public List<String> csvPaths() throws IOException, InterruptedException {
        Matcher paths = Pattern.compile("\"csv\"\\s*:\\s*\"([^\"]+)\"").matcher(text("/summaries"));
        List<String> found = new ArrayList<>();
        while (paths.find()) {
            found.add(paths.group(1));
        }
        return found;
    }

    /**
     * What a GET answers.
     *
     * @throws IOException also when the answer is a refusal
     */
    public String text(String path) throws IOException, InterruptedException {
        HttpResponse<String> response =
                client.send(HttpRequest.newBuilder(address(path)).build(), HttpResponse.BodyHandlers.ofString());
        if (response.statusCode() != 200) {
            throw new IOException(path + " answered " + response.statusCode() + ": "
                    + response.body().strip());
        }
        return response.body();
    }

    /** What a POST without a body answers. */
    public String post(String path) throws IOException, InterruptedException {
        return client.send(
                        HttpRequest.newBuilder(address(path))
                                .POST(HttpRequest.BodyPublishers.noBody())
                                .build(),
                        HttpResponse.BodyHandlers.ofString())
                .body();
    }

    private URI address(String path) {
        return URI.create("http://127.0.0.1:" + httpPort + path);
    }

    /** Ends the process at once, without the time that closing gives it. */
    public void kill() {
        process.destroyForcibly();
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(30, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
