package io.summarizer.core.window;

import io.summarizer.core.bytes.Opaque;
import io.summarizer.core.message.KafkaRange.Partition;
import io.summarizer.core.store.SummaryWindow;
import io.summarizer.core.time.Windows;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ObjLongConsumer;

/**
 * The windows of one summary, as one parser worker sees them. Finds the window of each event's time. Also keeps the
 * greatest times of events, which determine the watermark. There is one such time for the worker's pipeline, and one
 * for each Kafka partition that had events of the summary.
 *
 * <p>Only the worker's thread calls {@link #start}, which allocates nothing; any thread may read {@link #progress}.
 */
public final class WindowInput {
    /** The progress before the first event. */
    public static final long NONE = Long.MIN_VALUE;

    private final Windows windows;
    private final long aheadMicros;
    private final LateFlag late;

    /** Windows that begin before it are closed. */
    private long boundary = Long.MIN_VALUE;

    /** The greatest time so far in the pipeline. It is in an array because {@link Opaque} takes arrays. */
    private final long[] ofPipeline = {NONE};

    /** The greatest time so far in the current batch, if the batch is from Kafka. */
    private final long[] ofBatch = {NONE};

    /** The one of these two arrays whose time the current events move. */
    private long[] progress = ofPipeline;

    /** The greatest time so far in each partition. Only the worker's thread writes. */
    private final Map<Partition, long[]> ofPartitions = new ConcurrentHashMap<>();

    /**
     * An input without events.
     *
     * @param aheadMicros maximum time by which the time of an event may be later than the arrival of the event, in µs
     * @param late raised by events of closed windows
     */
    public WindowInput(SummaryWindow window, long aheadMicros, LateFlag late) {
        windows = window.windows();
        this.aheadMicros = aheadMicros;
        this.late = late;
    }

    /**
     * The start of the window of an event, for the window's key column. An event moves the progress to the event's
     * time, but not beyond the event's arrival; an event that is too early does not move it. Therefore, a sender whose
     * clock is ahead cannot close windows.
     *
     * @param time the time of the event, in µs since the epoch
     * @param arrival the arrival stamp of the event's message, in µs since the epoch
     * @return {@link SummaryWindow#EARLY} when the time is too far ahead of the arrival
     */
    public long start(long time, long arrival) {
        if (time > arrival && time - arrival > aheadMicros) {
            return SummaryWindow.EARLY;
        }
        long moved = Math.min(time, arrival);
        long[] progress = this.progress;
        if (moved > progress[0]) {
            Opaque.set(progress, 0, moved);
        }
        long start = windows.start(time);
        if (start < boundary) {
            late.raise();
        }
        return start;
    }

    /**
     * Declares that the windows that begin before a given time are closed. Call this method while the worker processes
     * no message.
     */
    public void closeBefore(long boundary) {
        this.boundary = boundary;
    }

    /** Takes over the progress of another input. Called before the first event. */
    public void goOn(WindowInput before) {
        Opaque.set(ofPipeline, 0, before.progress());
        before.ofPartitions.forEach((partition, seen) -> ofPartitions.put(partition, seen.clone()));
    }

    /** Begins a batch from Kafka, whose events do not move the progress of the pipeline. On the worker's thread. */
    public void begin() {
        ofBatch[0] = NONE;
        progress = ofBatch;
    }

    /** Ends a batch from Kafka: its events move the progress of their partition. On the worker's thread. */
    public void end(Partition partition) {
        progress = ofPipeline;
        long moved = ofBatch[0];
        if (moved != NONE) {
            long[] seen = ofPartitions.get(partition);
            if (seen == null) {
                ofPartitions.put(partition, new long[] {moved});
            } else if (moved > seen[0]) {
                Opaque.set(seen, 0, moved);
            }
        }
    }

    /** The progress since the last call of this method, {@link #NONE} without events. On the worker's thread. */
    public long takeProgress() {
        long taken = ofPipeline[0];
        Opaque.set(ofPipeline, 0, NONE);
        return taken;
    }

    /**
     * The greatest time to which an event of the pipeline has moved the progress; {@link #NONE} before the first event.
     * Events from Kafka do not count. Any thread.
     */
    public long progress() {
        return Opaque.get(ofPipeline, 0);
    }

    /** Visits the progress of each Kafka partition that had events. Any thread. */
    public void partitions(ObjLongConsumer<Partition> visitor) {
        ofPartitions.forEach((partition, seen) -> visitor.accept(partition, Opaque.get(seen, 0)));
    }
}
