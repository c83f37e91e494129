package io.summarizer.server.e2e;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.server.Await;
import io.summarizer.server.GeneratedPage;
import io.summarizer.server.access.Role;
import io.summarizer.server.access.Token;
import io.summarizer.server.cli.ProjectHome;
import io.summarizer.server.config.ConfigLoader;
import io.summarizer.server.config.ServerConfig;
import io.summarizer.server.demo.KafkaBroker;
import io.summarizer.server.service.ResultService;
import io.summarizer.server.tls.TestPki;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The tables of docs/reference/metrics.md are the metrics of a service that uses every feature. */
class MetricsPageTest {
    private static final Pattern SERIES = Pattern.compile("(summarizer_[a-z0-9_]+)(?:\\{(.*)})? \\S+");
    private static final Pattern LABEL = Pattern.compile("([a-z]+)=\"(?:[^\"\\\\]|\\\\.)*\"");

    /**
     * Headings of the page, each with the metrics below it: those whose names, without {@code summarizer_}, begin so.
     */
    private static final Map<String, String> GROUPS = groups();

    private static Map<String, String> groups() {
        Map<String, String> groups = new LinkedHashMap<>();
        groups.put("Messages", "received|unmatched|rejected|rejects|batches|failures|ledger");
        groups.put("Listeners and connections", "listener|connections|receive_buffer");
        groups.put("TLS", "tls");
        groups.put("Kafka", "kafka");
        groups.put("Summaries", "rows|updates|filtered|duplicates|refused_keys|summary");
        groups.put("Windows", "windows|watermark|late");
        groups.put("Expressions", "null_values|extracts|invalid_utf8|saturations");
        groups.put("Ids of dedup", "dedup");
        groups.put("Memory and queues", "state|queue|allocated");
        groups.put("Cuts", "cut|cuts|chunk");
        groups.put("Exports to files", "deliver(?:y|ies)");
        groups.put("Pulls and HTTP", "exports?|http");
        groups.put("Journal, checkpoints, recovery", "journal|checkpoints?|recovery");
        groups.put("Definitions", "reloads?");
        groups.put("Results of a job", "result");
        return groups;
    }

    private static final HttpClient HTTP = HttpClient.newHttpClient();

    @TempDir
    Path folder;

    @Test
    void theReferenceHasEveryMetric() throws Exception {
        String metrics = scrape() + scrapeResults();
        Map<String, String> help = new TreeMap<>();
        Map<String, String> type = new TreeMap<>();
        Map<String, TreeSet<String>> labels = new TreeMap<>();
        for (String line : metrics.lines().toList()) {
            String[] words = line.split(" ", 4);
            if (line.startsWith("# HELP ")) {
                help.put(words[2], words[3]);
            } else if (line.startsWith("# TYPE ")) {
                type.put(words[2], words[3]);
            } else {
                Matcher series = SERIES.matcher(line);
                if (series.matches()) {
                    TreeSet<String> names = labels.computeIfAbsent(series.group(1), name -> new TreeSet<>());
                    if (series.group(2) != null) {
                        LABEL.matcher(series.group(2)).results().forEach(label -> names.add(label.group(1)));
                    }
                }
            }
        }
        StringBuilder page = new StringBuilder();
        TreeSet<String> left = new TreeSet<>(labels.keySet());
        GROUPS.forEach((heading, begins) -> {
            page.append("## ").append(heading).append("\n\n| metric | type | labels | meaning |\n|---|---|---|---|\n");
            Pattern mine = Pattern.compile("summarizer_(" + begins + ")(_.*)?");
            labels.forEach((name, names) -> {
                if (mine.matcher(name).matches() && left.remove(name)) {
                    page.append("| `")
                            .append(name)
                            .append("` | ")
                            .append(type.get(name))
                            .append(" | ");
                    page.append(String.join(
                            ", ", names.stream().map(label -> "`" + label + "`").toList()));
                    page.append(" | ").append(help.get(name)).append(" |\n");
                }
            });
            page.append('\n');
        });
        assertThat(left).as("metrics without a heading").isEmpty();
        assertThat(page.toString()).doesNotContain("| null |", "|  |\n");
        assertThat(labels).hasSizeGreaterThan(80);
        GeneratedPage.check(
                "docs/reference/metrics.md",
                "metrics: written by MetricsPageTest",
                page.toString().strip());
    }

    /** The metrics of a service that shows the results of a job. */
    private String scrapeResults() throws Exception {
        ServerConfig config = ConfigLoader.load(
                ProjectHome.path(),
                null,
                Map.of(),
                List.of("listen.syslog-tcp.bind=off", "listen.relp.bind=off", "http.bind=127.0.0.1:0"));
        try (ResultService results = ResultService.start(config, folder.resolve("results"))) {
            HttpRequest request = HttpRequest.newBuilder(URI.create(results.httpUrl() + "/metrics"))
                    .build();
            return HttpClient.newHttpClient()
                    .send(request, HttpResponse.BodyHandlers.ofString())
                    .body();
        }
    }

    /**
     * The metrics of a service with TLS, tokens, datagrams, Kafka, ids, a bound on bytes, a nested summary, a window,
     * an export and a value that is null.
     */
    private String scrape() throws Exception {
        Path definitions = Files.createDirectory(folder.resolve("definitions"));
        Files.writeString(definitions.resolve("e.proto"), """
                syntax = "proto3";
                message E { int64 id = 1; string name = 2; string cost = 3; }
                """);
        Files.writeString(definitions.resolve("e.summ"), """
                import "e.proto";
                event E on "e" as csv dedup by id within 1h;
                summary Names {
                    limit keys = 1k bytes = 10M overflow = other;
                    key { string name = 1; }
                    value {
                        sumcurrency cost = 1;
                        summary Id { key { int64 id = 1; } value { count times = 1; } }
                        repeated Id ids = 2;
                    }
                }
                map E into Names { key { name; } cost += cost; ids[id = id] { times += 1; } }
                summary Hours {
                    window hour every 1h close after 1h;
                    key { timestamp hour = 1; }
                    value { count events = 1; }
                }
                map E into Hours { key { hour = syslog.timestamp; } events += 1; }
                """);
        TestPki pki = new TestPki("metrics");
        pki.write(folder);
        TestPki.Pair server = pki.server().write(folder, "server");
        Token token = Token.random();
        Path tokens = Files.writeString(folder.resolve("tokens"), token.line(Role.READ, "test") + "\n");
        try (KafkaBroker broker = KafkaBroker.start(folder.resolve("broker"));
                RunningService service = RunningService.start(
                        definitions,
                        folder.resolve("data"),
                        "listen.kafka.brokers=" + broker.brokers(),
                        "listen.kafka.topics=events",
                        "listen.syslog-udp.bind=127.0.0.1:0",
                        "listen.relp.tls.certificate=" + server.certificate(),
                        "listen.relp.tls.key=" + server.key(),
                        "http.tokens=" + tokens,
                        "exports.1.summary=Names",
                        "exports.1.every=1h",
                        "exports.1.to=" + folder.resolve("names.csv"))) {
            service.send("<134>1 - h a - e - 7,cup,12;50\n".getBytes(US_ASCII));
            service.awaitReceived(1);
            broker.createTopic("events", 1, Map.of());
            Await.until(() -> "no lag", () -> {
                try {
                    return get(service, token).contains("summarizer_kafka_lag{");
                } catch (IOException | InterruptedException e) {
                    throw new AssertionError(e);
                }
            });
            return get(service, token);
        }
    }

    private static String get(RunningService service, Token token) throws IOException, InterruptedException {
        HttpResponse<String> answer = HTTP.send(
                HttpRequest.newBuilder(URI.create(service.url() + "/metrics"))
                        .header("Authorization", "Bearer " + token.secret())
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        assertThat(answer.statusCode()).isEqualTo(200);
        return answer.body();
    }
}
