package io.summarizer.core.recovery;

import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** How far a recovery is, for people who wait. One thread writes it, but for {@link #loaded}; any may ask. */
public final class RecoveryProgress {
    private final LongSupplier nanoTime;
    private volatile @Nullable Loading loading;
    private volatile boolean replaying;
    private volatile long from;
    private volatile long end;
    private volatile long at;
    private volatile long replayed;
    private volatile long startedNanos;
    private volatile long endedNanos;
    private volatile boolean ended;
    private long total;

    /**
     * What is being loaded.
     *
     * @param rows how many it has
     * @param loaded how many of them are there
     */
    private record Loading(String what, long rows, LongAdder loaded) {
        String text() {
            double share = rows == 0 ? 1 : (double) Math.min(rows, loaded.sum()) / rows;
            return String.format(Locale.ROOT, "recovering: loading %s, %.0f %%", what, Math.floor(100 * share));
        }
    }

    /** Nothing has begun. */
    public RecoveryProgress() {
        this(System::nanoTime);
    }

    RecoveryProgress(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /**
     * Something is loaded from now on.
     *
     * @param what in words
     * @param rows how many it has
     */
    public void loading(String what, long rows) {
        loading = new Loading(what, rows, new LongAdder());
    }

    /** So many rows more were loaded of what is being {@link #loading loaded}. Any thread. */
    public void loaded(long rows) {
        Objects.requireNonNull(loading).loaded.add(rows);
    }

    /** The journal is read from one place to another. */
    void begin(long from, long end) {
        this.from = from;
        this.end = end;
        at = from;
        startedNanos = nanoTime.getAsLong();
        replaying = true;
    }

    /** So many messages more were handed over; the journal was read up to here. */
    void handedOver(long messages, long at) {
        total += messages;
        replayed = total;
        this.at = Math.max(this.at, at);
    }

    /** Messages that were taken from the journal. */
    public long replayed() {
        return replayed;
    }

    /** What part of the way is done, 0 to 1. */
    public double done() {
        long from = this.from;
        return end > from ? Math.min(1, (double) (at - from) / (end - from)) : replaying ? 1 : 0;
    }

    /** All of the journal is in the rows. */
    void end() {
        endedNanos = nanoTime.getAsLong();
        ended = true;
    }

    /** How long the journal has been read, in seconds. */
    public double seconds() {
        if (!replaying) {
            return 0;
        }
        return ((ended ? endedNanos : nanoTime.getAsLong()) - startedNanos) / 1e9;
    }

    /**
     * In a few words: {@code starting}, then {@code recovering: loading the last checkpoint, 34 %}, then {@code recovering: 34 %, 1.2 M
     * events/s}, which is of the journal.
     */
    public String text() {
        Loading loading = this.loading;
        if (!replaying) {
            return loading == null ? "starting" : loading.text();
        }
        double seconds = seconds();
        return String.format(
                Locale.ROOT,
                "recovering: %.0f %%, %.1f M events/s",
                Math.floor(100 * done()),
                seconds <= 0 ? 0 : replayed / seconds / 1e6);
    }
}
