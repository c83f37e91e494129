package io.summarizer.server.config;

import io.summarizer.core.queue.QueueKind;
import io.summarizer.core.queue.WaitPolicy;
import io.summarizer.core.receive.Framing;
import io.summarizer.core.receive.TopicRule;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;

/**
 * What the service was told to be. Immutable; made by {@link ConfigLoader} only, so that every value is one that its key
 * allows.
 *
 * @param definitions folder of the {@code .summ} files
 * @param data folder of the state, locked by one process
 * @param rejectsBytesMax bound on all kept messages together, in bytes
 * @param rowsMax bound on the rows of each summary and of each nested summary
 * @param cutBytesMax bound on what cuts hold beyond the present state, in bytes
 */
public record ServerConfig(
        SyslogTcp syslogTcp,
        Http http,
        Path definitions,
        Path data,
        Pipeline pipeline,
        Unmatched unmatched,
        long rejectsBytesMax,
        long rowsMax,
        long cutBytesMax) {

    /**
     * The listener for syslog over TCP.
     *
     * @param bind unresolved when its name is not known; port 0 takes a free one
     * @param messageBytesMax larger messages are rejected
     * @param timezone of timestamps without a zone
     * @param connectionsMax further ones are refused
     * @param idleTimeout a connection silent for so long is closed; zero: never
     */
    public record SyslogTcp(
            InetSocketAddress bind,
            Framing framing,
            int messageBytesMax,
            TopicRule topic,
            ZoneId timezone,
            int connectionsMax,
            Duration idleTimeout) {}

    /**
     * The HTTP server.
     *
     * @param bind port 0 takes a free one
     * @param cutRetention how long {@code ?cut=ID} can reread a cut
     */
    public record Http(InetSocketAddress bind, Duration cutRetention) {}

    /** How messages become rows. */
    public record Pipeline(Mode mode, int nettyWorkers, Stage parse, Stage summarize) {}

    /**
     * A stage: a pool of workers and the bounded queue, or queues, they take from.
     *
     * @param capacity of a queue, in batches
     * @param waitPolicy how workers wait at an empty queue; of no effect when the queue has a way of its own
     */
    public record Stage(QueueKind queue, int capacity, int workers, WaitPolicy waitPolicy) {}

    /** How messages travel between threads. */
    public enum Mode {
        QUEUED
    }

    /** What becomes of a message whose topic no event type takes; it is counted in any case. */
    public enum Unmatched {
        COUNT,
        KEEP
    }
}
