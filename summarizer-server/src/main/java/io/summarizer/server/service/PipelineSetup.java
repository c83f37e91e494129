package io.summarizer.server.service;

import io.summarizer.core.disk.FileDisk;
import io.summarizer.core.journal.Journal;
import io.summarizer.core.pipeline.PipelineOptions;
import io.summarizer.server.config.ServerConfig;
import io.summarizer.server.net.Ack;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Makes the parts of the engine from a configuration. */
final class PipelineSetup {
    private static final System.Logger JOURNAL_LOGGER = System.getLogger(Journal.class.getName());

    private PipelineSetup() {}

    static PipelineOptions options(ServerConfig config) {
        ServerConfig.Pipeline pipeline = config.pipeline();
        return new PipelineOptions(
                pipeline.mode(),
                pipeline.pipelines(),
                pipeline.nettyWorkers(),
                pipeline.batching().messages(),
                config.rowsMax(),
                config.values(),
                config.windows(),
                config.stateBytesMax(),
                config.dedupIds(),
                config.cutBytesMax(),
                config.queueBytesMax() - journalQueueBytes(config));
    }

    /** The bytes of the queue in front of the journal, a third of {@code limits.queues}. */
    static long journalQueueBytes(ServerConfig config) {
        return config.queueBytesMax() / 3;
    }

    /** Whether some listener needs a journal. */
    static boolean isJournalWanted(ServerConfig config) {
        return config.kafka().isOn() || (config.relp().bind().isPresent() && config.ack() == Ack.DURABLE);
    }

    /** Whether the messages of all listeners are journalled. */
    static boolean isAllJournalled(ServerConfig config) {
        return config.syslogTcp().bind().isEmpty()
                && config.syslogUdp().bind().isEmpty()
                && config.ack() == Ack.DURABLE;
    }

    /**
     * Opens the journal if a listener needs one, or if an earlier process had one. Messages in the journal of an
     * earlier process belong to the state, even if no listener needs a journal now.
     *
     * @return null when there is no journal
     */
    static @Nullable Journal openJournal(ServerConfig config) throws IOException {
        Path folder = config.data().resolve("journal");
        if (!isJournalWanted(config) && !Files.isDirectory(folder)) {
            return null;
        }
        return Journal.open(
                FileDisk.ofOwner(folder),
                config.journal(),
                text -> JOURNAL_LOGGER.log(System.Logger.Level.WARNING, text));
    }
}
