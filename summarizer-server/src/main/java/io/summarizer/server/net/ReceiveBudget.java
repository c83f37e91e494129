package io.summarizer.server.net;

import io.summarizer.server.net.ClosingOrder.Place;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The memory that all connections of all listeners may hold together between two reads. It has two parts:
 *
 * <ul>
 * <li><em>unfinished</em>: bytes of incomplete messages and of incomplete TLS records. When unfinished and waiting
 * bytes together exceed the bound, the budget closes connections: first those that never completed a message, then
 * those with the oldest incomplete messages.
 * <li><em>waiting</em>: batches for which the pipeline has no room, and bytes that were read after such a batch. The
 * pipeline will take these messages, so the budget closes no connection because of waiting bytes. When waiting bytes
 * exceed half of the bound, the listeners become <em>stalled</em>: they frame no bytes of further connections until the
 * waiting bytes fall to a quarter of the bound. </ul>
 *
 * <p>The budget is <em>tight</em> while it is above the bound or stalled. While the budget is tight, a read brings at
 * most {@value #TIGHT_READ_BYTES} bytes. So the memory exceeds the bound by at most the sum of three parts: {@value
 * #TIGHT_READ_BYTES} bytes for each connection; one read of each event loop; and, for a short time, the bytes of
 * connections that other event loops are about to close.
 *
 * <p>Thread-safe. Cost: an atomic addition for each read that changes the number of bytes that the connection holds.
 */
public final class ReceiveBudget {
    /** Largest number of bytes of a read while the budget is tight. */
    static final int TIGHT_READ_BYTES = 1024;

    private static final long STALLED = 1;

    private final long max;
    private final LongSupplier nanoTime;
    private final AtomicLong held = new AtomicLong();
    /** The waiting bytes, times two; plus {@link #STALLED} while the listeners are stalled. */
    private final AtomicLong waiting = new AtomicLong();

    private final ConcurrentLinkedQueue<Runnable> deferred = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean relieving = new AtomicBoolean();

    /** Connections with an unfinished message. Some of these messages may be finished meanwhile. Guarded by this. */
    private final ClosingOrder<Share> order = new ClosingOrder<>();
    /** Bytes that closed connections have not released yet. Guarded by this. */
    private long condemned;

    /** Makes a budget of {@code max} bytes. */
    public ReceiveBudget(long max) {
        this(max, System::nanoTime);
    }

    ReceiveBudget(long max, LongSupplier nanoTime) {
        if (max < 1) {
            throw new IllegalArgumentException("max=" + max + ", at least 1 is needed");
        }
        this.max = max;
        this.nanoTime = nanoTime;
    }

    /** Bytes held now. */
    public long heldBytes() {
        return held.get();
    }

    /** The bound in bytes. */
    public long maxBytes() {
        return max;
    }

    /** The clock for the ages of messages, in nanoseconds. */
    long now() {
        return nanoTime.getAsLong();
    }

    /** Whether reads have to be small. */
    boolean isTight() {
        return held.get() > max || isStalled();
    }

    /** Whether no further connection should fill batches. */
    boolean isStalled() {
        return (waiting.get() & STALLED) != 0;
    }

    /**
     * Runs {@code resume} once, on any thread: at once if the budget is not stalled, otherwise as soon as the stall
     * ends.
     */
    void defer(Runnable resume) {
        deferred.add(resume);
        // Either this check sees an earlier release, or the releasing thread sees the addition above.
        if (!isStalled()) {
            resumeDeferred();
        }
    }

    /** Forgets {@code resume}, if {@link #defer} got it and did not run it. */
    void forget(Runnable resume) {
        deferred.remove(resume);
    }

    /**
     * Adds bytes that wait for room; a negative number subtracts bytes. The number of bytes and the stall change in one
     * step. So if several event loops change them at the same time, exactly one of them ends a stall.
     */
    private void delay(long bytes) {
        long before;
        long after;
        do {
            before = waiting.get();
            long sum = (before >> 1) + bytes;
            boolean stalled = sum > max / 2 || (sum > max / 4 && (before & STALLED) != 0);
            after = sum << 1 | (stalled ? STALLED : 0);
        } while (!waiting.compareAndSet(before, after));
        if ((before & ~after & STALLED) != 0) {
            resumeDeferred();
        }
    }

    private void resumeDeferred() {
        Runnable resume;
        while ((resume = deferred.poll()) != null) {
            resume.run();
        }
    }

    /**
     * Makes the share of a connection.
     *
     * @param close action that closes the connection, called on any thread; the connection then releases its share as
     *     soon as it can
     */
    Share share(Runnable close) {
        return new Share(close);
    }

    /** The memory that one connection holds. Confined to its event loop. */
    final class Share implements ClosingOrder.Member {
        private final Runnable close;
        private final AtomicLong since = new AtomicLong();
        private volatile boolean proven;
        private volatile long unfinishedBytes; // other threads read it
        private long waitingBytes;
        private volatile boolean closable; // holds an unfinished message that the peer could complete
        private volatile boolean listed; // present in the order
        private @Nullable Place<Share> place; // guarded by the budget
        private boolean closing; // guarded by the budget
        private long condemnedBytes; // guarded by the budget

        private Share(Runnable close) {
            this.close = close;
        }

        /**
         * Sets the numbers of bytes that the connection now holds. The call may close connections, including this
         * connection.
         *
         * @param completed whether a message was completed since the last call
         * @param peersTurn whether the connection waits for its peer
         */
        void hold(long now, long unfinishedBytes, long waitingBytes, boolean completed, boolean peersTurn) {
            long before = this.unfinishedBytes;
            if (completed && !proven) {
                proven = true;
            }
            if (completed || before == 0) {
                since.setOpaque(now); // the beginning of the unfinished message, if there is such a message
            }
            long delayed = waitingBytes - this.waitingBytes;
            long delta = unfinishedBytes - before + delayed;
            if (unfinishedBytes != before) {
                this.unfinishedBytes = unfinishedBytes;
            }
            this.waitingBytes = waitingBytes;
            boolean closable = unfinishedBytes > 0 && peersTurn;
            if (closable != this.closable) {
                this.closable = closable;
            }
            if (closable && !listed) {
                list(this);
            }
            if (delayed != 0) {
                delay(delayed);
            }
            if (delta != 0 && held.addAndGet(delta) > max && delta > 0) {
                relieve();
            }
        }

        /** Releases everything. This is the last call on a share. */
        void release() {
            hold(now(), 0, 0, false, false);
            synchronized (ReceiveBudget.this) {
                condemned -= condemnedBytes;
                condemnedBytes = 0;
                unlist(this);
            }
        }

        @Override
        public boolean proven() {
            return proven;
        }

        @Override
        public long since(long now) {
            return since.getOpaque();
        }
    }

    private synchronized void list(Share share) {
        if (share.place == null && !share.closing) {
            share.place = order.add(share, now());
            share.listed = true;
        }
    }

    /** Guarded by this. */
    private void unlist(Share share) {
        Place<Share> place = share.place;
        if (place != null) {
            order.remove(place);
            share.place = null;
        }
        share.listed = false;
    }

    /**
     * Closes connections until the memory of the remaining connections is within the bound, or until no closable
     * connection is left.
     */
    private void relieve() {
        if (!relieving.compareAndSet(false, true)) {
            return; // another thread, or a caller of this method, closes connections now; a later read checks again
        }
        try {
            Share next;
            while ((next = condemn()) != null) {
                next.close.run();
            }
        } finally {
            relieving.set(false);
        }
    }

    private synchronized @Nullable Share condemn() {
        long now = now();
        while (held.get() - condemned > max) {
            Share first = order.first(now, now);
            if (first == null) {
                return null;
            }
            unlist(first);
            // A connection that is not closable has completed its message. When the connection has its next unfinished
            // message, it notices that it is no longer in the order.
            if (first.closable) {
                first.closing = true;
                first.condemnedBytes = first.unfinishedBytes;
                condemned += first.condemnedBytes;
                return first;
            }
        }
        return null;
    }
}
