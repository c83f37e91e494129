package io.summarizer.server.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.summarizer.core.ledger.LedgerAssert;
import io.summarizer.core.ledger.LedgerCounts;
import io.summarizer.core.ledger.LedgerJson;
import io.summarizer.core.message.RejectReason;
import io.summarizer.core.store.Cut;
import io.summarizer.server.Await;
import io.summarizer.server.cli.ProjectHome;
import io.summarizer.server.config.ConfigLoader;
import io.summarizer.server.config.ServerConfig;
import io.summarizer.server.replay.TcpTarget;
import io.summarizer.server.service.PlanLoader;
import io.summarizer.server.service.SummarizerService;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A service on free ports, accessed through its sockets only; its state is in a folder of the test. */
final class RunningService implements AutoCloseable {
    private static final String CUT_HEADER = "X-Summarizer-Cut";

    private final SummarizerService service;
    private final Path data;
    private boolean stopped;
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private RunningService(SummarizerService service, Path data) {
        this.service = service;
        this.data = data;
    }

    /** Starts one with the ad server's definitions. */
    static RunningService withAds(Path data, String... settings) throws Exception {
        return start(ProjectHome.path().resolve("schemas"), data, settings);
    }

    /**
     * Starts one.
     *
     * @param settings as after {@code --set}
     */
    static RunningService start(Path definitions, Path data, String... settings) throws Exception {
        return start(definitions, data, List.of(), settings);
    }

    /**
     * Starts one with the content of state files.
     *
     * @param settings as after {@code --set}
     */
    static RunningService start(Path definitions, Path data, List<Path> fromStates, String... settings)
            throws Exception {
        return start(null, definitions, data, fromStates, settings);
    }

    /**
     * Starts one with a configuration file, unless the file is null.
     *
     * @param settings as after {@code --set}
     */
    static RunningService start(
            @Nullable Path file, Path definitions, Path data, List<Path> fromStates, String... settings)
            throws Exception {
        List<String> all = new ArrayList<>(List.of(
                "listen.syslog-tcp.bind=127.0.0.1:0",
                "listen.relp.bind=127.0.0.1:0",
                "http.bind=127.0.0.1:0",
                "definitions=" + definitions,
                "data=" + data));
        all.addAll(List.of(settings));
        ServerConfig config = ConfigLoader.load(ProjectHome.path(), file, Map.of(), all);
        return new RunningService(
                SummarizerService.start(config, PlanLoader.load(definitions, config.timezones()), fromStates, () -> {}),
                data);
    }

    /** The address for syslog over TCP. */
    InetSocketAddress syslog() {
        return service.listeners().syslogAddress().orElseThrow();
    }

    /** The address for syslog over RELP. */
    InetSocketAddress relp() {
        return service.listeners().relpAddress().orElseThrow();
    }

    /** The address for datagrams. */
    InetSocketAddress udp() {
        return service.listeners().udpAddress().orElseThrow();
    }

    /** The address for HTTP, without a slash at the end. */
    String url() {
        return "http://127.0.0.1:" + service.httpAddress().getPort();
    }

    /** The folder of rejected messages. */
    Path rejects() {
        return data.resolve("rejects");
    }

    /** Sends bytes over a connection of their own and waits until the service has read all of them. */
    void send(byte[] bytes) throws IOException {
        try (TcpTarget target = TcpTarget.connect(syslog())) {
            target.send(ByteBuffer.wrap(bytes));
            target.finish();
        }
    }

    /** Stops the service, after it has processed all messages; its counts remain readable. */
    void stop() {
        stopped = true;
        service.close();
    }

    /** Takes a cut that stays until the caller releases it, unlike those that are kept for some time after a pull. */
    Cut cut() throws InterruptedException {
        return service.cut();
    }

    /** Number of messages received, with any fate. */
    long received() {
        return service.counts().received();
    }

    /** Waits until so many messages were received, with any fate. */
    void awaitReceived(long messages) {
        Await.until(
                () -> "received=" + service.counts().received() + " of " + messages,
                () -> service.counts().received() >= messages);
    }

    /** Waits until so many messages were processed, so that later cuts have them. */
    void awaitProcessed(long messages) {
        Await.until(() -> "received=" + service.counts().received() + " of " + messages, () -> {
            try {
                return ledger().total().decided() >= messages;
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        });
    }

    HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return http.send(request(path), HttpResponse.BodyHandlers.ofString());
    }

    /** Sends a POST without a body. */
    HttpResponse<String> post(String path) throws IOException, InterruptedException {
        return http.send(
                HttpRequest.newBuilder(URI.create(url() + path))
                        .POST(HttpRequest.BodyPublishers.noBody())
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    /** The text of a CSV, and its cut. */
    record Pulled(String csv, String cut) {}

    /**
     * Pulls a summary.
     *
     * @param name as in {@code Ads} or {@code Ads/clicks}
     * @param cut one pulled before, to see the same state; null for a new one
     */
    Pulled pull(String name, @Nullable String cut) throws IOException, InterruptedException {
        HttpResponse<String> answer = get("/summaries/" + name + ".csv" + (cut == null ? "" : "?cut=" + cut));
        check(answer);
        return new Pulled(answer.body(), header(answer));
    }

    /** Pulls summaries, all from one cut, into files named {@code NAME.csv} and {@code NAME.FIELD.csv}. */
    Path pullAll(Path folder, String... names) throws IOException, InterruptedException {
        Files.createDirectories(folder);
        String cut = null;
        for (String name : names) {
            Pulled pulled = pull(name, cut);
            cut = pulled.cut();
            Files.writeString(folder.resolve(name.replace('/', '.') + ".csv"), pulled.csv());
        }
        return folder;
    }

    /** Returns {@code updates} of a summary, as listed by {@code /summaries}. */
    long updates(String summary, @Nullable String cut) throws IOException, InterruptedException {
        HttpResponse<String> answer = get("/summaries" + (cut == null ? "" : "?cut=" + cut));
        check(answer);
        for (JsonNode entry : new ObjectMapper().readTree(answer.body())) {
            if (entry.path("name").asText().equals(summary)) {
                return entry.path("updates").asLong();
            }
        }
        throw new AssertionError("no " + summary + " in " + answer.body());
    }

    /** Returns a metric by its name and labels, exactly as {@code /metrics} prints them. */
    long metric(String series) throws IOException, InterruptedException {
        return metricIn(get("/metrics").body(), series);
    }

    static long metricIn(String metrics, String series) {
        return metrics.lines()
                .filter(line -> line.startsWith(series + " "))
                .map(line -> (long) Double.parseDouble(line.substring(series.length() + 1)))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no " + series + " among\n" + metrics));
    }

    /** Numbers of rejected messages, by reason; only reasons that occurred. */
    Map<RejectReason, Long> rejected() throws IOException, InterruptedException {
        String metrics = get("/metrics").body();
        Map<RejectReason, Long> counts = new EnumMap<>(RejectReason.class);
        for (RejectReason reason : RejectReason.values()) {
            if (reason != RejectReason.NONE) {
                long count = metricIn(metrics, "summarizer_rejected_total{reason=\"" + reason.label() + "\"}");
                if (count > 0) {
                    counts.put(reason, count);
                }
            }
        }
        return counts;
    }

    /** The present ledger. */
    LedgerCounts ledger() throws IOException, InterruptedException {
        HttpResponse<String> answer = get("/ledger");
        check(answer);
        return LedgerJson.read(new ByteArrayInputStream(answer.body().getBytes(UTF_8)));
    }

    private HttpRequest request(String path) {
        return HttpRequest.newBuilder(URI.create(url() + path)).build();
    }

    private static void check(HttpResponse<String> answer) {
        if (answer.statusCode() != 200) {
            throw new AssertionError(answer.uri() + " answered " + answer.statusCode() + ": " + answer.body());
        }
    }

    private static String header(HttpResponse<String> answer) {
        return answer.headers()
                .firstValue(CUT_HEADER)
                .orElseThrow(() -> new AssertionError(answer.uri() + " came without " + CUT_HEADER));
    }

    /** Also checks that its ledger balances, whatever happened. */
    @Override
    public void close() {
        try {
            if (!stopped) {
                Cut cut = cut();
                try {
                    LedgerAssert.assertBalances(LedgerCounts.of(cut));
                } finally {
                    cut.release();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            stop();
        }
    }
}
