package io.summarizer.server.net;

import java.util.concurrent.atomic.LongAdder;

/** Counters of a listener since its start. Written by event loops, read by any thread; each value is monotonic. */
public final class ListenerCounters {
    /** Connections accepted. */
    public final LongAdder accepted = new LongAdder();
    /**
     * Number of new connections closed immediately because a bound (in total or per address) was reached and no other
     * connection could be closed for them.
     */
    public final LongAdder refused = new LongAdder();
    /** Number of connections closed for a new connection because of the bound on all connections. */
    public final LongAdder displacedTotal = new LongAdder();
    /** Number of connections closed for a new connection because of the bound on the connections of one address. */
    public final LongAdder displacedAddress = new LongAdder();
    /**
     * Number of connections closed because the unfinished messages of all connections together exceeded the bound on
     * their memory.
     */
    public final LongAdder displacedMemory = new LongAdder();

    final LongAdder closed = new LongAdder();
    /** Connections that ended with an I/O error, usually a reset. */
    public final LongAdder resets = new LongAdder();
    /**
     * Number of connections that the listener closed because their framing was lost, or because they broke a rule of
     * their protocol.
     */
    public final LongAdder framingCloses = new LongAdder();
    /** Connections that the listener closed because they were idle for too long. */
    public final LongAdder idleCloses = new LongAdder();
    /** Connections that the listener closed because one message took too long. */
    public final LongAdder slowCloses = new LongAdder();
    /** Connections that the listener closed because of an internal error. */
    public final LongAdder failures = new LongAdder();
    /** Bytes read from sockets. */
    public final LongAdder bytesRead = new LongAdder();
    /**
     * Number of bytes discarded because they came after a loss of framing or after the end of a session, or because
     * there was no room.
     */
    public final LongAdder bytesDiscarded = new LongAdder();
    /** Batches handed over. */
    public final LongAdder batches = new LongAdder();
    /** Messages handed over, including messages with a reject reason. */
    public final LongAdder messages = new LongAdder();
    /** Number of times that a connection stopped reading because the pipeline was full. */
    public final LongAdder pauses = new LongAdder();
    /** Messages that a stop could not hand over before its deadline. */
    public final LongAdder messagesLost = new LongAdder();
    /** Messages acknowledged, for protocols with acknowledgements. */
    public final LongAdder messagesAnswered = new LongAdder();
    /**
     * For protocols with acknowledgements: number of messages that were not handed over when their session broke. They
     * were not acknowledged, so their sender sends them again.
     */
    public final LongAdder messagesForgotten = new LongAdder();
    /** For protocols that cannot make senders wait: number of messages dropped because there was no room. */
    public final LongAdder messagesDropped = new LongAdder();

    /** Counters at zero. */
    public ListenerCounters() {}

    /** Number of open connections, and of closed connections whose batches still wait for room. */
    public long open() {
        // closed is read first: otherwise a connection that opens and closes between the two reads would make the
        // result negative.
        long done = closed.sum();
        return Math.max(0, accepted.sum() - done);
    }
}
