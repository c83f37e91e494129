package io.summarizer.server.cli;

import io.summarizer.core.ledger.LedgerCounts;
import io.summarizer.core.result.Manifest;
import io.summarizer.core.result.ResultNames;
import io.summarizer.server.config.ConfigException;
import io.summarizer.server.config.ConfigLoader;
import io.summarizer.server.config.ServerConfig;
import io.summarizer.server.demo.FlinkParts;
import io.summarizer.server.demo.Rsyslogd;
import io.summarizer.server.metrics.EventCounts;
import io.summarizer.server.net.Addresses;
import io.summarizer.server.replay.KafkaTarget;
import io.summarizer.server.replay.TcpTarget;
import io.summarizer.server.service.ResultService;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The demo's way over Kafka and Flink: rsyslogd sends to Kafka, the job reads Kafka and writes results, a service reads
 * the results.
 */
final class FlinkDemo extends DemoWay {
    private static final long FIRST_RESULT_NANOS = TimeUnit.MINUTES.toNanos(3);
    private static final int POLL_MS = 50;
    private static final String OMKAFKA = "config/rsyslog/summarizer-omkafka.conf";

    private final boolean isOneProcess;

    private @Nullable FlinkParts parts;
    private @Nullable ResultService service;
    private @Nullable Path results;
    private @Nullable InetSocketAddress syslog;
    private String brokers = "";

    /**
     * Makes the way; starts nothing.
     *
     * @param isOneProcess whether the Flink cluster runs in one process even if Flink's distribution is installed
     */
    FlinkDemo(DemoScreen screen, boolean isOneProcess) {
        super(screen);
        this.isOneProcess = isOneProcess;
    }

    @Override
    void start(Path folder, Path definitions) throws IOException, CommandFailure, InterruptedException {
        Path program = HomeFolder.path().resolve("bin/summarizer");
        if (!Files.exists(HomeFolder.path().resolve("pom.xml"))) {
            throw new CommandFailure("demo --flink: the Flink job is no part of this package; build it in a checkout");
        }
        Path distribution = HomeFolder.path().resolve("target/flink");
        boolean isDistributed = !isOneProcess && Files.exists(distribution.resolve("version"));
        Path results = folder.resolve("results");
        this.results = results;
        FlinkParts parts = FlinkParts.start(
                program, folder.resolve("parts"), definitions, results, isDistributed ? distribution : null);
        this.parts = parts;
        brokers = parts.await("kafka");
        screen.done("kafka", "a broker of Apache Kafka on " + brokers + ", topic " + FlinkParts.TOPIC);
        String page = parts.await("flink");
        if (isDistributed) {
            screen.done("flink", "a cluster of a JobManager and two TaskManagers, web page on " + page + "/");
        } else if (isOneProcess) {
            screen.done("flink", "a cluster in one process");
        } else {
            screen.note("flink", "no distribution in target/flink (pip fetches it): a cluster in one process");
        }
        String job = parts.await("job");
        awaitResult(parts, results);
        screen.done("job", (job.equals("-") ? "" : job + ", ") + "a checkpoint with a result each second");
        ResultService service = ResultService.start(config(), results);
        this.service = service;
        screen.done("serve", "--from-exports " + results + ", web page on " + http() + "/");
        Path own = folder.resolve("rsyslog");
        String shipped = Files.readString(HomeFolder.path().resolve(OMKAFKA));
        syslog = throughRsyslogd(
                        Rsyslogd.hasModule("omkafka") ? Rsyslogd.find() : Optional.empty(),
                        own,
                        Rsyslogd.toKafka(shipped, brokers, own),
                        "sending by omkafka as " + OMKAFKA + " says",
                        "not installed with omkafka (apt-get install rsyslog-kafka)",
                        "sending straight to Kafka")
                .orElse(null);
    }

    /** Waits until the job runs, that is, until its first checkpoint has a result. This result has no events yet. */
    private static void awaitResult(FlinkParts parts, Path results)
            throws IOException, CommandFailure, InterruptedException {
        Path manifests = results.resolve(ResultNames.MANIFESTS);
        long start = System.nanoTime();
        while (!Files.isDirectory(manifests) || isEmpty(manifests)) {
            parts.check();
            if (System.nanoTime() - start > FIRST_RESULT_NANOS) {
                throw new CommandFailure(
                        "the job made no result in " + TimeUnit.NANOSECONDS.toMinutes(FIRST_RESULT_NANOS) + " minutes");
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MS);
        }
    }

    private static boolean isEmpty(Path folder) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*.json")) {
            return !files.iterator().hasNext();
        }
    }

    private static ServerConfig config() {
        try {
            return ConfigLoader.load(
                    HomeFolder.path(), ServeCommand.LISTENERS_OFF, null, Map.of(), List.of("http.bind=127.0.0.1:0"));
        } catch (ConfigException e) {
            throw new IllegalStateException("the demo's own configuration", e);
        }
    }

    @Override
    Connection connect() throws IOException {
        return syslog == null
                ? Connection.of(KafkaTarget.of(brokers, FlinkParts.TOPIC))
                : Connection.of(TcpTarget.connect(syslog));
    }

    private ResultService service() {
        return Objects.requireNonNull(service, "not started");
    }

    private LedgerCounts ledger() {
        return service().result().map(Manifest::ledger).orElse(LedgerCounts.NONE);
    }

    @Override
    EventCounts counts() {
        return EventCounts.of(this::ledger);
    }

    @Override
    String http() {
        return "http://" + Addresses.text(service().httpAddress());
    }

    @Override
    void check() throws IOException {
        Objects.requireNonNull(parts, "not started").check();
    }

    @Override
    void progress(long sent) {
        Optional<Manifest> result = service().result();
        if (result.isPresent()) {
            Manifest manifest = result.get();
            long received = manifest.ledger().total().received();
            Instant time = Instant.EPOCH.plus(manifest.takenAtMicros(), ChronoUnit.MICROS);
            screen.done(
                    "result",
                    "of checkpoint " + manifest.checkpoint() + " at " + time.truncatedTo(ChronoUnit.SECONDS) + ": "
                            + Units.count(received) + " events; lag " + Units.count(Math.max(0, sent - received))
                            + " events");
        }
    }

    @Override
    void nextSteps(ServiceClient client) {
        screen.next("curl -s " + client.resolve("/summaries/CampaignDetails.csv") + " | head", "what Excel gets");
        screen.next(HomeFolder.program() + " state " + results, "the newest result, without a service");
    }

    @Override
    public void close() {
        super.close();
        if (service != null) {
            service.close();
        }
        if (parts != null) {
            parts.close();
        }
    }
}
