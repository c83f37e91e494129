package io.summarizer.server.http;

import io.summarizer.core.store.Cut;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Takes cuts for those who ask, and keeps each for a while so that it can be read again.
 *
 * <p>A cut is always taken after it was asked for, so an answer holds all that was processed before the question. While one
 * is being taken, all who ask meanwhile share the next: at most two are under way however many ask.
 *
 * <p>Bounded in time and number, because a cut holds the memory of its moment. One that was only looked at is not kept at
 * all; when there are too many, the oldest that nobody pulled rows from goes first, so that a script which asks for the list
 * all the time does not push out the cut of a long download.
 * Whoever still reads a cut that was let go keeps it until done. Thread-safe; cuts are taken on a thread of its own.
 */
final class CutCache implements AutoCloseable {
    private final CutSource source;
    private final long keepNanos;
    private final int cutsMax;
    private final LongSupplier nanoTime;
    private final ScheduledThreadPoolExecutor thread;

    private final Map<Long, Kept> kept = new LinkedHashMap<>();
    private @Nullable Pending next;
    private long lowestId = Long.MAX_VALUE;
    private long highestId = Long.MIN_VALUE;
    private long taken;

    CutCache(CutSource source, Duration keep, int cutsMax) {
        this(source, keep, cutsMax, System::nanoTime);
    }

    CutCache(CutSource source, Duration keep, int cutsMax, LongSupplier nanoTime) {
        this.source = source;
        this.keepNanos = keep.toNanos();
        this.cutsMax = cutsMax;
        this.nanoTime = nanoTime;
        thread = new ScheduledThreadPoolExecutor(1, task -> {
            Thread made = new Thread(task, "http-cuts");
            made.setDaemon(true);
            return made;
        });
        thread.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        thread.setRemoveOnCancelPolicy(true);
    }

    /** What somebody wants a cut for, the least first. */
    enum Use {
        /** Numbers to show now: the answer does not name the cut, so it need not be kept. */
        GLANCE,
        /** The list of summaries; rows may be read from it later. */
        LIST,
        /** Rows. */
        ROWS
    }

    /** What became of a cut that somebody names. */
    sealed interface Lookup {
        /** It is here. */
        record Found(Cut cut) implements Lookup {}

        /** It was here, and was let go. */
        record Gone() implements Lookup {}

        /** No such cut was ever given out. */
        record Unknown() implements Lookup {}
    }

    /** A cut taken after this call. The future completes on the cache's thread: hand over to another one at once. */
    CompletableFuture<Cut> fresh(Use use) {
        Pending pending;
        synchronized (this) {
            pending = next;
            if (pending != null) {
                pending.wants(use);
                return pending.future;
            }
            pending = new Pending();
            pending.wants(use);
            next = pending;
        }
        try {
            thread.execute(this::take);
        } catch (RejectedExecutionException e) {
            pending.future.completeExceptionally(new IllegalStateException("the service is stopping", e));
        }
        return pending.future;
    }

    /** The cut of this id, for somebody who is going to read rows from it. */
    synchronized Lookup find(long id) {
        expire();
        Kept found = kept.get(id);
        if (found != null) {
            found.pulled = true;
            return new Lookup.Found(found.cut);
        }
        return id >= lowestId && id <= highestId ? new Lookup.Gone() : new Lookup.Unknown();
    }

    /** Cuts taken so far. */
    synchronized long taken() {
        return taken;
    }

    /** Cuts kept now. */
    synchronized int size() {
        expire();
        return kept.size();
    }

    @Override
    public void close() {
        thread.shutdownNow();
        Pending pending;
        synchronized (this) {
            kept.clear();
            pending = next;
            next = null;
        }
        if (pending != null) {
            pending.future.completeExceptionally(new IllegalStateException("the service is stopping"));
        }
    }

    private void take() {
        Pending pending;
        synchronized (this) {
            pending = next;
            next = null; // whoever asks from here on might miss what this cut misses, and gets another one
        }
        if (pending == null) {
            return;
        }
        try {
            Cut cut = source.cut();
            keep(cut, pending);
            pending.future.complete(cut);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            pending.future.completeExceptionally(e);
        } catch (RuntimeException | Error e) {
            pending.future.completeExceptionally(e);
        }
    }

    private synchronized void keep(Cut cut, Pending pending) {
        taken++;
        expire();
        if (pending.use == Use.GLANCE) {
            return;
        }
        lowestId = Math.min(lowestId, cut.id());
        highestId = Math.max(highestId, cut.id());
        kept.put(cut.id(), new Kept(cut, nanoTime.getAsLong() + keepNanos, pending.use == Use.ROWS));
        while (kept.size() > cutsMax) {
            kept.remove(leastWanted(cut.id()));
        }
        if (!thread.isShutdown()) {
            var unused = thread.schedule(this::size, keepNanos + 1, TimeUnit.NANOSECONDS);
        }
    }

    private long leastWanted(long newest) {
        long oldest = newest;
        for (Kept candidate : kept.values()) {
            long id = candidate.cut.id();
            if (id != newest && !candidate.pulled) {
                return id;
            }
            if (oldest == newest) {
                oldest = id;
            }
        }
        return oldest;
    }

    private void expire() {
        long now = nanoTime.getAsLong();
        Iterator<Kept> oldestFirst = kept.values().iterator();
        while (oldestFirst.hasNext() && oldestFirst.next().expiresAt - now <= 0) {
            oldestFirst.remove();
        }
    }

    private static final class Pending {
        final CompletableFuture<Cut> future = new CompletableFuture<>();
        Use use = Use.GLANCE;

        void wants(Use other) {
            if (other.compareTo(use) > 0) {
                use = other;
            }
        }
    }

    private static final class Kept {
        final Cut cut;
        final long expiresAt;
        boolean pulled;

        Kept(Cut cut, long expiresAt, boolean pulled) {
            this.cut = cut;
            this.expiresAt = expiresAt;
            this.pulled = pulled;
        }
    }
}
