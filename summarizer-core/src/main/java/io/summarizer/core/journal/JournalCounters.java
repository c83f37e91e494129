package io.summarizer.core.journal;

import java.util.concurrent.atomic.LongAdder;

/** What a journal did since it was opened. Any thread reads; added to once a record or a group. */
public final class JournalCounters {
    /** Messages appended, those that a failed write made append again included. */
    public final LongAdder messages = new LongAdder();
    /** Records of messages. */
    public final LongAdder records = new LongAdder();
    /** Bytes of their bodies before they were packed. */
    public final LongAdder plainBytes = new LongAdder();
    /** Bytes written, headers and padding included. */
    public final LongAdder writtenBytes = new LongAdder();
    /** Groups that were synced: records with one force for all. */
    public final LongAdder syncs = new LongAdder();
    /** Time that forcing took. */
    public final LongAdder syncNanos = new LongAdder();
    /** Segments begun. */
    public final LongAdder segments = new LongAdder();
    /** Writes and forces that failed. What they were about is not acknowledged, and written again. */
    public final LongAdder failures = new LongAdder();
    /** Times that a full journal held up who appends. */
    public final LongAdder fullStops = new LongAdder();

    JournalCounters() {}
}
