package io.summarizer.server.net;

import io.summarizer.server.net.ClosingOrder.Place;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The connections of a listener, with a bound on all connections and a bound on the connections of each address. A new
 * connection beyond a bound replaces another connection. If the bound of an address is reached, a connection of this
 * address is replaced. Connections that never completed a message (over HTTP: a request) are replaced first, then the
 * connection whose last complete message is the oldest. A connection that has just completed a message, or is busy,
 * keeps its place. So a client that opens many connections takes no place from a sender that completes messages. If all
 * connections keep their places, the new connection is refused. With {@code displacesBusy}, the connection that has
 * been busy for the longest time may be replaced instead.
 *
 * <p>Thread-safe. The event loop of a connection writes the standing of the connection's seat. The cost is the cost of
 * {@link ClosingOrder}; a message takes no lock.
 */
public final class Roster<C> {
    private final int max;
    private final int maxOfAddress;
    private final long spareNanos;
    private final boolean displacesBusy;
    private final LongSupplier nanoTime;

    private final ClosingOrder<Seat<C>> all = new ClosingOrder<>();
    /** The orders by address; contains only addresses with connections. */
    private final Map<InetAddress, ClosingOrder<Seat<C>>> byAddress = new HashMap<>();

    /** A bound that a new connection reached. */
    public enum Bound {
        TOTAL,
        ADDRESS
    }

    /**
     * The decision on a new connection.
     *
     * @param seat the new connection's seat; null when the connection is refused
     * @param displaced the connection to close for the new connection; it has already lost its seat. Null when there is
     *     none
     * @param bound the reached bound; null when no bound was reached
     */
    public record Admission<C>(
            @Nullable Seat<C> seat,
            @Nullable C displaced,
            @Nullable Bound bound) {}

    /** A connection's place. */
    public static final class Seat<C> implements ClosingOrder.Member {
        private final C connection;
        private final @Nullable InetAddress address;
        private final AtomicLong since;
        private volatile boolean proven;
        private volatile boolean busy;
        private @Nullable Place<Seat<C>> inAll;
        private @Nullable Place<Seat<C>> inAddress;

        private Seat(C connection, @Nullable InetAddress address, long now) {
            this.connection = connection;
            this.address = address;
            since = new AtomicLong(now);
        }

        /** Reports a complete message, or a request that was served. Called on the connection's event loop. */
        public void completed(long now) {
            since.setOpaque(now);
            if (!proven) {
                proven = true;
            }
        }

        /**
         * Sets whether the connection waits for this service. While it waits, it counts as if it had just completed a
         * message. Called on the connection's event loop.
         */
        public void busy(boolean busy, long now) {
            if (this.busy != busy) {
                since.setOpaque(now);
                this.busy = busy;
            }
        }

        @Override
        public boolean proven() {
            return proven;
        }

        @Override
        public long since(long now) {
            return busy ? now : since.getOpaque();
        }
    }

    /**
     * Makes an empty roster.
     *
     * @param spare time for which a connection keeps its place after a complete message
     * @param displacesBusy whether a busy connection may be displaced. The roster does this only when every connection
     *     that is not busy keeps its place. Then the roster searches for the connection that has been busy for the
     *     longest time, and displaces it if it has been busy for at least {@code spare}
     */
    public Roster(int max, int maxOfAddress, Duration spare, boolean displacesBusy, LongSupplier nanoTime) {
        this.max = max;
        this.maxOfAddress = maxOfAddress;
        this.spareNanos = spare.toNanos();
        this.displacesBusy = displacesBusy;
        this.nanoTime = nanoTime;
    }

    /**
     * Gives a connection a seat if a seat is available.
     *
     * @param address address of the peer; null when it is unknown, and then only the bound on all connections applies
     */
    public synchronized Admission<C> admit(C connection, @Nullable InetAddress address) {
        long now = nanoTime.getAsLong();
        ClosingOrder<Seat<C>> ofAddress = address == null ? null : byAddress.get(address);
        Bound bound = null;
        Seat<C> displaced = null;
        if (ofAddress != null && ofAddress.size() >= maxOfAddress) {
            bound = Bound.ADDRESS;
            displaced = displaced(ofAddress, now);
        } else if (all.size() >= max) {
            bound = Bound.TOTAL;
            displaced = displaced(all, now);
        }
        if (bound != null && displaced == null) {
            return new Admission<>(null, null, bound);
        }
        if (displaced != null) {
            leave(displaced);
        }
        Seat<C> seat = new Seat<>(connection, address, now);
        seat.inAll = all.add(seat, now);
        if (address != null) {
            seat.inAddress = byAddress
                    .computeIfAbsent(address, first -> new ClosingOrder<>())
                    .add(seat, now);
        }
        return new Admission<>(seat, displaced == null ? null : displaced.connection, bound);
    }

    private @Nullable Seat<C> displaced(ClosingOrder<Seat<C>> order, long now) {
        Seat<C> first = order.first(now, now - spareNanos);
        return first != null || !displacesBusy
                ? first
                : order.members()
                        .filter(seat -> seat.busy && now - seat.since.getOpaque() >= spareNanos)
                        .max(Comparator.comparingLong(seat -> now - seat.since.getOpaque()))
                        .orElse(null);
    }

    /** Gives a seat back. Later calls for the same seat do nothing. */
    public synchronized void leave(Seat<C> seat) {
        Place<Seat<C>> inAll = seat.inAll;
        if (inAll == null) {
            return;
        }
        all.remove(inAll);
        seat.inAll = null;
        Place<Seat<C>> inAddress = seat.inAddress;
        InetAddress address = seat.address;
        if (inAddress != null && address != null) {
            ClosingOrder<Seat<C>> ofAddress = byAddress.get(address);
            if (ofAddress != null) {
                ofAddress.remove(inAddress);
                if (ofAddress.size() == 0) {
                    byAddress.remove(address);
                }
            }
        }
    }

    /** Number of connections with a seat. */
    public synchronized int size() {
        return all.size();
    }

    /** Number of addresses with connections. */
    synchronized int addresses() {
        return byAddress.size();
    }
}
