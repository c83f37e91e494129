package io.summarizer.server.service;

import io.summarizer.core.journal.Journal;
import io.summarizer.core.pipeline.Pipeline;
import io.summarizer.core.recovery.Checkpoints;
import io.summarizer.core.recovery.DurablePipeline;
import io.summarizer.core.recovery.RecoveryProgress;
import io.summarizer.core.reject.RejectLog;
import io.summarizer.core.store.Cut;
import io.summarizer.server.access.AccessControl;
import io.summarizer.server.config.ServerConfig;
import io.summarizer.server.config.ServerConfig.SyslogTcp;
import io.summarizer.server.explain.Topics;
import io.summarizer.server.http.DefinitionsControl;
import io.summarizer.server.http.HttpListener;
import io.summarizer.server.metrics.EventCounts;
import io.summarizer.server.metrics.ServerMetrics;
import io.summarizer.server.net.Ack;
import io.summarizer.server.net.NettyWorkers;
import io.summarizer.server.net.ReceiveBudget;
import io.summarizer.server.net.RelpListener;
import io.summarizer.server.net.StreamListener;
import io.summarizer.server.net.SyslogTcpListener;
import io.summarizer.server.net.SyslogUdpListener;
import io.summarizer.server.net.ThrottledLog;
import io.summarizer.server.tls.FileWatch;
import io.summarizer.server.tls.ServerTls;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A running service: a claim on its data folder, a pipeline, the listeners and the HTTP server. Starting and closing
 * block; in between any thread may ask.
 */
public final class SummarizerService implements AutoCloseable {
    private static final System.Logger LOGGER = System.getLogger(SummarizerService.class.getName());

    static final String SYSLOG_NAME = "syslog-tcp";
    static final String RELP_NAME = "relp";
    static final String HTTP_NAME = "http";
    private static final String UDP_NAME = "syslog-udp";

    /** Of the listeners: each message carries that of its own. */
    private static final int SYSLOG_NUMBER = 0;

    static final int RELP_NUMBER = 1;
    private static final int UDP_NUMBER = 2;

    /** Interval of the search for expressions that gave nothing but nulls. */
    private static final Duration NULL_LOOKS = Duration.ofSeconds(30);

    private static final int HTTP_WORKERS = 1;
    private static final Duration HANDOVER_DEADLINE = Duration.ofSeconds(30);

    private final Pipeline pipeline;
    private final Durability durability;
    private final Reloader reloader;
    private final @Nullable SyslogTcpListener syslog;
    private final @Nullable RelpListener relp;
    private final @Nullable SyslogUdpListener udp;
    private final HttpListener http;
    private final @Nullable HttpListener health;
    private final boolean httpEncrypted;
    private final AtomicBoolean stopping;
    private final Teardown teardown;

    private SummarizerService(
            Pipeline pipeline,
            Durability durability,
            Reloader reloader,
            @Nullable SyslogTcpListener syslog,
            @Nullable RelpListener relp,
            @Nullable SyslogUdpListener udp,
            HttpListener http,
            @Nullable HttpListener health,
            boolean httpEncrypted,
            AtomicBoolean stopping,
            Teardown teardown) {
        this.pipeline = pipeline;
        this.durability = durability;
        this.reloader = reloader;
        this.syslog = syslog;
        this.relp = relp;
        this.udp = udp;
        this.http = http;
        this.health = health;
        this.httpEncrypted = httpEncrypted;
        this.stopping = stopping;
        this.teardown = teardown;
    }

    /**
     * Starts all parts, going on from what the data folder has; when it returns, messages are taken.
     *
     * @throws IOException when the data folder is in use or cannot be written, what it has cannot be taken up, or an address cannot be
     *     bound; nothing is left running then
     */
    public static SummarizerService start(ServerConfig config, LoadedPlan definitions)
            throws IOException, InterruptedException {
        return start(config, definitions, List.of());
    }

    /**
     * Checks what a start needs besides definitions and data: addresses that other hosts reach are protected, certificates, keys and
     * tokens can be used. Opens no port.
     *
     * @throws IOException when something is not as it should be; the message says which, and what to do
     */
    public static void check(ServerConfig config) throws IOException {
        Protection unused = Protection.of(config);
    }

    /** As {@link #start(ServerConfig, LoadedPlan)}; a data folder without a checkpoint begins with what is in state files. */
    public static SummarizerService start(ServerConfig config, LoadedPlan definitions, List<Path> fromStates)
            throws IOException, InterruptedException {
        Teardown teardown = new Teardown();
        AtomicBoolean stopping = new AtomicBoolean();
        try {
            Protection protection = Protection.of(config);
            ServerTls httpTls = protection.http();
            AccessControl access = protection.access();
            DataLock lock = DataLock.of(config.data());
            teardown.add("the data folder", lock::close);
            DataFolder.close(config.data());
            ListenAddresses.check(config);
            RecoveryProgress progress = new RecoveryProgress();
            Readiness readiness = new Readiness(progress, stopping);
            FileWatch watch = watch(protection, teardown);
            NettyWorkers httpWorkers = new NettyWorkers("http", HTTP_WORKERS);
            teardown.add("the HTTP workers", httpWorkers::close);
            HttpListener http = new HttpListener(
                    httpSettings(config.http())
                            .with(httpTls, access)
                            .with(config.http().names()),
                    httpWorkers,
                    readiness::notReady);
            HttpListener health = health(config.http(), readiness, teardown);
            bind(http::start, "http.bind");
            teardown.add(
                    "the HTTP server", http::close); // of a start that fails: a stop closes it before what it shows

            Checkpoints.checkFormats(config.data().resolve("checkpoints"));
            RejectLog rejects = new RejectLog(
                    config.data().resolve("rejects"),
                    config.rejectsBytesMax(),
                    config.unmatched() == ServerConfig.Unmatched.KEEP);
            teardown.add("the log of rejected messages", rejects::close);
            Journal journal = JournalSetup.open(config);
            if (journal != null) {
                teardown.add("the journal", journal::close);
            }
            StateRecovery recovery = new StateRecovery(
                    config,
                    definitions,
                    fromStates,
                    journal,
                    new RejectNotices(rejects, new ThrottledLog(LOGGER)),
                    progress);
            Pipeline pipeline = recovery.pipeline();
            teardown.add("the pipeline", pipeline::close);
            IdMemory.leftOut(
                            pipeline.gauges().seenIds().evicted(),
                            pipeline.gauges().dedupIds())
                    .ifPresent(text -> LOGGER.log(System.Logger.Level.WARNING, text));
            Durability durability = new Durability(config, recovery, journal, rejects);
            teardown.add("checkpoints", durability::close);
            pipeline.ledger().name(SYSLOG_NUMBER, SYSLOG_NAME);
            pipeline.ledger().name(RELP_NUMBER, RELP_NAME);
            pipeline.ledger().name(UDP_NUMBER, UDP_NAME);
            ServerMetrics metrics = metrics(pipeline, rejects);
            teardown.add("metrics", metrics::close);
            durability.bind(metrics);
            NullAlarm nulls = new NullAlarm(
                    () -> pipeline.ledger().now().nulls(), text -> LOGGER.log(System.Logger.Level.WARNING, text));
            teardown.add("counts of nulls", nulls::lookLast);
            watch.add(nulls::look, NULL_LOOKS);

            Reloader reloader = new Reloader(config, pipeline, metrics);
            teardown.add("reloading", reloader::close);

            DurableCuts cuts = new DurableCuts(pipeline, progress::text);
            reloader.onReload(next -> {
                http.topics(new Topics(next.events(), next.summaries()));
                IdMemory.warning(pipeline.gauges().dedupIds(), config.dedupIds(), config.stateBytesMax())
                        .ifPresent(text -> LOGGER.log(System.Logger.Level.WARNING, text));
            });
            http.serve(cuts, reloader, metrics, reloader);
            readiness.recovering(durability);
            http.remarks(durability::remarks);
            if (health != null) {
                health.bindConnections(metrics);
                health.remarks(durability::remarks);
            }
            teardown.add("the HTTP server", http::close);

            teardown.add("the journal's writer", durability::drain);
            DurablePipeline durable = durability.begin(metrics);
            teardown.add("reloads and resets", durability::stopChanges); // before what they need goes
            cuts.begin(durable);
            reloader.begin(
                    definitions.checked(),
                    next -> durable.reload(next.plan(), () -> recovery.store().keep(next.files())));

            NettyWorkers workers = new NettyWorkers("netty", config.pipeline().nettyWorkers());
            teardown.add("the Netty workers", workers::close);
            ReceiveBudget budget = new ReceiveBudget(config.receiveBytesMax());
            metrics.bind(budget);
            SyslogTcpListener syslog = syslog(config, protection.syslog(), workers, budget, pipeline, teardown);
            if (syslog != null) {
                metrics.bind(syslog);
            }
            RelpListener relp = relp(config.relp(), protection.relp(), workers, budget, durability, teardown);
            if (relp != null) {
                metrics.bindRelp(relp);
            }
            SyslogUdpListener udp = udp(config.syslogUdp(), workers, pipeline, teardown);
            if (udp != null) {
                metrics.bindUdp(udp);
            }
            readiness.listening();
            return new SummarizerService(
                    pipeline,
                    durability,
                    reloader,
                    syslog,
                    relp,
                    udp,
                    http,
                    health,
                    httpTls != null,
                    stopping,
                    teardown);
        } catch (IOException | InterruptedException | RuntimeException e) {
            teardown.run();
            throw e;
        }
    }

    /** Takes up files of certificates and tokens that change, from before the first of them is asked for. */
    private static FileWatch watch(Protection protection, Teardown teardown) {
        FileWatch watch = new FileWatch(protection.refreshes(), FileWatch.INTERVAL);
        teardown.add("looking at files", watch::close);
        return watch;
    }

    /** The listener for syslog over TCP, started; null when there is to be none. */
    private static @Nullable SyslogTcpListener syslog(
            ServerConfig config,
            @Nullable ServerTls tls,
            NettyWorkers workers,
            ReceiveBudget budget,
            Pipeline pipeline,
            Teardown teardown)
            throws IOException {
        SyslogTcp tcp = config.syslogTcp();
        if (tcp.bind().isEmpty()) {
            return null;
        }
        SyslogTcpListener listener = new SyslogTcpListener(
                new StreamListener.Settings(
                        SYSLOG_NAME,
                        SYSLOG_NUMBER,
                        ListenAddresses.resolved(tcp.bind().get()),
                        tcp.connections().max(),
                        tcp.connections().idleTimeout(),
                        config.pipeline().batching().linger(),
                        config.pipeline().batching().messages(),
                        tcp.connections().maxOfAddress(),
                        tcp.connections().messageTimeout(),
                        tls,
                        budget),
                workers,
                pipeline,
                () -> PipelineSetup.framer(config, tcp.framing()));
        bind(listener::start, "listen.syslog-tcp.bind");
        teardown.add("the syslog listener", () -> {
            listener.close(HANDOVER_DEADLINE);
            pipeline.drain(); // before HTTP goes, so that what was taken can be seen to the end
        });
        return listener;
    }

    /** The listener for RELP, started; null when there is to be none. */
    private static @Nullable RelpListener relp(
            ServerConfig.Relp config,
            @Nullable ServerTls tls,
            NettyWorkers workers,
            ReceiveBudget budget,
            Durability durability,
            Teardown teardown)
            throws IOException {
        if (config.bind().isEmpty()) {
            return null;
        }
        RelpListener listener = new RelpListener(
                new StreamListener.Settings(
                        RELP_NAME,
                        RELP_NUMBER,
                        ListenAddresses.resolved(config.bind().get()),
                        config.connections().max(),
                        config.connections().idleTimeout(),
                        Duration.ZERO, // what lingers is not answered
                        0,
                        config.connections().maxOfAddress(),
                        config.connections().messageTimeout(),
                        tls,
                        budget),
                workers,
                durability.sink(config.ack() == Ack.DURABLE),
                () -> PipelineSetup.relpFramer(config),
                config.ack());
        bind(listener::start, "listen.relp.bind");
        // Nothing is answered any more: senders had better look for another, or for the next process.
        var unused = durability.failure().thenRun(listener::breakSessions);
        teardown.add("the RELP listener", () -> listener.close(HANDOVER_DEADLINE));
        return listener;
    }

    /** The listener for UDP, started; null when there is to be none. */
    private static @Nullable SyslogUdpListener udp(
            ServerConfig.SyslogUdp config, NettyWorkers workers, Pipeline pipeline, Teardown teardown)
            throws IOException {
        if (config.bind().isEmpty()) {
            return null;
        }
        SyslogUdpListener listener = new SyslogUdpListener(
                new SyslogUdpListener.Settings(
                        UDP_NAME,
                        UDP_NUMBER,
                        ListenAddresses.resolved(config.bind().get()),
                        config.bufferBytes()),
                workers,
                pipeline,
                PipelineSetup.datagramFramer(config));
        bind(listener::start, "listen.syslog-udp.bind");
        teardown.add("the UDP listener", () -> listener.close(HANDOVER_DEADLINE));
        return listener;
    }

    /** Where syslog over UDP is taken, with the port in use; empty when it is not. */
    public Optional<InetSocketAddress> udpAddress() {
        return Optional.ofNullable(udp).map(SyslogUdpListener::address);
    }

    /** Where syslog over RELP is taken, with the port in use; empty when it is not. */
    public Optional<InetSocketAddress> relpAddress() {
        return Optional.ofNullable(relp).map(RelpListener::address);
    }

    /** Where syslog over TCP is taken, with the port in use; empty when it is not. */
    public Optional<InetSocketAddress> syslogAddress() {
        return Optional.ofNullable(syslog).map(SyslogTcpListener::address);
    }

    /** Where HTTP is answered, with the port in use. */
    public InetSocketAddress httpAddress() {
        return http.address();
    }

    /** Where health checks alone are answered, with the port in use; empty when they have no port of their own. */
    public Optional<InetSocketAddress> healthAddress() {
        return Optional.ofNullable(health).map(HttpListener::address);
    }

    /** Where HTTP is answered, as an address is written. */
    public String httpUrl() {
        InetSocketAddress address = http.address();
        String host = address.getAddress().getHostAddress();
        return (httpEncrypted ? "https://" : "http://") + (host.contains(":") ? "[" + host + "]" : host) + ":"
                + address.getPort();
    }

    /** Completed with its cause when the service can no longer do its work, and should be ended and started anew. */
    public CompletableFuture<Throwable> failure() {
        return durability.failure();
    }

    /** Reads the definitions anew. */
    public DefinitionsControl definitions() {
        return reloader;
    }

    /** What became of messages so far. */
    public EventCounts counts() {
        return EventCounts.of(pipeline.ledger());
    }

    /** A consistent view of all summaries, which the caller holds and has to release. */
    public Cut cut() throws InterruptedException {
        return pipeline.cut();
    }

    /** Takes no more messages, processes all that were taken, then stops everything. May be called more than once. */
    @Override
    public void close() {
        if (stopping.compareAndSet(false, true)) {
            teardown.run();
        }
    }

    private static ServerMetrics metrics(Pipeline pipeline, RejectLog rejects) {
        ServerMetrics metrics = new ServerMetrics(EventCounts.of(pipeline.ledger()));
        metrics.bind(pipeline);
        metrics.counter("summarizer.rejects.kept", "Frames kept in the rejects folder", rejects::kept);
        metrics.counter("summarizer.rejects.dropped", "Kept frames deleted to stay within the bound", rejects::dropped);
        metrics.counter("summarizer.rejects.lost", "Frames that could not be kept", rejects::lost);
        metrics.counter("summarizer.rejects.disk.errors", "Errors writing the rejects folder", rejects::diskErrors);
        metrics.gauge("summarizer.rejects.bytes", "Bytes in the rejects folder", rejects::bytesUsed);
        return metrics;
    }

    private static HttpListener.Settings httpSettings(ServerConfig.Http http) throws IOException {
        return HttpListener.Settings.of(ListenAddresses.resolved(http.bind()), http.connections(), http.cutRetention())
                .with(http.queryTimeout());
    }

    /** The listener for health checks, started, with a thread of its own; null when there is to be none. */
    private static @Nullable HttpListener health(ServerConfig.Http config, Readiness readiness, Teardown teardown)
            throws IOException {
        if (config.healthBind().isEmpty()) {
            return null;
        }
        NettyWorkers workers = new NettyWorkers("health", HTTP_WORKERS);
        teardown.add("the health workers", workers::close);
        HttpListener health = new HttpListener(
                HttpListener.Settings.ofHealth(
                        ListenAddresses.resolved(config.healthBind().get())),
                workers,
                readiness::notReady);
        bind(health::start, "http.health-bind");
        teardown.add("the health listener", health::close);
        return health;
    }

    private static void bind(Binding binding, String key) throws IOException {
        try {
            binding.start();
        } catch (IOException e) {
            throw new IOException(e.getMessage() + ListenAddresses.advice(key), e);
        }
    }

    @FunctionalInterface
    private interface Binding {
        void start() throws IOException;
    }
}
