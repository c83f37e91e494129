package io.summarizer.core.journal;

import io.summarizer.core.disk.Disk;
import java.io.IOException;
import java.util.function.IntSupplier;

/** Journals that do all on the thread that uses them, for simulations outside of this package. */
public final class SimulatedJournals {
    private SimulatedJournals() {}

    /** Opens one. */
    public static Journal open(Disk disk, JournalOptions options, IntSupplier salts) throws IOException {
        return Journal.open(disk, options, note -> {}, salts, Runnable::run);
    }

    /** Gives one up, as the end of a process does. */
    public static void discard(Journal journal) throws IOException {
        journal.discard();
    }
}
