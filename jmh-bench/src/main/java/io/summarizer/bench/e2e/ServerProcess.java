package io.summarizer.bench.e2e;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A server in a process of its own, started by {@code bin/summarizer serve}; closing it ends the process. */
public final class ServerProcess implements AutoCloseable {
    private static final Duration START_LIMIT = Duration.ofSeconds(60);

    private final Process process;
    private final int syslogPort;
    private final int httpPort;
    private final HttpClient client = HttpClient.newHttpClient();

    private ServerProcess(Process process, int syslogPort, int httpPort) {
        this.process = process;
        this.syslogPort = syslogPort;
        this.httpPort = httpPort;
    }

    /**
     * Starts a server on free ports and waits until it is ready.
     *
     * @param home the project's root
     * @param data an empty folder for its state
     * @param settings further {@code key=value} settings
     */
    public static ServerProcess start(Path home, Path data, List<String> settings)
            throws IOException, InterruptedException {
        int syslogPort = freePort();
        int httpPort = freePort();
        List<String> command =
                new ArrayList<>(List.of(home.resolve("bin/summarizer").toString(), "serve"));
        List<String> all = new ArrayList<>(List.of(
                "listen.syslog-tcp.bind=127.0.0.1:" + syslogPort,
                "http.bind=127.0.0.1:" + httpPort,
                "definitions=" + home.resolve("schemas"),
                "data=" + data));
        all.addAll(settings);
        for (String setting : all) {
            command.add("--set");
            command.add(setting);
        }
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        ServerProcess server = new ServerProcess(process, syslogPort, httpPort);
        try {
            server.awaitReady();
        } catch (IOException | InterruptedException | RuntimeException e) {
            server.close();
            throw e;
        }
        return server;
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    private void awaitReady() throws IOException, InterruptedException {
        long deadline = System.nanoTime() + START_LIMIT.toNanos();
        while (true) {
            try {
                if (get("/readyz").statusCode() == 200) {
                    return;
                }
            } catch (IOException notYet) {
                if (!process.isAlive()) {
                    throw new IOException("the server ended with status " + process.exitValue(), notYet);
                }
            }
            if (System.nanoTime() > deadline) {
                throw new IOException("the server was not ready within " + START_LIMIT);
            }
            Thread.sleep(50);
        }
    }

    /** Port of the syslog listener on loopback. */
    public int syslogPort() {
        return syslogPort;
    }

    /** User and system CPU time of the server so far. */
    public Duration cpu() {
        return process.info().totalCpuDuration().orElse(Duration.ZERO);
    }

    /** Value of an unlabelled counter or gauge in {@code /metrics}. */
    public double metric(String name) throws IOException, InterruptedException {
        Matcher line = Pattern.compile("^" + Pattern.quote(name) + " (.*)$", Pattern.MULTILINE)
                .matcher(get("/metrics").body());
        if (!line.find()) {
            throw new IOException("/metrics has no " + name);
        }
        return Double.parseDouble(line.group(1));
    }

    /** Sum of {@code updates} over all summaries, taken from one cut. */
    public long updates() throws IOException, InterruptedException {
        Matcher updates = Pattern.compile("\"updates\"\\s*:\\s*(\\d+)")
                .matcher(get("/summaries").body());
        long sum = 0;
        while (updates.find()) {
            sum += Long.parseLong(updates.group(1));
        }
        return sum;
    }

    /** Addresses of all summaries, nested ones too, as CSV. */
    public List<String> csvPaths() throws IOException, InterruptedException {
        Matcher paths = Pattern.compile("\"csv\"\\s*:\\s*\"([^\"]+)\"")
                .matcher(get("/summaries").body());
        List<String> found = new ArrayList<>();
        while (paths.find()) {
            found.add(paths.group(1));
        }
        return found;
    }

    /** What a GET answers. */
    public String text(String path) throws IOException, InterruptedException {
        return get(path).body();
    }

    /** What a POST without a body answers. */
    public String post(String path) throws IOException, InterruptedException {
        return client.send(
                        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + httpPort + path))
                                .POST(HttpRequest.BodyPublishers.noBody())
                                .build(),
                        HttpResponse.BodyHandlers.ofString())
                .body();
    }

    private HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return client.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + httpPort + path))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
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
