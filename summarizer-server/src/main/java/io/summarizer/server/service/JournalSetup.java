package io.summarizer.server.service;

import io.summarizer.core.disk.FileDisk;
import io.summarizer.core.journal.Journal;
import io.summarizer.server.config.ServerConfig;
import io.summarizer.server.net.Ack;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Makes the journal of a configuration. */
final class JournalSetup {
    private static final System.Logger LOGGER = System.getLogger(Journal.class.getName());

    private JournalSetup() {}

    /** Whether some listener needs a journal. */
    static boolean isWanted(ServerConfig config) {
        return config.relp().bind().isPresent() && config.relp().ack() == Ack.DURABLE;
    }

    /**
     * Opens the journal, when a listener needs one, or an earlier process had one: its messages belong to the state,
     * whatever listeners there are now.
     *
     * @return null when there is none
     */
    static @Nullable Journal open(ServerConfig config) throws IOException {
        Path folder = config.data().resolve("journal");
        if (!isWanted(config) && !Files.isDirectory(folder)) {
            return null;
        }
        return Journal.open(
                FileDisk.ofOwner(folder), config.journal(), text -> LOGGER.log(System.Logger.Level.WARNING, text));
    }
}
