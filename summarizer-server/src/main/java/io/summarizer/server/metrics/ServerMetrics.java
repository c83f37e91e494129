package io.summarizer.server.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.binder.jvm.ClassLoaderMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.summarizer.core.bytes.ByteBudget;
import io.summarizer.core.journal.Journal;
import io.summarizer.core.journal.JournalCounters;
import io.summarizer.core.journal.JournalWriter;
import io.summarizer.core.ledger.Fate;
import io.summarizer.core.ledger.Ledger;
import io.summarizer.core.ledger.LedgerCounts;
import io.summarizer.core.pipeline.Pipeline;
import io.summarizer.core.pipeline.PipelineGauges;
import io.summarizer.core.pipeline.QueueGauge;
import io.summarizer.core.snapshot.CutMemory;
import io.summarizer.server.access.AccessControl;
import io.summarizer.server.kafka.KafkaListener;
import io.summarizer.server.net.ListenerCounters;
import io.summarizer.server.net.ReceiveBudget;
import io.summarizer.server.net.RelpListener;
import io.summarizer.server.net.StreamListener;
import io.summarizer.server.net.SyslogUdpListener;
import io.summarizer.server.tls.ServerTls;
import io.summarizer.server.tls.TlsCounters;
import io.summarizer.server.tls.TlsFault;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The process's metrics. Labels name listeners, reasons, summaries, and partitions of Kafka topics. The definitions and
 * the configuration bound the number of labels. No label names a peer, or a topic that comes from a message.
 * Thread-safe.
 */
public final class ServerMetrics implements AutoCloseable {
    private static final String TEXT = "text/plain; version=0.0.4; charset=utf-8";
    static final String PREFIX = "summarizer.";
    private static final String COUNTER = "_total";

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final JvmGcMetrics gc = new JvmGcMetrics();
    /**
     * The objects from which metrics are read. This list keeps the objects reachable, because the registry refers to
     * them weakly.
     */
    private final List<Object> sources = new CopyOnWriteArrayList<>();

    private final SummaryMetrics summaries = new SummaryMetrics(registry);
    private final EventCounts events;
    private volatile @Nullable Supplier<LedgerCounts> ledger;

    /** Makes metrics of the JVM and of the fates of messages. Later calls bind all other metrics. */
    public ServerMetrics(EventCounts events) {
        this.events = events;
        new JvmMemoryMetrics().bindTo(registry);
        new JvmThreadMetrics().bindTo(registry);
        new ClassLoaderMetrics().bindTo(registry);
        new ProcessorMetrics().bindTo(registry);
        new UptimeMetrics().bindTo(registry);
        new FileDescriptorMetrics().bindTo(registry);
        gc.bindTo(registry);
        AllocatedBytes allocated = new AllocatedBytes();
        counter("allocated.bytes", "Bytes that threads of the process allocated on the heap", allocated::total);

        counter("received", "Messages taken off the parse queue", events::received);
        counter("unmatched", "Messages whose topic no event type takes", events::unmatched);
        for (Fate reason : Fate.rejections()) {
            counter(
                    "rejected",
                    "Messages refused; for the reasons untimed, early, late and limit, a message counts once for each"
                            + " mapping that did not apply it in full",
                    () -> events.rejected(reason),
                    "reason",
                    reason.label());
        }
    }

    /** Counts of messages by their fate. */
    public EventCounts events() {
        return events;
    }

    /** Publishes the counters of a listener, labelled with its name. */
    public void bind(StreamListener listener) {
        ListenerCounters counters = listener.counters();
        String[] tags = {"listener", listener.name()};
        bindTls(listener.name(), listener.tlsCounters(), listener.tls());
        counter("connections.accepted", "Connections taken", counters.accepted, tags);
        bindConnections(
                listener.name(), counters::open, counters.refused, counters.displacedTotal, counters.displacedAddress);
        displaced(listener.name(), "memory", counters.displacedMemory);
        counter("connections.broken", "Connections that ended in an I/O error", counters.resets, tags);
        counter(
                "connections.framing.lost",
                "Connections closed because their framing was lost, or they broke their protocol",
                counters.framingCloses,
                tags);
        counter("connections.slow", "Connections closed because one message took too long", counters.slowCloses, tags);
        counter("connections.idle", "Connections closed because nothing came", counters.idleCloses, tags);
        counter("connections.failed", "Connections closed because of a fault of this program", counters.failures, tags);
        received(counters, tags);
        counter(
                "listener.discarded.bytes",
                "Bytes thrown away after lost framing or the end of a session",
                counters.bytesDiscarded,
                tags);
        counter(
                "listener.pauses",
                "Times a connection stopped reading because the parse queue was full",
                counters.pauses,
                tags);
    }

    /** Publishes the counters that listeners of all kinds have. */
    private void received(ListenerCounters counters, String... tags) {
        counter("listener.read.bytes", "Bytes read from sockets", counters.bytesRead, tags);
        counter("listener.batches", "Batches handed to the parse queue", counters.batches, tags);
        counter("listener.messages", "Messages handed to the parse queue", counters.messages, tags);
        counter("listener.lost", "Messages that a stop could not hand over in time", counters.messagesLost, tags);
    }

    /** Publishes the counters of the limits on the connections of a listener. */
    public void bindConnections(
            String listener,
            LongSupplier open,
            LongAdder refused,
            LongAdder displacedTotal,
            LongAdder displacedAddress) {
        gauge("connections.open", "Connections that are open", open::getAsLong, "listener", listener);
        counter("connections.refused", "Connections beyond the limit", refused, "listener", listener);
        displaced(listener, "total", displacedTotal);
        displaced(listener, "address", displacedAddress);
    }

    private void displaced(String listener, String reason, LongAdder count) {
        counter(
                "connections.displaced",
                "Connections closed to make room for another one, or to free the memory of their unfinished message,"
                        + " because they had sent no complete message for the longest time",
                count,
                "listener",
                listener,
                "reason",
                reason);
    }

    /** Publishes the memory that connections hold. */
    public void bind(ReceiveBudget budget) {
        gauge(
                "receive.buffer.bytes",
                "Bytes that connections hold of unfinished messages and of batches that wait for room",
                budget::heldBytes);
        gauge(
                "receive.buffer.max.bytes",
                "Bytes that connections may hold of unfinished messages and of waiting batches",
                budget::maxBytes);
    }

    /**
     * Publishes the counters of a listener's TLS; for a listener without TLS, the number of clients that tried to speak
     * TLS.
     */
    public void bindTls(String listener, TlsCounters counters, @Nullable ServerTls tls) {
        String[] tags = {"listener", listener};
        for (TlsFault fault : TlsFault.values()) {
            counter(
                    "tls.faults",
                    "Connections that failed or broke because of TLS",
                    () -> counters.faults(fault),
                    "listener",
                    listener,
                    "reason",
                    fault.label());
        }
        if (tls == null) {
            return;
        }
        counter("tls.handshakes", "Handshakes done", counters::handshakes, tags);
        counter("tls.reloads", "Times that changed files of TLS were taken up", tls::reloads, tags);
        counter(
                "tls.reloads.failed",
                "Times that changed files of TLS could not be used, and the old files stayed in force",
                tls::failedReloads,
                tags);
        gauge(
                "tls.current",
                "1 while the present files of TLS are in use, 0 while they cannot be used",
                () -> tls.isCurrent() ? 1 : 0,
                tags);
        gauge(
                "tls.certificate.expires.seconds",
                "Time at which the certificate in use ceases to be valid, in seconds since 1970",
                () -> tls.expires().getEpochSecond(),
                tags);
    }

    /** Publishes the numbers of requests over HTTP that were allowed and refused. */
    public void bindAccess(AccessControl access) {
        for (AccessControl.Answer answer : AccessControl.Answer.values()) {
            counter(
                    "http.access",
                    "Requests that need a token, by what became of them",
                    () -> access.count(answer),
                    "answer",
                    answer.label());
        }
        counter("http.tokens.reloads", "Times that a changed file of tokens was taken up", access::reloads);
        counter(
                "http.tokens.reloads.failed",
                "Times that a changed file of tokens could not be used, and the old tokens stayed in force",
                access::failedReloads);
        gauge(
                "http.tokens.current",
                "1 while the present file of tokens is in force, 0 while it cannot be used",
                () -> access.isCurrent() ? 1 : 0);
    }

    /** Publishes the counters of a listener and the counters of its acknowledgements. */
    public void bindRelp(RelpListener listener) {
        bind(listener);
        ListenerCounters counters = listener.counters();
        String[] tags = {"listener", listener.name()};
        counter(
                "listener.answered",
                "Messages that were acknowledged to their sender",
                counters.messagesAnswered,
                tags);
        counter(
                "listener.forgotten",
                "Messages not handed over because their session broke; the sender sends them again",
                counters.messagesForgotten,
                tags);
    }

    /** Publishes the counters of a listener for datagrams. */
    public void bindUdp(SyslogUdpListener listener) {
        ListenerCounters counters = listener.counters();
        String[] tags = {"listener", listener.name()};
        received(counters, tags);
        counter(
                "listener.dropped",
                "Messages dropped because there was no room; their senders cannot be made to wait",
                counters.messagesDropped,
                tags);
        listener.kernelDrops()
                .ifPresent(drops -> counter(
                        "listener.kernel.dropped",
                        "Datagrams that the system dropped before the service read them, usually because a buffer was full",
                        drops::count,
                        tags));
    }

    /** Publishes the counters of the Kafka listener, and the lag of each partition as soon as it is found. */
    public void bindKafka(String name, KafkaListener listener) {
        ListenerCounters counters = listener.counters();
        String[] tags = {"listener", name};
        received(counters, tags);
        counter(
                "listener.pauses",
                "Times a connection stopped reading because the parse queue was full",
                counters.pauses,
                tags);
        counter(
                "listener.forgotten",
                "Messages not handed over because their session broke; the sender sends them again",
                counters.messagesForgotten,
                tags);
        gauge("kafka.up", "1 while the Kafka brokers answer, 0 while they are away", () -> listener.isUp() ? 1 : 0);
        counter("kafka.failures", "Failures of Kafka's client, after which it tries again", counters.failures);
        counter(
                "kafka.deleted",
                "Offsets of Kafka records that the brokers deleted before the service read them",
                listener::deleted);
        for (String topic : listener.topics()) {
            gauge(
                    "kafka.stopped",
                    "1 while a Kafka topic is not read because it was deleted and created again",
                    () -> listener.isStopped(topic) ? 1 : 0,
                    "topic",
                    topic);
        }
        listener.onPartition(partition -> gauge(
                "kafka.lag",
                "Offsets of a Kafka partition after the last record that is durable here",
                partition::records,
                "topic",
                partition.topic(),
                "partition",
                Integer.toString(partition.partition())));
    }

    /** Publishes a ledger. */
    public void bindLedger(Supplier<LedgerCounts> ledger) {
        this.ledger = ledger;
    }

    /** Publishes the metrics of a pipeline: its queues, cuts and dedup, and the sizes of its summaries. */
    public void bind(Pipeline pipeline) {
        Ledger ofPipeline = pipeline.ledger();
        bindLedger(ofPipeline::now);
        PipelineGauges gauges = pipeline.gauges();
        gauges.queues().forEach(this::bindQueue);
        counter("batches", "Message batches processed", gauges::batches);
        counter("failures", "Messages or updates lost to a fault of this program", gauges::failures);
        counter("invalid.utf8", "Strings used with U+FFFD in place of bytes that are not UTF-8", gauges::invalidUtf8);
        counter(
                "extracts.abandoned",
                "Matches of extract that became null because they took too many steps or Java's matcher failed",
                gauges::extractsAbandoned);
        counter("saturations", "Observations beyond the bounds of a sum", gauges::saturations);
        gauge("state.bytes", "Bytes of rows, indexes, texts and sets", gauges::stateBytes);
        ByteBudget state = gauges.stateBudget();
        gauge("state.used.bytes", "Bytes that count against limits.state: state, and ids of dedup", state::used);
        gauge("state.max.bytes", "Bytes that limits.state allows", state::maximum);
        gauge(
                "dedup.ids",
                "Ids that dedup knows exactly",
                () -> gauges.seenIds().held());
        gauge("dedup.bytes", "Bytes of the ids of dedup", () -> gauges.seenIds().bytes());
        counter(
                "dedup.evicted",
                "Ids that are no longer known exactly within their window, or were left out at a start, because"
                        + " limits.dedup-ids was reached",
                () -> gauges.seenIds().evicted());
        counter(
                "dedup.no.id",
                "Events without an id, although their type has dedup; they are counted each time",
                gauges::eventsWithoutId);
        CutMemory cuts = gauges.cutMemory();
        gauge("cut.memory.bytes", "Bytes that cuts hold beyond the present state", cuts::heldBytes);
        gauge("cut.pool.bytes", "Bytes of free chunks that are kept for copies", cuts::pooledBytes);
        gauge("cuts.held", "Cuts that are kept or being read", cuts::held);
        counter("cuts.revoked", "Cuts taken from their readers because memory was short", cuts::revoked);
        counter("chunk.copies", "Chunks of 16 KiB copied because a cut held them", cuts::copies);
        counter(
                "cut.pauses",
                "Times that an owner waited before a copy, because no cut could be revoked",
                cuts::pauses);
        bindSummaries(pipeline);
    }

    /** Publishes the state of a journal, and of the thread that appends to it. */
    public void bind(Journal journal, JournalWriter writer) {
        JournalCounters counters = journal.counters();
        counter("journal.messages", "Messages appended to the journal", counters.messages);
        counter("journal.records", "Records of messages appended to the journal", counters.records);
        counter(
                "journal.plain.bytes",
                "Bytes of messages appended to the journal, before they were packed",
                counters.plainBytes);
        counter(
                "journal.written.bytes",
                "Bytes written to the journal, headers and padding included",
                counters.writtenBytes);
        counter("journal.syncs", "Groups of records forced to the disk", counters.syncs);
        counter("journal.sync.nanos", "Nanoseconds that forces to the disk took", counters.syncNanos);
        counter(
                "journal.failures",
                "Writes and forces that failed, and were repeated in another segment",
                counters.failures);
        counter(
                "journal.full",
                "Times that the journal was full and took nothing until a checkpoint",
                counters.fullStops);
        gauge("journal.bytes", "Bytes of the journal's files", journal::bytes);
        gauge("journal.live.bytes", "Bytes of the journal's files that no checkpoint covers", journal::liveBytes);
        gauge("journal.max.bytes", "Bytes that the journal's files may have", journal::maxBytes);
        gauge(
                "journal.ok",
                "1 while the journal is written; 0 while it is full, its disk fails or it ended",
                () -> writer.state() == JournalWriter.State.RUNNING ? 1 : 0);
        bindQueue(new QueueGauge(
                "journal", "journal", writer::queued, writer.capacity(), writer::queuedBytes, writer.bytesMax()));
    }

    /**
     * Publishes the summaries of the definitions in force, and removes all other summaries. Called again after each
     * reload.
     */
    public void bindSummaries(Pipeline pipeline) {
        summaries.bind(pipeline);
    }

    private void bindQueue(QueueGauge queue) {
        String[] tags = {"pipeline", queue.pipeline(), "queue", queue.queue()};
        gauge("queue.batches", "Batches that wait in a queue", queue.size()::getAsInt, tags);
        gauge("queue.capacity.batches", "Batches that a queue holds at most", queue::capacity, tags);
        gauge("queue.bytes", "Bytes of the batches that wait in a queue", queue.bytes()::getAsLong, tags);
        gauge("queue.capacity.bytes", "Bytes that a queue holds at most", queue::bytesMax, tags);
    }

    /** Publishes a count, like {@link #counter(String, String, LongSupplier, String...)}. */
    public void counter(String name, String description, LongAdder count, String... tags) {
        counter(name, description, count::sum, tags);
    }

    /**
     * Publishes a number that only grows.
     *
     * @param name name without the prefix {@code summarizer.}, which this method adds
     * @param tags names and values alternately
     */
    public void counter(String name, String description, LongSupplier value, String... tags) {
        sources.add(value);
        FunctionCounter.builder(PREFIX + name, value, LongSupplier::getAsLong)
                .description(description)
                .tags(tags)
                .register(registry);
    }

    /**
     * Publishes a number that goes up and down.
     *
     * @param name name without the prefix {@code summarizer.}, which this method adds
     * @param tags names and values alternately
     */
    public void gauge(String name, String description, DoubleSupplier value, String... tags) {
        Gauge.builder(PREFIX + name, value::getAsDouble)
                .description(description)
                .tags(tags)
                .register(registry);
    }

    /** All metrics in Prometheus text format 0.0.4. Takes no cut: a scrape does not read the stores. */
    public String scrape() {
        return scrape(Set.of());
    }

    /**
     * Returns only the metrics with these names, and does no work for other metrics.
     *
     * @param names names of metrics, as {@code /metrics} writes them; if there are none, the result has all metrics
     */
    public String scrape(Set<String> names) {
        if (names.isEmpty()) {
            return registry.scrape() + ledger(names);
        }
        Set<String> known = new HashSet<>();
        for (String name : names) {
            // In the registry, names of counters lack the suffix that the text format adds.
            known.add(name.endsWith(COUNTER) ? name.substring(0, name.length() - COUNTER.length()) : name);
        }
        return registry.scrape(TEXT, known) + ledger(names);
    }

    private String ledger(Set<String> names) {
        Supplier<LedgerCounts> ledger = this.ledger;
        return ledger == null || !LedgerText.isAskedFor(names) ? "" : LedgerText.of(ledger.get(), names);
    }

    @Override
    public void close() {
        gc.close();
        registry.close();
    }
}
