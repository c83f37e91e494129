package io.summarizer.core.journal;

import java.util.concurrent.atomic.LongAdder;

/**
 * Counters of a journal since it was opened. Each counter is increased once per record or group. Any thread may read
 * the counters.
 */
public final class JournalCounters {
    /** Messages appended, including messages that were appended again after a failed write. */
    public final LongAdder messages = new LongAdder();
    /** Records of messages. */
    public final LongAdder records = new LongAdder();
    /** Bytes of the bodies of these messages before compression. */
    public final LongAdder plainBytes = new LongAdder();
    /** Number of bytes written, headers and padding included. */
    public final LongAdder writtenBytes = new LongAdder();
    /** Number of synced groups; the records of a group share one force. */
    public final LongAdder syncs = new LongAdder();
    /** Time spent in forces. */
    public final LongAdder syncNanos = new LongAdder();
    /** Segments begun. */
    public final LongAdder segments = new LongAdder();
    /** Failed writes and forces. The messages of a failed write are not acknowledged, and are written again. */
    public final LongAdder failures = new LongAdder();
    /** Number of times that a full journal stopped appending. */
    public final LongAdder fullStops = new LongAdder();

    JournalCounters() {}
}
