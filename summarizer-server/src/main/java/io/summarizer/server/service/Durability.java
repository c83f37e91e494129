package io.summarizer.server.service;

import io.summarizer.core.disk.DiskErrors;
import io.summarizer.core.journal.Journal;
import io.summarizer.core.journal.JournalWriter;
import io.summarizer.core.pipeline.BatchSink;
import io.summarizer.core.pipeline.Pipeline;
import io.summarizer.core.receive.TopicRule;
import io.summarizer.core.recovery.Checkpointer;
import io.summarizer.core.recovery.DurableControls;
import io.summarizer.core.recovery.DurableControls.Written;
import io.summarizer.core.recovery.DurableSink;
import io.summarizer.core.recovery.KafkaOffsets;
import io.summarizer.core.recovery.RangeSource;
import io.summarizer.core.recovery.WindowCloser;
import io.summarizer.core.recovery.WindowTimer;
import io.summarizer.core.reject.RejectLog;
import io.summarizer.core.text.TimestampText;
import io.summarizer.core.window.InputName;
import io.summarizer.server.config.ServerConfig;
import io.summarizer.server.kafka.KafkaClients;
import io.summarizer.server.kafka.KafkaRanges;
import io.summarizer.server.metrics.ServerMetrics;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The parts that make the state durable, in the order in which a service uses them: recovery, journal, regular
 * checkpoints, and a last checkpoint at the end. Started and closed by the service's threads; status methods are
 * thread-safe.
 */
final class Durability {
    private static final System.Logger LOGGER = System.getLogger(Durability.class.getName());

    /**
     * Largest number of batches that wait for the journal. A parse queue has room for the same number of batches by
     * default. A batch usually has 64 KiB.
     */
    private static final int JOURNAL_CAPACITY = 256;

    /** Longest time that a stop gives to a reload or reset in progress. */
    private static final Duration CHANGE_LIMIT = Duration.ofSeconds(30);

    /** Longest time that a stop gives to the close of a window in progress, after the time for changes. */
    private static final Duration WINDOW_LIMIT = Duration.ofSeconds(5);

    /** Time after which the service does not begin another attempt to write the last checkpoint. */
    private static final Duration LAST_LIMIT = Duration.ofSeconds(4);
    /** Time between two of these attempts. */
    private static final Duration LAST_PAUSE = Duration.ofSeconds(1);

    private final ServerConfig config;
    private final StateRecovery recovery;
    private final Journal journal;
    private final RejectLog rejects;
    private final CompletableFuture<Throwable> failure = new CompletableFuture<>();

    /**
     * Whether the journal requested a checkpoint. The flag is needed because the request may come before there is a
     * thread that writes checkpoints.
     */
    private final AtomicBoolean requested = new AtomicBoolean();

    private final AtomicReference<@Nullable JournalWriter> writer = new AtomicReference<>();
    private final AtomicReference<@Nullable DurableControls> durable = new AtomicReference<>();
    private final AtomicReference<@Nullable Checkpointer> checkpointer = new AtomicReference<>();
    private final AtomicReference<@Nullable WindowCloser> closer = new AtomicReference<>();
    private final AtomicReference<@Nullable WindowTimer> timer = new AtomicReference<>();
    private volatile boolean lostRows;

    Durability(ServerConfig config, StateRecovery recovery, Journal journal, RejectLog rejects) {
        this.config = config;
        this.recovery = recovery;
        this.journal = journal;
        this.rejects = rejects;
        failWith(recovery.pipeline().failure());
    }

    /**
     * Recovers the pipeline. From then on the pipeline takes batches, and batches and controls are journalled.
     *
     * @param kafka clients with which the start reads Kafka records again; null without a Kafka listener
     * @param metrics metrics to which the method adds the state of the journal
     */
    DurableControls begin(@Nullable KafkaClients kafka, ServerMetrics metrics)
            throws IOException, InterruptedException {
        if (kafka == null) {
            recovery.replay(RangeSource.NONE);
        } else {
            try (KafkaRanges ranges = new KafkaRanges(kafka, recovery.progress())) {
                recovery.replay(ranges);
            }
        }
        Pipeline pipeline = recovery.pipeline();
        keepInputs(pipeline, config.kafka().isOn() ? config.kafka().topics() : List.of());
        JournalWriter appending = JournalWriter.start(
                journal,
                pipeline.clock(),
                this::topicRule,
                recovery.recovery()::take,
                this::request,
                JOURNAL_CAPACITY,
                PipelineSetup.journalQueueBytes(config));
        writer.set(appending);
        failWith(appending.failure());
        metrics.bind(journal, appending);
        DurableControls made = new DurableControls(
                recovery.recovery(),
                recovery.checkpoints(),
                journal,
                appending,
                recovery.store()::retain,
                rejects::force,
                this::request);
        failWith(made.failure());
        made.begin();
        Checkpointer writing = new Checkpointer(made, config.checkpointInterval());
        failWith(writing.failure());
        checkpointer.set(writing);
        writing.start();
        if (requested.get()) {
            writing.request();
        }
        recovery.adoptDefinitions(made);
        WindowCloser windows = new WindowCloser(made, recovery.windows(), PipelineSetup.isAllJournalled(config));
        windows.begin();
        closer.set(windows);
        durable.set(made);
        return made;
    }

    /**
     * Forgets the watermarks of partitions that are no longer configured, because these watermarks would keep windows
     * open for ever.
     */
    private void keepInputs(Pipeline pipeline, List<String> topics) {
        Set<String> partitions = offsets().all().keySet().stream()
                .filter(partition -> topics.contains(partition.topic()))
                .map(InputName::of)
                .collect(Collectors.toSet());
        pipeline.watermarks().retain(input -> InputName.isPipeline(input) || partitions.contains(input));
    }

    /**
     * Starts to close windows, and to delete closed windows when the time to keep them is over. Called only after
     * {@link #begin}.
     */
    void startWindows() {
        WindowTimer closing = new WindowTimer(windows(), recovery.pipeline().clock()::lowerMicros);
        failWith(closing.failure());
        timer.set(closing);
        closing.start();
    }

    /** Closes windows. Only after {@link #begin}. */
    WindowCloser windows() {
        return Objects.requireNonNull(closer.get());
    }

    /** Ends the service with the failure of a part. */
    void failWith(CompletableFuture<Throwable> part) {
        var unused = part.thenAccept(failure::complete);
    }

    private TopicRule topicRule(int listener) {
        return listener == Listeners.RELP_NUMBER
                ? config.relp().topic()
                : config.syslogTcp().topic();
    }

    private void request() {
        requested.set(true);
        Checkpointer made = checkpointer.get();
        if (made != null) {
            made.request();
        }
    }

    /** The sink of a listener. {@code isDurable} says whether the listener's messages have to be durable. */
    BatchSink sink(boolean isDurable) {
        JournalWriter appending = writer.get();
        Pipeline pipeline = recovery.pipeline();
        if (!isDurable) {
            return pipeline;
        }
        if (appending == null) {
            throw new IllegalStateException("the journal is not open yet");
        }
        return new DurableSink(pipeline, appending);
    }

    /** The offset in each Kafka partition at which reading continues. */
    KafkaOffsets offsets() {
        return recovery.recovery().offsets();
    }

    /** A future that completes, with the cause, when the process should end. */
    CompletableFuture<Throwable> failure() {
        return failure.copy();
    }

    /** The reason why the service takes no messages, or not all messages; empty when the service is ready. */
    Optional<String> notReady() {
        if (failure.isDone()) {
            return Optional.of("failed");
        }
        DurableControls made = durable.get();
        if (made == null) {
            return Optional.of(recovery.progress().text());
        }
        JournalWriter appending = writer.get();
        if (appending == null || appending.trouble().isEmpty() || !PipelineSetup.hasDurableListener(config)) {
            return Optional.empty(); // without a durable listener, messages do not wait for the journal
        }
        return Optional.of(appending.trouble());
    }

    /**
     * Remarks on a service that is ready, such as lost messages, with one remark on each line; empty when there is no
     * remark.
     */
    String remarks() {
        long lost = recovery.pipeline().ledger().lost();
        return lost == 0
                ? ""
                : String.format(
                        Locale.ROOT,
                        "%,d messages are lost with damaged parts of the journal, or with Kafka records that were deleted before"
                                + " a start read them again, and are not in the rows; copies of damaged parts, as far as they"
                                + " could be read, are in %s%n",
                        lost,
                        config.data().resolve("journal/quarantine"));
    }

    /**
     * Refuses further reloads and resets. A reload or reset in progress can be completed, because journal and
     * checkpoints still work.
     */
    void stopChanges() throws InterruptedException {
        WindowTimer closing = timer.get();
        if (closing != null) {
            closing.stop();
        }
        DurableControls made = durable.get();
        if (made != null && !made.stopChanges(CHANGE_LIMIT)) {
            LOGGER.log(System.Logger.Level.WARNING, "a reload or a reset is under way still");
        }
        if (closing != null && !closing.close(WINDOW_LIMIT)) {
            LOGGER.log(System.Logger.Level.WARNING, "the close of a window, or its file, is under way still");
        }
    }

    /** Waits until all batches that were handed over are in the journal and in the rows. */
    void drain() throws InterruptedException {
        JournalWriter appending = writer.get();
        if (appending != null) {
            appending.close();
            if (appending.abandoned() > 0) {
                LOGGER.log(
                        System.Logger.Level.WARNING,
                        appending.abandoned()
                                + " messages were not journalled, and their senders not told that they were: "
                                + appending.trouble());
            }
        }
        recovery.pipeline().drain();
    }

    /** Writes the last checkpoint. If the disk fails, tries for some seconds, and then says what is lost. */
    void close() throws InterruptedException {
        Checkpointer made = checkpointer.get();
        if (made != null) {
            made.close();
        }
        DurableControls last = durable.get();
        if (last != null && !failure.isDone()) {
            writeLast(last);
        }
    }

    private void writeLast(DurableControls controls) throws InterruptedException {
        long begun = System.nanoTime();
        while (true) {
            try {
                var unused = controls.checkpoint(false);
                return;
            } catch (IOException | RuntimeException e) {
                if (e instanceof IOException && System.nanoTime() - begun < LAST_LIMIT.toNanos()) {
                    Thread.sleep(LAST_PAUSE.toMillis());
                    continue;
                }
                lostRows = !PipelineSetup.isAllJournalled(config);
                String since = TimestampText.toString(controls.last().takenAtMicros());
                LOGGER.log(
                        lostRows ? System.Logger.Level.ERROR : System.Logger.Level.WARNING,
                        "the last checkpoint could not be written: " + DiskErrors.describe(e)
                                + ". The next start reads the messages in the journal since the checkpoint of " + since
                                + " again"
                                + (lostRows
                                        ? ". The rows of messages without a journal (TCP, UDP, ack: applied) that came"
                                                + " since then are lost"
                                        : ""));
                return;
            }
        }
    }

    /** Whether the stop lost rows, because the last checkpoint could not be written. Call it after {@link #close}. */
    boolean lostRows() {
        return lostRows;
    }

    /** Publishes the state of checkpoints and recovery. */
    void bind(ServerMetrics metrics) {
        metrics.counter("checkpoints", "Checkpoints written", () -> last().number());
        metrics.counter("checkpoints.failed", "Checkpoints that could not be written", this::failedCheckpoints);
        metrics.counter(
                "windows.failed",
                "Times that windows could not be closed or written, and were tried again",
                this::failedWindows);
        metrics.gauge(
                "windows.damaged",
                "Damaged files of closed windows in the data folder; their rows are in no pull",
                () -> recovery.windows().damaged());
        metrics.gauge("checkpoint.bytes", "Size of the last checkpoint", () -> last().bytes());
        metrics.gauge(
                "checkpoint.seconds",
                "Time in which the last checkpoint was written and read back",
                () -> last().nanos() / 1e9);
        metrics.gauge(
                "checkpoint.timestamp.seconds",
                "Time of the cut of the last checkpoint, in seconds since the epoch; 0 if there is no checkpoint yet",
                () -> last().takenAtMicros() / 1e6);
        metrics.gauge(
                "checkpoints.damaged",
                "Damaged checkpoints in the data folder",
                () -> recovery.checkpoints().damaged());
        metrics.counter(
                "journal.lost",
                "Messages that the journal took and then lost by damage, those of earlier processes included",
                recovery.pipeline().ledger()::lost);
        metrics.gauge(
                "recovery.done",
                "Part of the journal that was read at the start, 0 to 1",
                () -> durable.get() != null ? 1 : recovery.progress().done());
        metrics.counter(
                "recovery.replayed",
                "Messages taken from the journal at the start",
                () -> recovery.progress().replayed());
    }

    private long failedWindows() {
        WindowTimer made = timer.get();
        return made == null ? 0 : made.failures();
    }

    private long failedCheckpoints() {
        Checkpointer made = checkpointer.get();
        return made == null ? 0 : made.failures();
    }

    private Written last() {
        DurableControls made = durable.get();
        return made == null ? new Written(recovery.recovery().takenAtMicros(), 0, 0, 0) : made.last();
    }
}
