package io.summarizer.server.net;

import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.handler.timeout.IdleStateHandler;
import io.summarizer.core.pipeline.BatchSink;
import io.summarizer.server.tls.ServerTls;
import io.summarizer.server.tls.TlsCounters;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A port for messages over TCP: accepts connections, frames their bytes and hands messages to a {@link BatchSink}.
 *
 * <p>The listener loses no messages when there is no room: when a batch is refused, its connection stops reading, and
 * TCP makes the sender wait. A {@link Roster} bounds the number of connections; a {@link ReceiveBudget}, which
 * listeners share, bounds their bytes. TLS takes further memory for each connection. {@link #start} and {@link #close}
 * block and belong to the service's threads; any thread may read counters.
 */
public abstract sealed class StreamListener implements AutoCloseable permits SyslogTcpListener, RelpListener {
    private static final System.Logger LOGGER = System.getLogger(StreamListener.class.getName());
    /** A connection is not closed for a new connection if its last complete message is younger than this. */
    private static final Duration SPARE = Duration.ofSeconds(10);

    private static final Duration STOP_DEADLINE = Duration.ofSeconds(10);

    private final Settings settings;
    private final NettyWorkers workers;
    private final BatchSink sink;
    private final ListenerCounters counters = new ListenerCounters();
    private final TlsCounters tlsCounters = new TlsCounters();
    private final ThrottledLog log = new ThrottledLog(LOGGER);
    private final Set<StreamConnection> connections = ConcurrentHashMap.newKeySet();
    private final Roster<StreamConnection> roster;
    private final Object change = new Object();
    private volatile boolean stopping;
    private @Nullable Channel server;

    /**
     * The settings of a listener.
     *
     * @param name name in logs and metrics
     * @param number number of the listener, which each message of the listener carries
     * @param bind address of the listener; port 0 takes any free port
     * @param connections bounds on connections; beyond a bound, a new connection replaces another connection, or is
     *     refused
     * @param tls TLS of all connections; null means plaintext
     * @param budget budget that bounds the memory of the connections of all listeners that share it
     */
    public record Settings(
            String name,
            int number,
            InetSocketAddress bind,
            ConnectionLimits connections,
            Batching batching,
            @Nullable ServerTls tls,
            ReceiveBudget budget) {}

    /** Makes a listener that is not started. */
    StreamListener(Settings settings, NettyWorkers workers, BatchSink sink) {
        this.settings = settings;
        this.workers = workers;
        this.sink = sink;
        roster = new Roster<>(
                settings.connections().max(),
                settings.connections().maxOfAddress(),
                SPARE,
                false, // a busy connection stays, because its messages are handed over
                settings.budget()::now);
    }

    /**
     * Binds and begins to accept.
     *
     * @throws IOException when the address cannot be bound; the message names the address
     */
    public final void start() throws IOException {
        server = workers.listen(name(), settings.bind(), ChannelOption.SO_KEEPALIVE, true, this::accept);
    }

    /** Bound on the duration of one message; zero means no bound. */
    final long messageTimeoutNanos() {
        return settings.connections().messageTimeout().toNanos();
    }

    /** Time for which a connection does not read after a small read. */
    final long lingerNanos() {
        return settings.batching().linger().toNanos();
    }

    /** The name given in the settings. */
    public final String name() {
        return settings.name();
    }

    /** The address in use, with its port. Valid only after {@link #start}. */
    public final InetSocketAddress address() {
        return Addresses.of(server, name());
    }

    /** The counters since the start. */
    public final ListenerCounters counters() {
        return counters;
    }

    /** The TLS of the listener's connections; null means plaintext. */
    public final @Nullable ServerTls tls() {
        return settings.tls();
    }

    /**
     * The counters of the listener's TLS since the start. If the listener has no TLS, they count the clients that tried
     * to speak TLS.
     */
    public final TlsCounters tlsCounters() {
        return tlsCounters;
    }

    /** Closes as {@link #close(Duration)} does, with a deadline of 10 s. */
    @Override
    public final void close() {
        close(STOP_DEADLINE);
    }

    /**
     * Stops the listener. It accepts no more connections, reads the bytes that have arrived, hands over batches that
     * wait for room, then closes. Blocks until done. Messages that could not be handed over before the deadline are
     * lost and counted in {@link ListenerCounters#messagesLost}.
     */
    public final void close(Duration deadline) {
        long end = System.nanoTime() + deadline.toNanos();
        Channel server = this.server;
        stopping = true;
        if (server == null) {
            return;
        }
        server.close().awaitUninterruptibly();
        forEachConnection(StreamConnection::stop);
        if (!awaitNoConnections(end)) {
            forEachConnection(StreamConnection::abandon);
            awaitNoConnections(System.nanoTime() + STOP_DEADLINE.toNanos());
            if (counters.messagesLost.sum() > 0) {
                log.warn(
                        "stopped before everything was handed over",
                        () -> settings.name() + " lost " + counters.messagesLost.sum() + " messages");
            }
        }
    }

    /** Runs an action for each connection on the connection's event loop. Does not wait for the action. */
    final void forEachConnection(Consumer<StreamConnection> action) {
        connections.forEach(connection -> connection.schedule(() -> action.accept(connection)));
    }

    private boolean awaitNoConnections(long end) {
        boolean interrupted = false;
        synchronized (change) {
            while (!connections.isEmpty()) {
                long nanos = end - System.nanoTime();
                if (nanos <= 0) {
                    break;
                }
                try {
                    TimeUnit.NANOSECONDS.timedWait(change, nanos);
                } catch (InterruptedException e) {
                    interrupted = true; // stop waiting, as requested, but close everything
                    break;
                }
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return connections.isEmpty();
    }

    /** Makes the handler of a channel's bytes. Called on the channel's event loop. */
    abstract StreamConnection newConnection(Channel channel);

    private void accept(Channel channel) {
        StreamConnection connection = newConnection(channel);
        Roster.Admission<StreamConnection> admission = roster.admit(connection, connection.address());
        Roster.Seat<StreamConnection> seat = admission.seat();
        if (seat == null) {
            counters.refused.increment();
            log.warn(
                    "refused a connection",
                    () -> name() + " has as many as it may, in all or of this address, and all of them send; peer "
                            + channel.remoteAddress());
            var unused = channel.close();
            return;
        }
        connection.seated(seat);
        StreamConnection displaced = admission.displaced();
        if (displaced != null) {
            boolean address = admission.bound() == Roster.Bound.ADDRESS;
            displaced.displace(
                    address ? counters.displacedAddress : counters.displacedTotal,
                    address ? "closed a connection for a new one of its address" : "closed a connection for a new one");
        }
        counters.accepted.increment();
        connections.add(connection);
        channel.config().setRecvByteBufAllocator(new BatchReads(connection::room));
        connection.encryptedBy(TlsGuard.protect(channel, settings.tls(), name(), tlsCounters, log));
        Duration idleTimeout = settings.connections().idleTimeout();
        if (!idleTimeout.isZero()) {
            channel.pipeline().addLast(new IdleStateHandler(idleTimeout.toMillis(), 0, 0, TimeUnit.MILLISECONDS));
        }
        channel.pipeline().addLast(connection);
        if (stopping) {
            // The connection arrived during the stop. The stop may have listed the connections before this connection
            // was there.
            connection.stop();
        }
    }

    final void finished(StreamConnection connection) {
        counters.closed.increment();
        roster.leave(connection.seat());
        synchronized (change) {
            connections.remove(connection);
            change.notifyAll();
        }
    }

    final int number() {
        return settings.number();
    }

    final ReceiveBudget budget() {
        return settings.budget();
    }

    final BatchSink sink() {
        return sink;
    }

    final ThrottledLog log() {
        return log;
    }

    /** Bytes of memory that connections hold for unfinished messages and waiting batches. Blocks. */
    final long heldBytes() {
        long held = 0;
        for (StreamConnection connection : connections) {
            held += connection
                    .eventLoop()
                    .submit(connection::heldBytes)
                    .syncUninterruptibly()
                    .getNow();
        }
        return held;
    }
}
