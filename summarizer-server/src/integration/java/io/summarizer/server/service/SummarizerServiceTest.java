package io.summarizer.server.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.summarizer.core.ledger.Fate;
import io.summarizer.server.Await;
import io.summarizer.server.cli.Commands;
import io.summarizer.server.cli.ProjectHome;
import io.summarizer.server.config.ConfigException;
import io.summarizer.server.config.ConfigLoader;
import io.summarizer.server.config.ServerConfig;
import io.summarizer.server.demo.FreePort;
import io.summarizer.server.demo.TemporaryFolder;
import io.summarizer.server.replay.TcpTarget;
import io.summarizer.server.workload.AdsWorkload;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SummarizerServiceTest {
    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "pipeline.summarize.queue=lbq",
                "pipeline.summarize.queue=abq",
                "pipeline.summarize.queue=mpsc pipeline.parse.queue=mpmc",
                "pipeline.summarize.queue=disruptor pipeline.parse.queue=disruptor",
                "pipeline.mode=inline",
                "pipeline.mode=locked",
                "pipeline.batch.messages=1",
                "pipeline.batch.messages=512 pipeline.batch.linger=1s",
                "pipelines.v2.topics=ad.auction.# pipelines.v2.summarize.queue=disruptor",
            })
    void whatWasSentBeforeTheEndIsCountedAtTheEnd(String settings) throws Exception {
        List<String> sets = new ArrayList<>(List.of("pipeline.summarize.workers=2", "pipeline.parse.workers=2"));
        sets.addAll(List.of(settings.split(" ")));
        SummarizerService service = SummarizerService.start(config(sets.toArray(String[]::new)), plan());
        ByteArrayOutputStream traffic = new ByteArrayOutputStream();
        AdsWorkload.v1(1).writeTo(traffic, 5000);
        AdsWorkload.v2(1).writeTo(traffic, 5000);
        try (TcpTarget target =
                TcpTarget.connect(service.listeners().syslogAddress().orElseThrow())) {
            target.send(ByteBuffer.wrap(traffic.toByteArray()));
            target.finish();
        }
        service.close();
        service.close();
        assertThat(service.lostRows()).isFalse();
        assertThat(service.counts().received()).isEqualTo(10_000);
        assertThat(service.counts().unmatched()).isZero();
        assertThat(service.counts().rejected(Fate.PAYLOAD)).isZero();
    }

    @Test
    void aStopThatCannotWriteItsLastCheckpointSaysThatRowsAreLost() throws Exception {
        SummarizerService service = SummarizerService.start(config(), plan());
        ByteArrayOutputStream traffic = new ByteArrayOutputStream();
        AdsWorkload.v1(1).writeTo(traffic, 10);
        try (TcpTarget target =
                TcpTarget.connect(service.listeners().syslogAddress().orElseThrow())) {
            target.send(ByteBuffer.wrap(traffic.toByteArray()));
            target.finish();
        }
        Await.until(
                () -> "received " + service.counts().received(),
                () -> service.counts().received() == 10);
        Path checkpoints = folder.resolve("data/checkpoints");
        Files.move(checkpoints, folder.resolve("moved"));
        Files.createFile(checkpoints); // no folder, so no file can be made in it
        service.close();
        assertThat(service.lostRows()).isTrue();
    }

    @Test
    void badAndUnmatchedMessagesAreKeptInTheDataFolder() throws Exception {
        SummarizerService service = SummarizerService.start(config("unmatched=keep"), plan());
        String stray = "<134>1 2026-11-20T00:00:00Z h a - no.such.topic - x";
        String bad = "<134>1 2026-11-20T00:00:00Z h a - ad.click - 1,no number";
        try (TcpTarget target =
                TcpTarget.connect(service.listeners().syslogAddress().orElseThrow())) {
            target.send(ByteBuffer.wrap((stray + "\n" + bad + "\n").getBytes(StandardCharsets.UTF_8)));
            target.finish();
        }
        service.close();
        assertThat(folder.resolve("data/rejects/unmatched.frames")).hasContent(stray.length() + " " + stray);
        assertThat(folder.resolve("data/rejects/payload.frames")).hasContent(bad.length() + " " + bad);
    }

    @Test
    void datagramsAreTakenWhereThatIsAskedFor() throws Exception {
        try (SummarizerService service = SummarizerService.start(config("listen.syslog-udp.bind=127.0.0.1:0"), plan());
                DatagramSocket socket = new DatagramSocket()) {
            byte[] stray = "<134>1 2026-11-20T00:00:00Z h a - no.such.topic - x".getBytes(StandardCharsets.UTF_8);
            socket.send(new DatagramPacket(
                    stray, stray.length, service.listeners().udpAddress().orElseThrow()));
            Await.until(
                    () -> "received " + service.counts().received(),
                    () -> service.counts().received() == 1);
            assertThat(service.counts().unmatched()).isEqualTo(1);
        }
        ServerConfig config = config("listen.relp.bind=off", "listen.syslog-tcp.bind=off");
        try (SummarizerService service = SummarizerService.start(config, plan())) {
            assertThat(service.listeners().udpAddress()).isEmpty();
            assertThat(service.listeners().relpAddress()).isEmpty();
            assertThat(service.listeners().syslogAddress()).isEmpty();
        }
    }

    @Test
    void anAddressInUseIsSaidAndNothingStaysBehind() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String address = "127.0.0.1:" + taken.getLocalPort();
            for (String key : List.of("listen.syslog-tcp.bind=", "listen.relp.bind=", "http.bind=")) {
                ServerConfig config = config(key + address);
                assertThatThrownBy(() -> SummarizerService.start(config, plan()))
                        .isInstanceOf(IOException.class)
                        .hasMessageContaining("cannot listen on")
                        .hasMessageContaining(address);
            }
        }
        // The data folder is free again, too.
        SummarizerService.start(config(), plan()).close();
    }

    @Test
    void twoServicesDoNotShareAFolder() throws Exception {
        try (SummarizerService first = SummarizerService.start(config(), plan())) {
            assertThat(first.listeners().syslogAddress()).isPresent();
            ServerConfig config = config();
            assertThatThrownBy(() -> SummarizerService.start(config, plan())).hasMessageContaining("in use by process");
        }
    }

    @Test
    void nobodyButItsUserMayReadTheDataFolder() throws Exception {
        assumeTrue(folder.getFileSystem().supportedFileAttributeViews().contains("posix"));
        Path data = folder.resolve("data");
        // As an earlier version left them.
        Path open = Files.createDirectories(data.resolve("rejects")).resolve("payload.frames");
        Files.writeString(open, "4 <1>a");
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rw-r--r--"));
        Files.setPosixFilePermissions(data, PosixFilePermissions.fromString("rwxr-xr-x"));
        try (SummarizerService service = SummarizerService.start(config("unmatched=keep"), plan())) {
            try (TcpTarget target =
                    TcpTarget.connect(service.listeners().syslogAddress().orElseThrow())) {
                target.send(ByteBuffer.wrap("<13>1 - - - - none - x\n".getBytes(StandardCharsets.US_ASCII)));
                target.finish();
            }
        }
        try (Stream<Path> all = Files.walk(data)) {
            List<Path> found = all.toList();
            assertThat(found)
                    .contains(
                            data.resolve("lock"),
                            data.resolve("rejects/unmatched.frames"),
                            data.resolve("checkpoints"),
                            data.resolve("definitions"),
                            data.resolve("journal"))
                    .hasSizeGreaterThan(10);
            for (Path path : found) {
                assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
                        .as(path.toString())
                        .isEqualTo(Files.isDirectory(path) ? "rwx------" : "rw-------");
            }
        }
    }

    /** Somebody configured a folder that belongs to something else. */
    @Test
    void leavesAFolderWithOtherThingsInItAsItIs() throws Exception {
        assumeTrue(folder.getFileSystem().supportedFileAttributeViews().contains("posix"));
        Path data = Files.createDirectories(folder.resolve("data"));
        Path other = Files.writeString(data.resolve("other"), "x");
        Files.setPosixFilePermissions(data, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.setPosixFilePermissions(other, PosixFilePermissions.fromString("rw-r--r--"));
        SummarizerService.start(config(), plan()).close();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(data)))
                .isEqualTo("rwxr-xr-x");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(other)))
                .isEqualTo("rw-r--r--");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(data.resolve("checkpoints"))))
                .isEqualTo("rwx------");
    }

    @Test
    void tellsWhatTakesATopic() throws Exception {
        try (SummarizerService service = SummarizerService.start(config(), plan())) {
            URI uri = URI.create(
                    "http://127.0.0.1:" + service.httpAddress().getPort() + "/topics?topic=ad.click.us&topic=ad.clik");
            String answer = HttpClient.newHttpClient()
                    .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString())
                    .body();
            assertThat(answer)
                    .startsWith(
                            "ad.click.us\tClick\tcsv\n  matches  ad.click.# of Click\n  applies  Click->CampaignDetails\n")
                    .contains("ad.clik\t-\tno event type takes it\n  near     ad.click.# of Click: ");
        }
    }

    @Test
    void aStartThatIsRefusedLeavesNoThreadBehind() throws Exception {
        SummarizerService.start(config(), definitions("string")).close();
        assertThatThrownBy(() -> SummarizerService.start(config(), definitions("int64")))
                .hasMessageContaining("do not go together");
        assertThat(Thread.getAllStackTraces().keySet())
                .extracting(Thread::getName)
                .doesNotContain("journal", "checkpointer");
        SummarizerService.start(config(), definitions("string")).close();
    }

    /** The reset would empty the rows of the state file. */
    @Test
    void aStateFileIsRefusedBesideAJournalWithAReset() throws Exception {
        ServerConfig config = config("listen.relp.bind=off");
        try (SummarizerService service = SummarizerService.start(config, plan())) {
            HttpRequest reset = HttpRequest.newBuilder(
                            URI.create(service.httpUrl() + "/summaries/CampaignDetails/reset"))
                    .POST(HttpRequest.BodyPublishers.noBody())
                    .build();
            assertThat(HttpClient.newHttpClient()
                            .send(reset, HttpResponse.BodyHandlers.ofString())
                            .statusCode())
                    .isEqualTo(200);
        }
        Path state = folder.resolve("some.state");
        try (Stream<Path> checkpoints = Files.list(folder.resolve("data/checkpoints"))) {
            for (Path checkpoint : checkpoints.toList()) {
                Files.move(checkpoint, state, StandardCopyOption.REPLACE_EXISTING);
            }
        }
        assertThatThrownBy(() -> SummarizerService.start(config, plan(), List.of(state), () -> {}))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("journal has messages or changes that no checkpoint covers");
        TemporaryFolder.delete(folder.resolve("data/journal"));
        ServerConfig kafka = config("listen.kafka.brokers=127.0.0.1:9", "listen.kafka.topics=hit");
        assertThatThrownBy(() -> SummarizerService.start(kafka, plan(), List.of(state), () -> {}))
                .hasMessageContaining("listen.kafka.start is earliest")
                .hasMessageContaining("would apply twice");
        SummarizerService.start(config, plan(), List.of(state), () -> {}).close();
    }

    @Test
    void aStartThatFailsStopsAnsweringOverHttp() throws Exception {
        int port = FreePort.next();
        Path missing = folder.resolve("missing.state");
        assertThatThrownBy(() -> SummarizerService.start(
                        config("http.bind=127.0.0.1:" + port), definitions("string"), List.of(missing), () -> {}))
                .hasMessageContaining("missing.state");
        // A thread that was told to end and is no longer waited for may live a moment longer.
        Await.until(
                () -> "threads " + Thread.getAllStackTraces().keySet(),
                () -> Thread.getAllStackTraces().keySet().stream()
                        .noneMatch(thread -> thread.getName().startsWith("http")));
        try (ServerSocket free = new ServerSocket()) {
            free.setReuseAddress(true);
            free.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        }
    }

    /** The calls of Kafka's client take up to 10 s, and a stop has less time in some places. */
    @Test
    void aStopDoesNotWaitForABrokerThatDoesNotAnswer() throws Exception {
        try (ServerSocket broker = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            SummarizerService service = SummarizerService.start(
                    config("listen.kafka.brokers=127.0.0.1:" + broker.getLocalPort(), "listen.kafka.topics=hit"),
                    definitions("string"));
            try (Socket client = broker.accept()) {
                assertThat(client.getInputStream().read())
                        .as("a request without an answer")
                        .isNotNegative();
                assertThat(CompletableFuture.runAsync(service::close)).succeedsWithin(Duration.ofSeconds(9));
            }
        }
    }

    @Test
    void aMissingFileIsNamedWithItsKey() throws Exception {
        Path missing = folder.resolve("missing");
        LoadedPlan definitions = definitions("string");
        ServerConfig tokens = config("http.tokens=" + missing);
        assertThatThrownBy(() -> SummarizerService.start(tokens, definitions))
                .hasMessage("http.tokens: " + missing + ": no such file");
        ServerConfig tls = config("listen.relp.tls.certificate=" + missing, "listen.relp.tls.key=" + missing);
        assertThatThrownBy(() -> SummarizerService.start(tls, definitions))
                .hasMessage("listen.relp.tls: " + missing + ": no such file");
    }

    @Test
    void aStartThatFailsWithAnErrorLeavesNothingRunning() throws Exception {
        Error error = new AssertionError("of the caller");
        assertThatThrownBy(() -> SummarizerService.start(config(), definitions("string"), List.of(), () -> {
                    throw error;
                }))
                .isSameAs(error);
        SummarizerService.start(config(), definitions("string")).close(); // the data folder is free
    }

    @Test
    void aStartSaysHowFarItIs() throws Exception {
        Path lines = folder.resolve("lines.log");
        Files.write(
                lines,
                IntStream.range(0, 300_000)
                        .mapToObj(page -> "<134>1 - h a - hit - " + page)
                        .toList());
        LoadedPlan plan = definitions("int64");
        Path state = folder.resolve("many.state");
        Commands.Outcome run = Commands.run(
                "run",
                "--definitions",
                folder.resolve("definitions").toString(),
                "--out",
                folder.resolve("out").toString(),
                "--state",
                state.toString(),
                lines.toString());
        assertThat(run.exit()).as(run.err()).isZero();

        int port = FreePort.next();
        ServerConfig config = config("http.bind=127.0.0.1:" + port);
        HttpRequest ready = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/readyz"))
                .build();
        HttpClient client = HttpClient.newHttpClient();
        List<String> whenLoaded = new ArrayList<>();
        try (SummarizerService service =
                SummarizerService.start(config, plan, List.of(state), () -> whenLoaded.add(body(client, ready)))) {
            assertThat(whenLoaded).singleElement().isEqualTo("not ready: recovering: loading many.state, 100 %\n");
            assertThat(service.httpAddress().getPort()).isEqualTo(port);
            assertThat(client.send(ready, HttpResponse.BodyHandlers.ofString()).body())
                    .isEqualTo("ready\n");
            HttpRequest pull = HttpRequest.newBuilder(
                            URI.create("http://127.0.0.1:" + port + "/summaries/Hits.csv?order_by=page"))
                    .build();
            assertThat(client.send(pull, HttpResponse.BodyHandlers.ofString()).body())
                    .as("the rows of the file, and no others")
                    .isEqualTo(IntStream.range(0, 300_000)
                            .mapToObj(page -> page + ",1\n")
                            .collect(Collectors.joining("", "page,hits\n", "")));
        }
    }

    private static String body(HttpClient client, HttpRequest request) {
        try {
            return client.send(request, HttpResponse.BodyHandlers.ofString()).body();
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private LoadedPlan definitions(String type) throws Exception {
        Path definitions = Files.createDirectories(folder.resolve("definitions"));
        Files.writeString(
                definitions.resolve("t.proto"), "syntax = \"proto3\"; message Hit { " + type + " page = 1; }");
        Files.writeString(definitions.resolve("t.summ"), """
                import "t.proto";
                event Hit on "hit" as csv;
                summary Hits { key { %s page = 1; } value { count hits = 1; } }
                map Hit into Hits { key { page; } hits += 1; }
                """.formatted(type));
        return PlanLoader.load(definitions, List.of(ZoneOffset.UTC));
    }

    private ServerConfig config(String... sets) throws ConfigException {
        List<String> all = new ArrayList<>(List.of(
                "listen.syslog-tcp.bind=127.0.0.1:0",
                "listen.relp.bind=127.0.0.1:0",
                "http.bind=127.0.0.1:0",
                "data=" + folder.resolve("data")));
        all.addAll(List.of(sets));
        return ConfigLoader.load(ProjectHome.path(), null, Map.of(), all);
    }

    private static LoadedPlan plan() throws DefinitionsException {
        return PlanLoader.load(ProjectHome.path().resolve("schemas"), List.of(ZoneOffset.UTC));
    }
}
