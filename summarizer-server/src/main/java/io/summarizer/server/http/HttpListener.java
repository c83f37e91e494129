package io.summarizer.server.http;

import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpServerKeepAliveHandler;
import io.netty.handler.flow.FlowControlHandler;
import io.netty.util.concurrent.GlobalEventExecutor;
import io.summarizer.core.export.CsvCompiler;
import io.summarizer.core.export.CsvExport;
import io.summarizer.core.export.CsvExporter;
import io.summarizer.core.export.CsvQuery;
import io.summarizer.core.export.CsvQueryException;
import io.summarizer.core.export.ExportMemory;
import io.summarizer.core.store.SummaryView;
import io.summarizer.server.access.AccessControl;
import io.summarizer.server.explain.TopicExplainer;
import io.summarizer.server.metrics.ServerMetrics;
import io.summarizer.server.net.Addresses;
import io.summarizer.server.net.ConnectionLimits;
import io.summarizer.server.net.NettyWorkers;
import io.summarizer.server.net.Roster;
import io.summarizer.server.net.ThrottledLog;
import io.summarizer.server.net.TlsGuard;
import io.summarizer.server.tls.TlsCounters;
import io.summarizer.server.tls.TlsHandler;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Serves summaries, metrics and the web page over HTTP/1.1. The page {@code docs/reference/http.md} documents the
 * resources; the answer to an unknown path lists them. From {@link #start} on, the listener reports the progress of the
 * service's start. From {@link #serve} on, it serves everything.
 *
 * <p>The listener must have workers of its own, so that pulls and the processing of messages do not wait for each
 * other. Connections, requests, downloads and cuts are all bounded by {@link HttpSettings}. {@link #start} and {@link
 * #close} block.
 */
public final class HttpListener implements AutoCloseable {
    /**
     * Largest number of bytes of a request line. A condition of {@link CsvQuery#WHERE_CHARS_MAX} ASCII characters fits,
     * even if all of them are percent-encoded.
     */
    static final int REQUEST_LINE_BYTES_MAX = 16 * 1024;

    /** Number of requests that a connection may receive ahead of their answers. */
    static final int PIPELINED_MAX = 128;

    static final int HEADER_BYTES_MAX = 16 * 1024;
    /**
     * Largest number of bytes of the body of a request whose resource takes no body. Such a body is read and ignored.
     */
    static final int BODY_BYTES_MAX = 8 * 1024;

    private static final String NAME = "http";
    /** A connection is not closed to make room for a new connection if its last answer is younger than this. */
    private static final Duration SPARE = Duration.ofSeconds(10);
    /**
     * Maximum number of connections beyond the bound. These connections serve health checks only. A new connection
     * beyond this number displaces an earlier one. An event loop accepts up to 16 connections before it reads from any
     * of them. The maximum is larger than 16, so that a health check gets its answer even while other clients connect
     * without a pause.
     */
    private static final int RESERVE = 64;
    /**
     * Among the connections beyond the bounds of {@link ConnectionLimits}, the maximum number from one address. Because
     * of this maximum, a flood from one address displaces no connection of another address.
     */
    private static final int RESERVE_OF_ADDRESS = 32;

    private static final long STOP_SECONDS = 5;
    private static final System.Logger LOGGER = System.getLogger(HttpListener.class.getName());

    private final HttpSettings settings;
    private final NettyWorkers workers;
    private final Supplier<Optional<String>> notReady;
    private volatile Supplier<String> remarks = () -> "";
    private final Pulls pulls;
    /**
     * The permit that allows one state file at a time. A state file costs more than any other answer, and a new cut for
     * the file slows updates.
     */
    private final Semaphore saving = new Semaphore(1);

    private final SiteCheck site;
    private final Router router;
    private final Filters filters;
    private final HttpCounters counters = new HttpCounters();
    private final TlsCounters tlsCounters = new TlsCounters();
    private final ThrottledLog log = new ThrottledLog(LOGGER);
    private final ChannelGroup connections = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);
    private final AtomicBoolean closed = new AtomicBoolean();
    private final LongSupplier nanoTime;
    private final Roster<Channel> roster;
    private final Roster<Channel> reserve;
    private @Nullable Channel server;
    /** The parts of the service; null until the service is complete. */
    private volatile @Nullable Served served;
    /** The topics of the plan in force; null until the first plan is in force. */
    private volatile @Nullable TopicExplainer topics;

    /** The parts of a complete service. */
    record Served(CutCache cuts, ServerMetrics metrics, Page page, DefinitionsControl definitions, CsvWriter csv) {}

    /**
     * Makes a listener that is not started.
     *
     * @param notReady supplies the reason why {@code /readyz} answers no; called on event loops
     */
    public HttpListener(HttpSettings settings, NettyWorkers workers, Supplier<Optional<String>> notReady) {
        this(settings, workers, notReady, System::nanoTime);
    }

    HttpListener(
            HttpSettings settings, NettyWorkers workers, Supplier<Optional<String>> notReady, LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        ConnectionLimits connections = settings.connections();
        roster = new Roster<>(connections.max(), connections.maxOfAddress(), SPARE, true, nanoTime);
        reserve = new Roster<>(RESERVE, RESERVE_OF_ADDRESS, Duration.ZERO, true, nanoTime);
        this.settings = settings;
        this.workers = workers;
        this.notReady = notReady;
        site = new SiteCheck(settings.bind(), settings.names(), settings.tls());
        router = new Router(this);
        filters = new Filters(this);
        pulls = new Pulls(settings.limits().exportThreads(), settings.limits().pullsMax());
    }

    /**
     * Serves everything from now on. Called once.
     *
     * @param cuts the source of cuts
     * @param queries compiles queries of the cuts' rows
     * @param metrics metrics that {@code /metrics} and the page show
     * @param definitions reloads definitions
     */
    public void serve(CutSource cuts, CsvCompiler queries, ServerMetrics metrics, DefinitionsControl definitions) {
        ExportMemory sorting = ExportMemory.forSorting();
        ExportMemory groups = ExportMemory.forGroups(settings.limits().groupBytes());
        serve(cuts, metrics, definitions, new CsvWriter() {
            @Override
            public Rows prepare(SummaryView summary, List<String> fields, CsvQuery query) throws CsvQueryException {
                return rows(CsvExporter.of(summary, fields, query, queries, sorting, groups));
            }

            @Override
            public boolean isQuick(SummaryView summary, List<String> fields, CsvQuery query) {
                return CsvExporter.isQuick(summary, fields, query, queries);
            }
        });
    }

    /** The rows of an exporter. */
    static CsvWriter.Rows rows(CsvExporter exporter) {
        return out -> {
            CsvExport export = exporter.start(out::write);
            return new CsvWriter.Steps() {
                @Override
                public boolean step(BooleanSupplier pauses) throws IOException, CsvQueryException {
                    return export.step(pauses);
                }

                @Override
                public void close() {
                    export.close();
                }
            };
        };
    }

    void serve(CutSource source, ServerMetrics metrics, DefinitionsControl definitions, CsvWriter csv) {
        if (served != null) {
            throw new IllegalStateException("it serves already");
        }
        CutCache cuts = new CutCache(
                source, settings.limits().keepCuts(), settings.limits().cutsMax());
        bind(metrics, cuts);
        served = new Served(
                cuts,
                metrics,
                new Page(metrics.events(), settings.limits().keepCuts(), settings.tls() != null),
                definitions,
                csv);
    }

    /** Publishes the counters of the limits on connections. {@link #serve} publishes them, too. */
    public void bindConnections(ServerMetrics metrics) {
        metrics.bindConnections(
                name(), this::open, counters.connectionsRefused, counters.displacedTotal, counters.displacedAddress);
    }

    private String name() {
        return settings.healthOnly() ? "health" : NAME;
    }

    private void bind(ServerMetrics metrics, CutCache cuts) {
        metrics.counter("http.requests", "Requests answered", counters.requests);
        bindConnections(metrics);
        String refused = "Requests refused because of where they come from";
        metrics.counter("http.refused", refused, counters.refusedHosts, "reason", "host");
        metrics.counter("http.refused", refused, counters.refusedSites, "reason", "site");
        metrics.counter("exports", "Downloads completed", counters.exports);
        metrics.counter("exports.broken", "Downloads that ended early", counters.exportsBroken);
        metrics.counter(
                "exports.refused", "Downloads refused because too many were under way", counters.exportsRefused);
        metrics.counter(
                "exports.displaced",
                "Downloads ended to make room for a new one, because their clients took nothing for a while",
                counters.exportsDisplaced);
        metrics.counter(
                "exports.timed.out",
                "Downloads given up because they took more work than http.query-timeout",
                counters.exportsTimedOut);
        metrics.counter(
                "windows.unreadable",
                "Downloads that ended because a file with rows was damaged or missing",
                counters.windowsUnreadable);
        metrics.gauge("exports.under.way", "Downloads under way", pulls::underWay);
        metrics.counter("exports.bytes", "Bytes of CSV written", counters.exportBytes);
        metrics.counter("cuts", "Cuts taken", cuts::taken);
        metrics.gauge("cuts.kept", "Cuts kept to be read again", cuts::size);
        metrics.bindTls(NAME, tlsCounters, settings.tls());
        AccessControl access = settings.access();
        if (access != null) {
            metrics.bindAccess(access);
        }
    }

    /**
     * Binds and begins to accept.
     *
     * @throws IOException when the address cannot be bound; the message names the address
     */
    public void start() throws IOException {
        server = workers.listen(
                name(), settings.bind(), ChannelOption.AUTO_READ, false, this::accept); // one request at a time
    }

    /** The address in use, with its port. Valid only after {@link #start}. */
    public InetSocketAddress address() {
        return Addresses.of(server, name());
    }

    /** Sets the topics for {@code /topics}; called whenever event types or mappings change. Any thread. */
    public void topics(TopicExplainer topics) {
        this.topics = topics;
    }

    /** The counters since the start. */
    public HttpCounters counters() {
        return counters;
    }

    /**
     * The counters of the listener's TLS since the start. Without TLS, the counters count the clients that tried to
     * speak TLS.
     */
    public TlsCounters tlsCounters() {
        return tlsCounters;
    }

    /** The permit to write a state file. */
    Semaphore saving() {
        return saving;
    }

    /**
     * Stops the listener: accepts no more connections, gives downloads in progress 5 s to end, closes all connections
     * and releases all cuts. May be called more than once.
     */
    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        Channel server = this.server;
        if (server != null) {
            server.close().awaitUninterruptibly();
        }
        pulls.close();
        connections.close().awaitUninterruptibly(TimeUnit.SECONDS.toMillis(STOP_SECONDS));
        Served served = this.served;
        if (served != null) {
            served.cuts.close();
        }
    }

    private void accept(Channel channel) {
        InetAddress peer = channel.remoteAddress() instanceof InetSocketAddress inet ? inet.getAddress() : null;
        Roster<Channel> of = roster;
        Roster.Admission<Channel> admission = roster.admit(channel, peer);
        boolean beyond = admission.seat() == null;
        if (beyond) {
            counters.connectionsRefused.increment();
            log.warn(
                    "an HTTP connection beyond the limit is asked for health only",
                    () -> name() + "; peer " + channel.remoteAddress());
            of = reserve;
            admission = reserve.admit(channel, peer);
        }
        Roster.Seat<Channel> seat = admission.seat();
        Channel displaced = admission.displaced();
        if (displaced != null) {
            (admission.bound() == Roster.Bound.ADDRESS ? counters.displacedAddress : counters.displacedTotal)
                    .increment();
            log.warn("closed an HTTP connection for a new one", () -> name() + "; peer " + displaced.remoteAddress());
            var unused = displaced.close();
        }
        if (seat == null) {
            var unused = channel.close();
            return;
        }
        Roster<Channel> seated = of;
        var unused = channel.closeFuture().addListener(end -> seated.leave(seat));
        connections.add(channel);
        TlsHandler unusedTls = TlsGuard.protect(channel, settings.tls(), name(), tlsCounters, log);
        channel.pipeline()
                .addLast(
                        new HttpServerCodec(
                                new HttpDecoderConfig()
                                        .setMaxInitialLineLength(REQUEST_LINE_BYTES_MAX)
                                        .setMaxHeaderSize(HEADER_BYTES_MAX),
                                PIPELINED_MAX),
                        NotModifiedEncoder.INSTANCE,
                        new HttpServerKeepAliveHandler(),
                        new BodyReader(this),
                        new RequestAggregator(),
                        new FlowControlHandler(),
                        new HttpConnection(this, seat, beyond));
    }

    HttpSettings settings() {
        return settings;
    }

    long now() {
        return nanoTime.getAsLong();
    }

    /** Number of open connections. */
    int open() {
        return connections.size();
    }

    /** Whether the listener serves more than the progress of the start. */
    boolean isServing() {
        return served != null;
    }

    Served served() {
        return Objects.requireNonNull(served);
    }

    @Nullable
    TopicExplainer topics() {
        return topics;
    }

    SiteCheck site() {
        return site;
    }

    Router router() {
        return router;
    }

    Filters filters() {
        return filters;
    }

    Pulls pulls() {
        return pulls;
    }

    ThrottledLog log() {
        return log;
    }

    Optional<String> notReady() {
        return notReady.get();
    }

    /**
     * Sets the source of the lines that {@code /readyz} adds after the line "ready". The source is called on event
     * loops.
     */
    public void remarks(Supplier<String> remarks) {
        this.remarks = remarks;
    }

    String remarks() {
        return remarks.get();
    }
}
