package io.summarizer.core.window;

import io.summarizer.core.bytes.Opaque;
import io.summarizer.core.store.SummaryWindow;
import io.summarizer.core.time.Windows;

/**
 * The windows of one summary, as one parser worker sees them. Finds the window of each event's time, and keeps the
 * greatest time, from which the watermark follows.
 *
 * <p>{@link #start} belongs to the worker's thread and allocates nothing; any thread may read {@link #progress}.
 */
public final class WindowInput {
    /** The progress before the first event. */
    public static final long NONE = Long.MIN_VALUE;

    private final Windows windows;
    private final long aheadMicros;
    private final LateFlag late;

    /** Windows that begin before it are closed. */
    private long boundary = Long.MIN_VALUE;

    /** The greatest time so far, in an array because {@link Opaque} takes arrays. */
    private final long[] progress = {NONE};

    /**
     * An input without events.
     *
     * @param aheadMicros maximum time by which an event's time may be after its arrival, in µs
     * @param late raised by events of closed windows
     */
    public WindowInput(SummaryWindow window, long aheadMicros, LateFlag late) {
        windows = window.windows();
        this.aheadMicros = aheadMicros;
        this.late = late;
    }

    /**
     * The start of the window of an event, for the window's key column. An event moves the progress to its time, or to
     * its arrival if that is earlier, so that a clock that is ahead closes nothing.
     *
     * @param time the time of the event, in µs since the epoch
     * @param arrival the arrival stamp of the event's message, in µs since the epoch
     * @return {@link SummaryWindow#EARLY} when the time is too far ahead of the arrival
     */
    public long start(long time, long arrival) {
        long moved = Math.min(time, arrival);
        if (moved > progress[0]) {
            Opaque.set(progress, 0, moved);
        }
        if (time > arrival && time - arrival > aheadMicros) {
            return SummaryWindow.EARLY;
        }
        long start = windows.start(time);
        if (start < boundary) {
            late.raise();
        }
        return start;
    }

    /** Declares that windows that begin before a time are closed. Call it while the worker processes no message. */
    public void closeBefore(long boundary) {
        this.boundary = boundary;
    }

    /** Goes on from the progress of another input. Called before the first event. */
    public void goOn(WindowInput before) {
        Opaque.set(progress, 0, before.progress());
    }

    /** The progress since the last call of this method, {@link #NONE} without events. On the worker's thread. */
    public long takeProgress() {
        long taken = progress[0];
        Opaque.set(progress, 0, NONE);
        return taken;
    }

    /** The greatest time that an event moved the progress to; {@link #NONE} before the first event. Any thread. */
    public long progress() {
        return Opaque.get(progress, 0);
    }
}
