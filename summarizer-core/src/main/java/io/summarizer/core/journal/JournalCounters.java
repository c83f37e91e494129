package io.summarizer.core.journal;

import java.util.concurrent.atomic.LongAdder;

/** Counters of a journal since it was opened. Any thread reads; added to once per record or group. */
public final class JournalCounters {
    /** Messages appended, including those appended again after a failed write. */
    public final LongAdder messages = new LongAdder();
    /** Records of messages. */
    public final LongAdder records = new LongAdder();
    /** Bytes of their bodies before compression. */
    public final LongAdder plainBytes = new LongAdder();
    /** Bytes written, headers and padding included. */
    public final LongAdder writtenBytes = new LongAdder();
    /** Groups that were synced: records with one common force. */
    public final LongAdder syncs = new LongAdder();
    /** Time spent in forces. */
    public final LongAdder syncNanos = new LongAdder();
    /** Segments begun. */
    public final LongAdder segments = new LongAdder();
    /** Writes and forces that failed. Their messages are not acknowledged, and written again. */
    public final LongAdder failures = new LongAdder();
    /** Times that a full journal held up appending. */
    public final LongAdder fullStops = new LongAdder();

    JournalCounters() {}
}
