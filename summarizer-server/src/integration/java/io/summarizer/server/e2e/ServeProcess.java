package io.summarizer.server.e2e;

import io.summarizer.server.Await;
import io.summarizer.server.cli.Main;
import io.summarizer.server.cli.ProjectHome;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** {@code serve} in a process of its own, on free ports, so that it can be killed. */
final class ServeProcess implements AutoCloseable {
    private static final long DEADLINE_SECONDS = 120;

    private final Process process;
    private final Path said;
    private final Path complained;
    private final HttpClient http = HttpClient.newHttpClient();

    private ServeProcess(Process process, Path said, Path complained) {
        this.process = process;
        this.said = said;
        this.complained = complained;
    }

    /**
     * Starts one, and waits until it takes messages.
     *
     * @param log file for its output, with endings of its own
     * @param settings as after {@code --set}
     * @param arguments further ones
     */
    static ServeProcess start(Path log, List<String> settings, String... arguments) throws IOException {
        Path said = log.resolveSibling(log.getFileName() + ".out");
        Path complained = log.resolveSibling(log.getFileName() + ".err");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:TieredStopAtLevel=1", // it is short-lived
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                "-Dsummarizer.home=" + ProjectHome.path(),
                Main.class.getName(),
                "serve"));
        List<String> all = new ArrayList<>(
                List.of("listen.syslog-tcp.bind=127.0.0.1:0", "listen.relp.bind=127.0.0.1:0", "http.bind=127.0.0.1:0"));
        all.addAll(settings);
        for (String setting : all) {
            command.add("--set");
            command.add(setting);
        }
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command);
        // Settings of these tests, or of their user, are no configuration of the service.
        builder.environment().keySet().removeIf(name -> name.startsWith("SUMMARIZER_"));
        Process process = builder.redirectOutput(said.toFile())
                .redirectError(complained.toFile())
                .start();
        ServeProcess serve = new ServeProcess(process, said, complained);
        Await.until(serve::log, () -> !process.isAlive() || serve.text(said).contains("http listening on "));
        if (!process.isAlive()) {
            throw new AssertionError("the service did not start: " + serve.log());
        }
        return serve;
    }

    /** Its output so far. */
    String log() {
        return text(said) + text(complained);
    }

    private String text(Path file) {
        try {
            return Files.exists(file) ? Files.readString(file) : "";
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private String lineAfter(String start) {
        return text(said)
                .lines()
                .filter(line -> line.startsWith(start))
                .map(line -> line.substring(start.length()))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no <" + start + "> in " + log()));
    }

    /** The address for RELP. */
    InetSocketAddress relp() {
        String[] address = lineAfter("relp listening on ").split(":");
        return new InetSocketAddress(address[0], Integer.parseInt(address[1]));
    }

    /** Returns the answer for a path; the status has to be 200. */
    String get(String path) throws IOException, InterruptedException {
        HttpResponse<String> answer = http.send(
                HttpRequest.newBuilder(URI.create(lineAfter("http listening on ") + path))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() != 200) {
            throw new AssertionError(path + " answered " + answer.statusCode() + ": " + answer.body() + log());
        }
        return answer.body();
    }

    /** Sends SIGKILL, at any moment. */
    void kill() throws InterruptedException {
        process.destroyForcibly();
        awaitEnd();
    }

    /** Sends SIGTERM, at which it processes received messages, and ends. */
    void stop() throws InterruptedException {
        process.destroy();
        awaitEnd();
        if (process.exitValue() != 0) {
            throw new AssertionError("exit status " + process.exitValue() + ": " + log());
        }
    }

    private void awaitEnd() throws InterruptedException {
        if (!process.waitFor(DEADLINE_SECONDS, TimeUnit.SECONDS)) {
            throw new AssertionError("does not end: " + log());
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
