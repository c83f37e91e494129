package io.summarizer.server.service;

import io.summarizer.core.deliver.Exports;
import io.summarizer.core.journal.Journal;
import io.summarizer.core.pipeline.Pipeline;
import io.summarizer.core.recovery.Checkpoints;
import io.summarizer.core.recovery.DurableControls;
import io.summarizer.core.recovery.RecoveryProgress;
import io.summarizer.core.reject.LateFiles;
import io.summarizer.core.reject.RejectLog;
import io.summarizer.core.store.Cut;
import io.summarizer.core.store.SummaryLayout;
import io.summarizer.server.config.ServerConfig;
import io.summarizer.server.explain.TopicExplainer;
import io.summarizer.server.http.DefinitionsControl;
import io.summarizer.server.http.HttpListener;
import io.summarizer.server.metrics.EventCounts;
import io.summarizer.server.metrics.ServerMetrics;
import io.summarizer.server.net.ThrottledLog;
import io.summarizer.server.tls.FileWatch;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A running service: a claim on its data folder, a pipeline, the listeners and the HTTP server. Start and close block;
 * the other methods are thread-safe.
 */
public final class SummarizerService implements AutoCloseable {
    private static final System.Logger LOGGER = System.getLogger(SummarizerService.class.getName());

    /** Interval of the looks at the ledger for what deserves a warning. */
    private static final Duration LEDGER_LOOKS = Duration.ofSeconds(30);

    private final State state;
    private final Reloader reloader;
    private final HttpServers http;
    private final Listeners listeners;
    private final AtomicBoolean stopping;
    private final Teardown opened;

    /** The state of the service, and the parts that make it durable. */
    private record State(RejectLog rejects, LateFiles late, StateRecovery recovery, Durability durability) {
        Pipeline pipeline() {
            return recovery.pipeline();
        }
    }

    private SummarizerService(
            State state,
            Reloader reloader,
            HttpServers http,
            Listeners listeners,
            AtomicBoolean stopping,
            Teardown opened) {
        this.state = state;
        this.reloader = reloader;
        this.http = http;
        this.listeners = listeners;
        this.stopping = stopping;
        this.opened = opened;
    }

    /**
     * Starts all parts, with the state of the data folder. When the method returns, the service takes messages.
     *
     * @throws IOException when the data folder is in use or cannot be written, when its state cannot be loaded, or when
     *     an address cannot be bound; no part is left running
     */
    public static SummarizerService start(ServerConfig config, LoadedPlan definitions)
            throws IOException, InterruptedException {
        return start(config, definitions, List.of(), () -> {});
    }

    /**
     * Checks what a start requires besides definitions and data. Addresses that other hosts can reach have to be
     * protected, and certificates, keys and tokens have to be usable. Opens no port.
     *
     * @throws IOException when a requirement is not met; the message names the requirement and says what to do
     */
    public static void check(ServerConfig config) throws IOException {
        Protection unused = Protection.of(config);
        ListenAddresses.checkDistinct(config);
    }

    /**
     * Checks that definitions have what a configuration exports.
     *
     * @throws RefusedConfigException when the definitions lack something that is exported; the message has all problems
     */
    public static void checkExports(ServerConfig config, List<SummaryLayout> summaries) throws RefusedConfigException {
        String problems = ExportSetup.problems(config.exports(), summaries);
        if (!problems.isEmpty()) {
            throw new RefusedConfigException(problems);
        }
    }

    /**
     * Starts all parts like {@link #start(ServerConfig, LoadedPlan)}. If the data folder has no checkpoint, the service
     * begins with the content of the state files.
     *
     * @param loaded runs when the last checkpoint is loaded and HTTP answers; a replay may follow, which may take long
     */
    public static SummarizerService start(
            ServerConfig config, LoadedPlan definitions, List<Path> fromStates, Runnable loaded)
            throws IOException, InterruptedException {
        Teardown opened = new Teardown();
        AtomicBoolean stopping = new AtomicBoolean();
        try {
            checkExports(config, definitions.plan().summaries());
            Protection protection = Protection.of(config);
            claimData(config, opened);
            RecoveryProgress progress = new RecoveryProgress();
            Readiness readiness = new Readiness(progress, stopping);
            FileWatch watch = watch(protection, opened);
            HttpServers http = HttpServers.open(config, protection, readiness::notReady, opened);
            State state = openState(config, definitions, fromStates, progress, opened);
            ServerMetrics metrics = meter(state, watch, opened);
            Reloader reloader = new Reloader(config, state.pipeline(), state.recovery.windows(), metrics);
            opened.add("reloading", reloader::close);
            DurableCuts cuts = new DurableCuts(state.pipeline(), config, progress::text);
            serve(config, http, state, cuts, reloader, metrics, opened);
            readiness.recovering(state.durability);
            loaded.run();
            recover(config, protection, state, definitions, cuts, reloader, metrics, opened);
            Listeners listeners =
                    Listeners.open(config, protection, state.pipeline(), state.durability, metrics, opened);
            readiness.listening();
            return new SummarizerService(state, reloader, http, listeners, stopping, opened);
        } catch (IOException | InterruptedException | RuntimeException | Error e) {
            opened.run();
            throw e;
        }
    }

    private static void claimData(ServerConfig config, Teardown opened) throws IOException {
        DataLock lock = DataLock.of(config.data());
        opened.add("the data folder", lock::close);
        DataFolder.close(config.data());
        ListenAddresses.check(config);
    }

    /** Starts to watch the files of certificates and tokens, before the first of them is used. */
    private static FileWatch watch(Protection protection, Teardown opened) {
        FileWatch watch = new FileWatch(protection.refreshes(), FileWatch.INTERVAL);
        opened.add("looking at files", watch::close);
        return watch;
    }

    /** Opens the journal and loads the last checkpoint. */
    private static State openState(
            ServerConfig config,
            LoadedPlan definitions,
            List<Path> fromStates,
            RecoveryProgress progress,
            Teardown opened)
            throws IOException, InterruptedException {
        Checkpoints.checkFormats(config.data().resolve("checkpoints"));
        LateFiles late = new LateFiles(
                DataFolder.late(config.data()),
                config.refused().lateBytesMax(),
                DataFolder::lateNameOf,
                Files.isDirectory(config.data().resolve("journal")));
        RejectLog rejects = new RejectLog(
                config.data().resolve("rejects"),
                config.refused().bytesMax(),
                config.refused().unmatched() == ServerConfig.Unmatched.KEEP,
                late);
        opened.add("the log of rejected messages", rejects::close);
        Journal journal = PipelineSetup.openJournal(config);
        opened.add("the journal", journal::close);
        StateRecovery recovery = new StateRecovery(
                config,
                definitions,
                fromStates,
                journal,
                new RejectNotices(rejects, new ThrottledLog(LOGGER)),
                progress);
        opened.add("files of windows", recovery.windows()::sweep);
        Pipeline pipeline = recovery.pipeline();
        opened.add("the pipeline", pipeline::close);
        IdMemory.leftOut(
                        pipeline.gauges().seenIds().evicted(), pipeline.gauges().dedupIds())
                .ifPresent(SummarizerService::warn);
        Durability durability = new Durability(config, recovery, journal, rejects);
        opened.add("checkpoints", durability::close);
        Listeners.name(pipeline);
        return new State(rejects, late, recovery, durability);
    }

    /** Publishes the fates of messages, and warns of expressions that give only nulls, and of full summaries. */
    private static ServerMetrics meter(State state, FileWatch watch, Teardown opened) {
        Pipeline pipeline = state.pipeline();
        ServerMetrics metrics = metrics(pipeline, state.rejects, state.late);
        opened.add("metrics", metrics::close);
        state.durability.bind(metrics);
        NullAlarm nulls = new NullAlarm(() -> pipeline.ledger().now().nulls(), SummarizerService::warn);
        opened.add("counts of nulls", nulls::lookLast);
        watch.add(nulls::look, LEDGER_LOOKS);
        LimitAlarm limits = new LimitAlarm(
                () -> pipeline.ledger().now().mappings(),
                pipeline.gauges()::hasAllWindows,
                SummarizerService::warn,
                System::nanoTime);
        opened.add("counts of refused keys", limits::look);
        watch.add(limits::look, LEDGER_LOOKS);
        return metrics;
    }

    /** Serves everything over HTTP. Cuts become available once the state is recovered. */
    private static void serve(
            ServerConfig config,
            HttpServers servers,
            State state,
            DurableCuts cuts,
            Reloader reloader,
            ServerMetrics metrics,
            Teardown opened) {
        HttpListener http = servers.http();
        reloader.onReload(next -> {
            http.topics(new TopicExplainer(next.events(), next.summaries()));
            if (!next.dedups().isEmpty()) {
                IdMemory.warning(
                                state.pipeline().gauges().dedupIds(),
                                config.limits().dedupIds(),
                                config.limits().stateBytes())
                        .ifPresent(SummarizerService::warn);
            }
        });
        http.serve(cuts, reloader, metrics, reloader);
        http.remarks(state.durability::remarks);
        HttpListener health = servers.health();
        if (health != null) {
            health.bindConnections(metrics);
            health.remarks(state.durability::remarks);
        }
        opened.add("the HTTP server", http::close);
    }

    /**
     * Replays the journal. After that, messages are journalled, checkpoints are written, windows close and are
     * exported, and reloads and resets are possible.
     */
    private static void recover(
            ServerConfig config,
            Protection protection,
            State state,
            LoadedPlan definitions,
            DurableCuts cuts,
            Reloader reloader,
            ServerMetrics metrics,
            Teardown opened)
            throws IOException, InterruptedException {
        Durability durability = state.durability;
        opened.add("the journal's writer", durability::drain);
        DurableControls durable = durability.begin(protection.kafka(), metrics);
        state.pipeline().cut().release(); // owners have then applied all updates of the replay
        state.late.replayed();
        opened.add("reloads and resets", durability::stopChanges); // stopped before the parts that they need
        Exports exports = ExportSetup.open(config, state.pipeline(), state.recovery.windows(), reloader, metrics);
        durability.failWith(exports.failure());
        opened.add("exports", exports::close);
        durability.startWindows();
        exports.start();
        cuts.begin(durable, durability.windows());
        reloader.begin(
                definitions.checked(),
                next -> durable.reload(next.plan(), () -> state.recovery.store().keep(next.files())));
    }

    private static void warn(String text) {
        LOGGER.log(System.Logger.Level.WARNING, text);
    }

    /** The listeners for messages. */
    public Listeners listeners() {
        return listeners;
    }

    /** Address of HTTP, with its actual port. */
    public InetSocketAddress httpAddress() {
        return http.http().address();
    }

    /**
     * Address of the port for health checks only, with its actual number; empty when health checks have no port of
     * their own.
     */
    public Optional<InetSocketAddress> healthAddress() {
        return http.healthAddress();
    }

    /** URL of HTTP. */
    public String httpUrl() {
        return http.url();
    }

    /** A future that completes, with the cause, when the service can no longer do its work and should be restarted. */
    public CompletableFuture<Throwable> failure() {
        return state.durability.failure();
    }

    /** Control of the definitions. */
    public DefinitionsControl definitions() {
        return reloader;
    }

    /** Counts of messages by their fate. */
    public EventCounts counts() {
        return EventCounts.of(state.pipeline().ledger());
    }

    /** Takes a consistent cut of all summaries. The caller holds the cut and has to release it. */
    public Cut cut() throws InterruptedException {
        return state.pipeline().cut();
    }

    /**
     * Takes no more messages, processes all messages that it took before, then stops all parts. May be called more than
     * once.
     */
    @Override
    public void close() {
        if (stopping.compareAndSet(false, true)) {
            opened.run();
        }
    }

    /** Whether the stop lost rows, because the last checkpoint could not be written. Call it after {@link #close}. */
    public boolean lostRows() {
        return state.durability.lostRows();
    }

    private static ServerMetrics metrics(Pipeline pipeline, RejectLog rejects, LateFiles late) {
        ServerMetrics metrics = new ServerMetrics(EventCounts.of(pipeline.ledger()));
        metrics.bind(pipeline);
        metrics.counter("rejects.kept", "Frames kept in the rejects folder", rejects::kept);
        metrics.counter("rejects.dropped", "Kept frames deleted to stay within the bound", rejects::dropped);
        metrics.counter("rejects.lost", "Frames that could not be kept", rejects::lost);
        metrics.counter("rejects.disk.errors", "Errors writing the rejects folder", rejects::diskErrors);
        metrics.gauge("rejects.bytes", "Bytes in the rejects folder", rejects::bytesUsed);
        metrics.counter("late.kept", "Late messages kept in the folder late", late::kept);
        metrics.counter("late.dropped", "Kept late messages deleted to stay within the bound", late::dropped);
        metrics.counter("late.lost", "Late messages that could not be kept", late::lost);
        metrics.gauge("late.bytes", "Bytes in the folder late", late::bytesUsed);
        return metrics;
    }
}
