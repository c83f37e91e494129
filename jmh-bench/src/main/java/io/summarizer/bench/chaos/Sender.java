package io.summarizer.bench.chaos;

import io.summarizer.core.queue.Threads;
import java.io.IOException;
import java.util.function.LongFunction;

/**
 * A sender of numbered events 0, 1, 2 and so on to the service. The sender repeats each event until the event is
 * acknowledged. One thread sends; any thread may call the methods.
 */
abstract class Sender implements AutoCloseable {
    /** The message of each event, by its number. */
    final LongFunction<byte[]> messages;

    private final long ratePerSecond;
    private final long startedNanos = System.nanoTime();
    /** Only events below this number may be sent. */
    volatile long limit;
    /** All events that may have reached the service are below this number. */
    volatile long sent;

    volatile boolean closed;

    /**
     * A sender that sends nothing yet.
     *
     * @param ratePerSecond maximum number of events per second, on average
     * @param messages the message of each event, by its number
     */
    Sender(long ratePerSecond, LongFunction<byte[]> messages) {
        this.ratePerSecond = ratePerSecond;
        this.messages = messages;
    }

    /** Starts the thread that sends. Called last in the constructor of a sender. */
    final Thread start(String name) {
        return Threads.start(name, this::run);
    }

    /** Sends events until the sender is closed. */
    abstract void run();

    /** Number of events that the rate allows until now. */
    final long due() {
        return (long) ((System.nanoTime() - startedNanos) / 1e9 * ratePerSecond);
    }

    /** Allows events below this number to be sent. When this method returns, no other event is begun any more. */
    final synchronized void allow(long limit) {
        this.limit = limit;
    }

    /** Counts an event as sent, before it is written. Returns false if it must not be sent now. */
    final synchronized boolean begin(long number) {
        if (number >= limit) {
            return false;
        }
        sent = number + 1;
        return true;
    }

    /** All events that may have reached the service are below this number. */
    long sent() {
        return sent;
    }

    /** All events below this number were acknowledged; 0 when this sender cannot tell. */
    abstract long acknowledged();

    /**
     * Number of times that an event may have been written to the service; {@link Integer#MAX_VALUE} when this sender
     * cannot tell.
     */
    abstract int transmissions(long number);

    /** Number of repeated writes of events; 0 when this sender cannot tell. */
    long resent() {
        return 0;
    }

    @Override
    public abstract void close() throws IOException;
}
