package io.summarizer.core.recovery;

import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The progress of a recovery, as {@code /readyz} shows it. One thread writes it, except for {@link #loaded}; any thread
 * may read it.
 */
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
    private volatile String waitsFor = "";
    private long total;

    /**
     * The object being loaded.
     *
     * @param rows number of rows of the object
     * @param loaded number of rows loaded so far
     */
    private record Loading(String what, long rows, LongAdder loaded) {
        String text() {
            double share = rows == 0 ? 1 : (double) Math.min(rows, loaded.sum()) / rows;
            return String.format(Locale.ROOT, "recovering: loading %s, %.0f %%", what, Math.floor(100 * share));
        }
    }

    /** Progress before the beginning. */
    public RecoveryProgress() {
        this(System::nanoTime);
    }

    RecoveryProgress(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /**
     * Begins the loading of an object.
     *
     * @param what its description
     * @param rows number of rows of the object
     */
    public void loading(String what, long rows) {
        loading = new Loading(what, rows, new LongAdder());
    }

    /** Counts loaded rows of the object being {@link #loading loaded}. Any thread. */
    public void loaded(long rows) {
        Objects.requireNonNull(loading).loaded.add(rows);
    }

    /** Records that the journal will be read, from one place to another. */
    void begin(long from, long end) {
        this.from = from;
        this.end = end;
        at = from;
        startedNanos = nanoTime.getAsLong();
        replaying = true;
    }

    /** Counts messages that were handed over. Notes {@code at}, the position up to which the journal was read. */
    void handedOver(long messages, long at) {
        total += messages;
        replayed = total;
        this.at = Math.max(this.at, at);
    }

    /**
     * Sets a text that says what the recovery waits for; empty when the recovery does not wait. Any thread.
     *
     * @param what a phrase that follows "waits for"
     */
    public void waitsFor(String what) {
        waitsFor = what;
    }

    /** Number of messages that were taken from the journal. */
    public long replayed() {
        return replayed;
    }

    /** The completed share, 0 to 1. */
    public double done() {
        long from = this.from;
        return end > from ? Math.min(1, (double) (at - from) / (end - from)) : replaying ? 1 : 0;
    }

    /** Records the end of the recovery: the whole journal is in the rows. */
    void end() {
        endedNanos = nanoTime.getAsLong();
        ended = true;
    }

    /** Time spent reading the journal, in seconds. */
    public double seconds() {
        if (!replaying) {
            return 0;
        }
        return ((ended ? endedNanos : nanoTime.getAsLong()) - startedNanos) / 1e9;
    }

    /**
     * A short text. At first {@code starting}; while the checkpoint is loaded, {@code recovering: loading the last
     * checkpoint, 34 %}; while the journal is replayed, {@code recovering: 34 %, 1.2 M events/s}.
     */
    public String text() {
        Loading loading = this.loading;
        if (!replaying) {
            return loading == null ? "starting" : loading.text();
        }
        double seconds = seconds();
        String waitsFor = this.waitsFor;
        return String.format(
                        Locale.ROOT,
                        "recovering: %.0f %%, %.1f M events/s",
                        Math.floor(100 * done()),
                        seconds <= 0 ? 0 : replayed / seconds / 1e6)
                + (waitsFor.isEmpty() ? "" : "; waits for " + waitsFor);
    }
}
