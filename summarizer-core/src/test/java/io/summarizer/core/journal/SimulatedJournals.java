package io.summarizer.core.journal;

import io.summarizer.core.disk.Disk;
import java.io.IOException;
import java.util.function.IntSupplier;

/** Journals that do all work on the calling thread, for simulations outside this package. */
public final class SimulatedJournals {
    private SimulatedJournals() {}

    /** Opens a journal. */
    public static Journal open(Disk disk, JournalOptions options, IntSupplier salts) throws IOException {
        return Journal.open(disk, options, note -> {}, salts, Runnable::run);
    }

    /** Discards a journal, like the end of a process. */
    public static void discard(Journal journal) throws IOException {
        journal.discard();
    }
}
