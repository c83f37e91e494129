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
 *   <li><em>unfinished</em>: bytes of incomplete messages, including those of TLS records. When both parts together exceed the bound, the
 *       budget closes the connection whose incomplete message is the oldest; connections that never completed a message go first.
 *   <li><em>waiting</em>: batches that the pipeline has no room for, and bytes that were read after them. The budget closes no connection
 *       for these, because their messages are taken. While they exceed half of the bound, the listeners are <em>stalled</em>: bytes of
 *       further connections are not framed until the waiting ones are below a quarter.
 * </ul>
 *
 * <p>While the budget is <em>tight</em>, above the bound or stalled, a read brings {@value #TIGHT_READ_BYTES} bytes at most. So the bytes
 * beyond the bound are at most that many for each connection, those of one read of each event loop, and for a moment those of
 * connections that other event loops are about to close.
 *
 * <p>Thread-safe. Cost: an atomic addition for a read that changes what its connection holds.
 */
public final class ReceiveBudget {
    /** What a read may bring while there is no room. */
    static final int TIGHT_READ_BYTES = 1024;

    private final long max;
    private final LongSupplier nanoTime;
    private final AtomicLong held = new AtomicLong();
    private final AtomicLong waiting = new AtomicLong();
    private volatile boolean stalled; // from half of the bound on that waits until it is a quarter
    private final ConcurrentLinkedQueue<Runnable> deferred = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean relieving = new AtomicBoolean();

    /** Connections with an unfinished message, and some that completed it since. Guarded by this. */
    private final ClosingOrder<Share> order = new ClosingOrder<>();
    /** What closed connections have not given back yet. Guarded by this. */
    private long condemned;

    /** A budget of so many bytes. */
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

    /** One that nothing exceeds. */
    public static ReceiveBudget unbounded() {
        return new ReceiveBudget(Long.MAX_VALUE);
    }

    /** Bytes held now. */
    public long heldBytes() {
        return held.get();
    }

    /** Bytes that may be held. */
    public long maxBytes() {
        return max;
    }

    /** The clock by which waits are compared, in nanoseconds. */
    long now() {
        return nanoTime.getAsLong();
    }

    /** Whether reads have to be small. */
    boolean isTight() {
        return held.get() > max || isStalled();
    }

    /** Whether no further connection should make batches. */
    boolean isStalled() {
        return stalled;
    }

    /** Has {@code resume} run once, on any thread, as soon as it is no longer stalled; perhaps at once. */
    void defer(Runnable resume) {
        deferred.add(resume);
        // What was given back before is seen here, or whoever gives back sees what was just added.
        if (!isStalled()) {
            resumeDeferred();
        }
    }

    /** So much more waits for room. Where another loop brings it below a quarter meanwhile, one of both sees it. */
    private void delay(long bytes) {
        long now = waiting.addAndGet(bytes);
        if (now > max / 2) {
            stalled = true;
            now = waiting.get();
        }
        if (now <= max / 4) {
            stalled = false;
            if (waiting.get() > max / 2) {
                stalled = true; // another loop added meanwhile, and may have said so before it was unsaid here
            } else {
                resumeDeferred();
            }
        }
    }

    private void resumeDeferred() {
        Runnable resume;
        while ((resume = deferred.poll()) != null) {
            resume.run();
        }
    }

    /**
     * A connection's part of it.
     *
     * @param close closes the connection, which then releases its share, at once where it can; called on any thread
     */
    Share share(Runnable close) {
        return new Share(close);
    }

    /** What one connection holds. Belongs to its event loop. */
    final class Share implements ClosingOrder.Member {
        private final Runnable close;
        private final AtomicLong since = new AtomicLong();
        private volatile boolean proven;
        private volatile long unfinishedBytes; // the others read it
        private long waitingBytes;
        private volatile boolean closable; // holds an unfinished message that the peer could complete
        private volatile boolean listed; // in the order
        private @Nullable Place<Share> place; // guarded by the budget
        private boolean closing; // guarded by the budget
        private long condemnedBytes; // guarded by the budget

        private Share(Runnable close) {
            this.close = close;
        }

        /**
         * Says what is held from now on. May close connections, this one among them.
         *
         * @param completed whether a message was completed since the last call
         * @param peersTurn whether it is up to the peer to go on
         */
        void hold(long now, long unfinishedBytes, long waitingBytes, boolean completed, boolean peersTurn) {
            long before = this.unfinishedBytes;
            if (completed && !proven) {
                proven = true;
            }
            if (completed || before == 0) {
                since.setOpaque(now); // when the message began that is unfinished, if one is
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

        /** Nothing is held any more, and never will be. */
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

    /** Closes connections until what the others hold is within the bound, or none is left that could be closed. */
    private void relieve() {
        if (!relieving.compareAndSet(false, true)) {
            return; // another thread is at it, or this one further up; a read that comes later sees what is left
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
            // One that is not closable completed its message; when it holds the next one, it sees that it left the
            // order.
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
