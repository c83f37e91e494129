package io.summarizer.server.service;

import io.summarizer.core.disk.DiskErrors;
import io.summarizer.core.ledger.LedgerCounts;
import io.summarizer.core.result.Manifest;
import io.summarizer.core.result.Manifest.RowFile;
import io.summarizer.core.result.ResultFolder;
import io.summarizer.dsl.export.CsvQueryCompiler;
import io.summarizer.server.config.ServerConfig;
import io.summarizer.server.http.DefinitionsControl;
import io.summarizer.server.http.HttpListener;
import io.summarizer.server.metrics.EventCounts;
import io.summarizer.server.metrics.ServerMetrics;
import io.summarizer.server.tls.FileWatch;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A running service that shows the results of a job over HTTP: it has no listeners for messages, no definitions and no
 * data of its own. One thread looks for newer results. Start and close block; the other methods are thread-safe.
 */
public final class ResultService implements AutoCloseable {
    /** Interval of the search for a newer result. */
    private static final Duration LOOKS = Duration.ofSeconds(1);

    private static final System.Logger LOGGER = System.getLogger(ResultService.class.getName());

    private final ResultFolder results;
    private final ResultCuts cuts;
    private final AtomicBoolean stopping = new AtomicBoolean();
    /** Whether pulls are answered, as far as there is a result. */
    private volatile boolean serving;

    private final Teardown opened = new Teardown();
    private final HttpServers http;
    /** The problem that was logged last. Used by the thread that looks. */
    private String logged = "";

    private ResultService(ServerConfig config, Path folder) throws IOException {
        ListenAddresses.check(config);
        Protection protection = Protection.of(config);
        results = new ResultFolder(folder);
        cuts = new ResultCuts(results);
        try {
            opened.add("the results", results::close);
            FileWatch certificates = new FileWatch(protection.refreshes(), FileWatch.INTERVAL);
            opened.add("looking at files", certificates::close);
            http = HttpServers.open(config, protection, this::notReady, opened);
            look();
            serve();
            serving = true;
            FileWatch newer = new FileWatch(List.of(this::look), LOOKS);
            opened.add("looking for results", newer::close);
        } catch (IOException | RuntimeException | Error e) {
            opened.run();
            throw e;
        }
    }

    /**
     * Starts to serve the results in a folder. The folder may still be without a result.
     *
     * @param config settings of HTTP; listeners for messages and exports have to be off
     * @throws IOException when an address cannot be bound, or is not protected; no part is then left running
     */
    public static ResultService start(ServerConfig config, Path folder) throws IOException {
        return new ResultService(config, folder);
    }

    private void serve() {
        ServerMetrics metrics = metrics();
        opened.add("metrics", metrics::close);
        HttpListener listener = http.http();
        listener.serve(cuts, CsvQueryCompiler.of(List.of()), metrics, cuts);
        listener.remarks(this::remarks);
        HttpListener health = http.health();
        if (health != null) {
            health.bindConnections(metrics);
            health.remarks(this::remarks);
        }
        opened.add("the HTTP server", listener::close);
    }

    /** Looks for a newer result, and logs a problem once. */
    private void look() {
        String problem;
        try {
            if (results.look()) {
                cuts.manifest()
                        .ifPresent(manifest -> LOGGER.log(
                                System.Logger.Level.INFO, "shows the result of checkpoint " + manifest.checkpoint()));
            }
            problem = results.problem();
        } catch (IOException e) {
            problem = results + " cannot be read: " + DiskErrors.describe(e);
        }
        if (!problem.isEmpty() && !problem.equals(logged)) {
            LOGGER.log(System.Logger.Level.WARNING, problem);
        }
        logged = problem;
    }

    /** The control of definitions, which refuses all changes. */
    public DefinitionsControl definitions() {
        return cuts;
    }

    private Optional<String> notReady() {
        if (stopping.get()) {
            return Optional.of("stopping");
        }
        if (!serving) {
            return Optional.of("starting");
        }
        return results.current() == null ? Optional.of(results.problem()) : Optional.empty();
    }

    private String remarks() {
        String problem = results.problem();
        return problem.isEmpty() ? "" : problem + "\n";
    }

    private ServerMetrics metrics() {
        ServerMetrics metrics = new ServerMetrics(EventCounts.of(this::ledger));
        metrics.bindLedger(this::ledger);
        metrics.gauge(
                "result.checkpoint",
                "Number of the checkpoint whose result is shown; -1 before the first result",
                () -> cuts.state().orElse(-1));
        metrics.gauge(
                "result.age.seconds",
                "Time since the start of the checkpoint whose result is shown; 0 before the first result",
                () -> cuts.manifest().map(ResultService::ageSeconds).orElse(0.0));
        metrics.gauge(
                "result.files",
                "Files of the result that is shown",
                () -> cuts.manifest()
                        .map(manifest -> manifest.allFiles().size())
                        .orElse(0));
        metrics.gauge(
                "result.bytes",
                "Bytes of the files of the result that is shown",
                () -> cuts.manifest()
                        .map(manifest -> manifest.allFiles().stream()
                                .mapToLong(RowFile::bytes)
                                .sum())
                        .orElse(0L));
        metrics.gauge(
                "result.files.open", "Files that are kept open because cuts of results have them", results::filesOpen);
        metrics.counter(
                "result.failures",
                "Times that a result could not be opened because a file was missing or damaged",
                results::problems);
        return metrics;
    }

    private static double ageSeconds(Manifest manifest) {
        long now = TimeUnit.MILLISECONDS.toMicros(System.currentTimeMillis());
        return Math.max(0, now - manifest.takenAtMicros()) / 1e6;
    }

    private LedgerCounts ledger() {
        return cuts.manifest().map(Manifest::ledger).orElse(LedgerCounts.NONE);
    }

    /** The manifest of the newest result that is shown; empty before the first result. */
    public Optional<Manifest> result() {
        return cuts.manifest();
    }

    /** Address of HTTP, with its actual port. */
    public InetSocketAddress httpAddress() {
        return http.http().address();
    }

    /** Address of the port for health checks only; empty when health checks have no port of their own. */
    public Optional<InetSocketAddress> healthAddress() {
        return http.healthAddress();
    }

    /** URL of HTTP. */
    public String httpUrl() {
        return http.url();
    }

    /** Stops all parts. May be called more than once. */
    @Override
    public void close() {
        if (stopping.compareAndSet(false, true)) {
            opened.run();
        }
    }
}
