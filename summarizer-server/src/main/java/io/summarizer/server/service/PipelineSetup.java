package io.summarizer.server.service;

import io.summarizer.core.disk.FileDisk;
import io.summarizer.core.journal.Journal;
import io.summarizer.core.journal.JournalOptions;
import io.summarizer.core.pipeline.PipelineOptions;
import io.summarizer.server.config.ServerConfig;
import io.summarizer.server.net.Ack;
import java.io.IOException;

/** Makes the parts of the engine from a configuration. */
final class PipelineSetup {
    private static final System.Logger JOURNAL_LOGGER = System.getLogger(Journal.class.getName());

    /** Size of a segment that has only controls. */
    private static final long CONTROL_SEGMENT_BYTES = 1 << 20;

    private PipelineSetup() {}

    static PipelineOptions options(ServerConfig config) {
        ServerConfig.Pipeline pipeline = config.pipeline();
        ServerConfig.Limits limits = config.limits();
        return new PipelineOptions(
                pipeline.mode(),
                pipeline.pipelines(),
                pipeline.nettyWorkers(),
                pipeline.batching().messages(),
                limits.rows(),
                limits.values(),
                limits.windows(),
                limits.stateBytes(),
                limits.dedupIds(),
                PipelineOptions.DEFAULT_DEDUP_LAG,
                limits.cutBytes(),
                limits.queueBytes() - journalQueueBytes(config));
    }

    /** The bound on the bytes of the queue before the journal: a third of {@code limits.queues}. */
    static long journalQueueBytes(ServerConfig config) {
        return config.limits().queueBytes() / 3;
    }

    /** Whether the messages of some listener are journalled. */
    static boolean hasDurableListener(ServerConfig config) {
        return config.kafka().isOn() || (config.relp().bind().isPresent() && config.ack() == Ack.DURABLE);
    }

    /** Whether the messages of all listeners are journalled. */
    static boolean isAllJournalled(ServerConfig config) {
        return config.syslogTcp().bind().isEmpty()
                && config.syslogUdp().bind().isEmpty()
                && config.ack() == Ack.DURABLE;
    }

    /**
     * Opens the journal. Without a durable listener, the journal has only controls, such as closes of windows, and its
     * files are small.
     */
    static Journal openJournal(ServerConfig config) throws IOException {
        JournalOptions options = config.journal();
        if (!hasDurableListener(config) && options.segmentBytes() > CONTROL_SEGMENT_BYTES) {
            options = JournalOptions.of(CONTROL_SEGMENT_BYTES, options.maxBytes(), options.compression());
        }
        return Journal.open(
                FileDisk.ofOwner(config.data().resolve("journal")),
                options,
                text -> JOURNAL_LOGGER.log(System.Logger.Level.WARNING, text));
    }
}
