package io.summarizer.core.recovery;

import java.util.Locale;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/** How far a recovery is, for people who wait. One thread writes it, but for {@link #loaded}; any may ask. */
public final class RecoveryProgress {
    private final LongSupplier nanoTime;
    /** Empty as long as nothing is loaded. */
    private volatile String loading = "";

    private volatile long rows;
    private final LongAdder loaded = new LongAdder();
    private volatile boolean replaying;
    private volatile long from;
    private volatile long end;
    private volatile long at;
    private volatile long replayed;
    private volatile long startedNanos;
    private volatile long endedNanos;
    private volatile boolean ended;
    private long total;

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
        loaded.reset();
        this.rows = rows;
        loading = what;
    }

    /** So many rows more were loaded. Any thread. */
    public void loaded(long rows) {
        loaded.add(rows);
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

    /** In a few words: {@code recovering: 34 %, 1.2 M events/s}. */
    public String text() {
        String what = loading;
        if (!replaying) {
            return what.isEmpty()
                    ? "starting"
                    : String.format(
                            Locale.ROOT,
                            "recovering: loading %s, %.0f %%",
                            what,
                            rows == 0 ? 100 : Math.floor(100.0 * Math.min(rows, loaded.sum()) / rows));
        }
        double seconds = seconds();
        return String.format(
                Locale.ROOT,
                "recovering: %.0f %%, %.1f M events/s",
                Math.floor(100 * done()),
                seconds <= 0 ? 0 : replayed / seconds / 1e6);
    }
}
