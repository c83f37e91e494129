package io.summarizer.server.net;

import java.util.concurrent.atomic.LongAdder;

/** Counters of a listener since its start. Written by event loops, read by any thread; each value is monotonic. */
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

    /** Connections accepted. */
    public long accepted() {
        return accepted.sum();
    }

    /** Connections closed at once because of a bound, in all or per address, while all others did well. */
    public long refused() {
        return refused.sum();
    }

    /** Connections closed for a new one because of the bound on all connections. */
    public long displacedTotal() {
        return displacedTotal.sum();
    }

    /** Connections closed for a new one because of the bound on its address. */
    public long displacedAddress() {
        return displacedAddress.sum();
    }

    /** Connections closed because all unfinished messages together exceeded their bound on memory. */
    public long displacedMemory() {
        return displacedMemory.sum();
    }

    /** Accepted connections that are open, or closed with batches that still wait for room. */
    public long open() {
        // Read {@code closed} first: a connection that comes and goes in between must not make this negative.
        long done = closed.sum();
        return Math.max(0, accepted.sum() - done);
    }

    /** Connections that ended with an I/O error, usually a reset. */
    public long resets() {
        return resets.sum();
    }

    /**
     * Connections that the listener closed because their framing was lost for good, or they broke a rule of their
     * protocol.
     */
    public long framingCloses() {
        return framingCloses.sum();
    }

    /** Connections that the listener closed because they were idle for too long. */
    public long idleCloses() {
        return idleCloses.sum();
    }

    /** Connections that the listener closed because one message took too long. */
    public long slowCloses() {
        return slowCloses.sum();
    }

    /** Connections that the listener closed because of an internal error. */
    public long failures() {
        return failures.sum();
    }

    /** Bytes read from sockets. */
    public long bytesRead() {
        return bytesRead.sum();
    }

    /** Bytes discarded because they came after lost framing or the end of a session, or because there was no room. */
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

    /** Number of times that a connection stopped reading because the pipeline was full. */
    public long pauses() {
        return pauses.sum();
    }

    /** Messages acknowledged, for protocols with acknowledgements. */
    public long messagesAnswered() {
        return messagesAnswered.sum();
    }

    /**
     * Messages that were not handed over when their session broke, for protocols with acknowledgements: their sender
     * has none and sends them again.
     */
    public long messagesForgotten() {
        return messagesForgotten.sum();
    }

    /** Messages dropped for lack of room, for protocols that cannot make senders wait. */
    public long messagesDropped() {
        return messagesDropped.sum();
    }

    /** Messages that a stop could not hand over before its deadline. */
    public long messagesLost() {
        return messagesLost.sum();
    }
}
