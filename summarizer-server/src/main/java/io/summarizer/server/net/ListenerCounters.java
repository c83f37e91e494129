package io.summarizer.server.net;

import java.util.concurrent.atomic.LongAdder;

/** What a listener counted since it started. Written by event loops, read by any thread; each value is monotonic. */
public final class ListenerCounters {
    final LongAdder accepted = new LongAdder();
    final LongAdder refused = new LongAdder();
    final LongAdder displacedTotal = new LongAdder();
    final LongAdder displacedAddress = new LongAdder();
    final LongAdder displacedMemory = new LongAdder();
    final LongAdder closed = new LongAdder();
    final LongAdder resets = new LongAdder();
    final LongAdder framingCloses = new LongAdder();
    final LongAdder idleCloses = new LongAdder();
    final LongAdder slowCloses = new LongAdder();
    final LongAdder failures = new LongAdder();
    final LongAdder bytesRead = new LongAdder();
    final LongAdder bytesDiscarded = new LongAdder();
    final LongAdder batches = new LongAdder();
    final LongAdder messages = new LongAdder();
    final LongAdder pauses = new LongAdder();
    final LongAdder messagesLost = new LongAdder();
    final LongAdder messagesAnswered = new LongAdder();
    final LongAdder messagesForgotten = new LongAdder();
    final LongAdder messagesDropped = new LongAdder();

    ListenerCounters() {}

    /** Connections taken. */
    public long accepted() {
        return accepted.sum();
    }

    /** Connections closed at once because there were too many, of all or of one address, and all of them did well. */
    public long refused() {
        return refused.sum();
    }

    /** Connections closed for a new one because there were as many as there may be. */
    public long displacedTotal() {
        return displacedTotal.sum();
    }

    /** Connections closed for a new one because its address had as many as it may have. */
    public long displacedAddress() {
        return displacedAddress.sum();
    }

    /** Connections closed because all unfinished messages together took more memory than they may. */
    public long displacedMemory() {
        return displacedMemory.sum();
    }

    /** Connections of those taken that are open, or closed with batches that still wait for room. */
    public long open() {
        // Closed first: a connection that comes and goes in between must not make this negative.
        long done = closed.sum();
        return Math.max(0, accepted.sum() - done);
    }

    /** Connections that ended in an I/O error, a reset mostly. */
    public long resets() {
        return resets.sum();
    }

    /** Connections we closed because their framing was lost for good, or they broke a rule of their protocol. */
    public long framingCloses() {
        return framingCloses.sum();
    }

    /** Connections we closed because nothing came for too long. */
    public long idleCloses() {
        return idleCloses.sum();
    }

    /** Connections we closed because one message took too long. */
    public long slowCloses() {
        return slowCloses.sum();
    }

    /** Connections we closed because of an error of our own. */
    public long failures() {
        return failures.sum();
    }

    /** Bytes read from sockets. */
    public long bytesRead() {
        return bytesRead.sum();
    }

    /** Bytes that came behind lost framing or the end of a session, or were in the way when there was no room, and were thrown away. */
    public long bytesDiscarded() {
        return bytesDiscarded.sum();
    }

    /** Batches handed over. */
    public long batches() {
        return batches.sum();
    }

    /** Messages handed over, those with a reject reason included. */
    public long messages() {
        return messages.sum();
    }

    /** How often a connection stopped reading because the pipeline was full. */
    public long pauses() {
        return pauses.sum();
    }

    /** Messages whose sender was told that they are taken, where a protocol has it so. */
    public long messagesAnswered() {
        return messagesAnswered.sum();
    }

    /**
     * Messages that were not handed over when their session broke, where a protocol has answers: their sender has none and sends
     * them again.
     */
    public long messagesForgotten() {
        return messagesForgotten.sum();
    }

    /** Messages dropped for want of room, where the protocol cannot have its senders wait. */
    public long messagesDropped() {
        return messagesDropped.sum();
    }

    /** Messages that a stop could not hand over before its deadline. */
    public long messagesLost() {
        return messagesLost.sum();
    }
}
