package io.summarizer.server.http;

import io.summarizer.core.pipeline.ResetRefusedException;
import io.summarizer.core.queue.Threads;
import io.summarizer.core.store.Cut;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Takes cuts for requests, and keeps each cut for a while, so that clients can read it again.
 *
 * <p>An answer contains all messages that were processed before its request. So a new cut is taken after the request,
 * unless nothing was processed since the last cut. In that case the answer uses the last cut, so frequent requests cost
 * an idle service nothing. Requests that come while a cut is being taken wait for the next cut, and share it. So at any
 * time, at most one cut is being taken, and requests wait for at most one more cut.
 *
 * <p>The cache holds each cut that it keeps. A caller that gets a cut from {@link #fresh} or {@link #find} also holds
 * the cut, and must release it. Before a caller goes on reading on another thread, it calls {@link #reading}. When the
 * cuts exceed the memory for cuts, the oldest cuts are revoked. The cache remembers a revoked cut until the cut's time
 * ends, to report the revocation.
 *
 * <p>Clients can read a kept cut again for a limited time. The time restarts when a request gets the cut or names it.
 * The time does not run while a request is reading the cut. The cut of a request with {@code keep=no} is not kept.
 *
 * <p>The number of kept cuts is bounded, because each cut keeps old rows in memory. Beyond the bound, the cache drops
 * the least recently used cut from which no rows were pulled. So a script that requests the list all the time does not
 * evict the cut of a long download. Readers of a dropped cut hold the cut until they are done. The cut of a reset is
 * never dropped before its time ends, because the rows in it exist nowhere else. When all kept cuts are cuts of resets,
 * other cuts are not kept, and further resets are refused.
 *
 * <p>Thread-safe. The cache takes cuts on one thread of its own. Resets, closes of windows and listings of windows run
 * on a second thread, because they may wait for the disk. Uploads of windows run on a third thread, because they may
 * take seconds.
 *
 * <p>This class has more than 500 lines, because one lock guards which cuts are taken, kept, read and revoked.
 */
final class CutCache implements AutoCloseable {
    private final CutSource source;
    private final long keepNanos;
    private final int cutsMax;
    private final LongSupplier nanoTime;
    private final ScheduledThreadPoolExecutor thread;
    private final ExecutorService resetThread;
    private final ExecutorService uploadThread;

    /**
     * The kept cuts, in the order in which their times end. The time of a cut does not run while the cut is being read.
     */
    private final Map<Long, Kept> kept = new LinkedHashMap<>();

    private boolean sweepScheduled;
    private @Nullable Latest latest;
    private @Nullable Pending next;
    private long lowestId = Long.MAX_VALUE;
    private long highestId = Long.MIN_VALUE;
    private long taken;
    private final AtomicLong resets = new AtomicLong();

    CutCache(CutSource source, Duration keep, int cutsMax) {
        this(source, keep, cutsMax, System::nanoTime);
    }

    CutCache(CutSource source, Duration keep, int cutsMax, LongSupplier nanoTime) {
        this.source = source;
        this.keepNanos = keep.toNanos();
        this.cutsMax = cutsMax;
        this.nanoTime = nanoTime;
        thread = new ScheduledThreadPoolExecutor(1, Threads.factory("http-cuts"));
        resetThread = Executors.newSingleThreadExecutor(Threads.factory("http-resets"));
        uploadThread = Executors.newSingleThreadExecutor(Threads.factory("http-uploads"));
        thread.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        thread.setRemoveOnCancelPolicy(true);
    }

    /** Uses of a cut. When requests with different uses share a cut, the last of their uses in this list applies. */
    enum Use {
        /** An answer that shows numbers once and does not name the cut. So the cut need not be kept. */
        GLANCE,
        /** The list of summaries. Rows may be read from the same cut later. */
        LIST,
        /** Rows. */
        ROWS
    }

    /** Result of a lookup by id. */
    sealed interface Lookup {
        /** The cut, which the caller holds. */
        record Found(Cut cut) implements Lookup {}

        /** The cut was dropped. */
        record Gone() implements Lookup {}

        /** The cut was revoked because cuts took too much memory. */
        record Revoked() implements Lookup {}

        /** No cut with this id was ever returned. */
        record Unknown() implements Lookup {}
    }

    /**
     * Returns a cut of all messages that were processed before this call. The caller holds the cut and must release it.
     * The future completes on the cache's thread, so actions of the future must continue on another thread.
     */
    CompletableFuture<Cut> fresh(Use use) {
        Pending pending;
        synchronized (this) {
            pending = next;
            if (pending != null) {
                pending.askedFor(use);
                return pending.future;
            }
            pending = new Pending();
            pending.askedFor(use);
            next = pending;
        }
        try {
            thread.execute(this::take);
        } catch (RejectedExecutionException e) {
            pending.future.completeExceptionally(new IllegalStateException("the service is stopping", e));
        }
        return pending.future;
    }

    /**
     * Takes a cut for a caller that writes the whole cut at once. The caller must release the cut afterwards. The cache
     * does not keep the cut. The cut is never revoked, so it may slow updates down. Blocks for a few milliseconds.
     */
    Cut checkpoint() throws InterruptedException {
        CompletableFuture<Cut> future = asked(thread, () -> {
            Cut cut = source.checkpoint();
            given(cut);
            return cut;
        });
        try {
            return future.get();
        } catch (ExecutionException e) {
            Throwable cause = e.getCause();
            throw new IllegalStateException("no cut could be taken: " + (cause == null ? e : cause.getMessage()), e);
        } catch (InterruptedException e) {
            if (!future.cancel(false)) {
                var unused = future.thenAccept(Cut::release);
            }
            throw e;
        }
    }

    /** Allows lookups of the cut's id. */
    private synchronized void given(Cut cut) {
        taken++;
        lowestId = Math.min(lowestId, cut.id());
        highestId = Math.max(highestId, cut.id());
    }

    /**
     * Resets a summary. The future gives the cut of the reset, or is empty when there is no such summary. The cache
     * keeps the cut until the cut's time ends; the caller also holds the cut and must release it. The future completes
     * on a thread of the cache. It fails with a {@link ResetRefusedException} when too many rows of earlier resets are
     * kept.
     */
    CompletableFuture<Optional<Cut>> reset(String summary) {
        return onDisk(() -> emptied(summary));
    }

    /** Closes windows as {@link CutSource#closeWindows} does. The future completes on a thread of the cache. */
    CompletableFuture<OptionalLong> closeWindows(String summary, OptionalLong before) {
        return onDisk(() -> source.closeWindows(summary, before));
    }

    /** The source, for tasks of {@link #onDisk}. */
    CutSource source() {
        return source;
    }

    /** Runs a task that waits for the disk for a moment. The future completes on a thread of the cache. */
    <T> CompletableFuture<T> onDisk(Callable<T> task) {
        return asked(resetThread, task);
    }

    /** Runs a task of an upload, which may take seconds. The future completes on a thread of the cache. */
    <T> CompletableFuture<T> uploading(Callable<T> task) {
        return asked(uploadThread, task);
    }

    /** Runs a task on a thread of the cache. */
    private static <T> CompletableFuture<T> asked(Executor thread, Callable<T> task) {
        CompletableFuture<T> future = new CompletableFuture<>();
        try {
            thread.execute(() -> {
                try {
                    T result = task.call();
                    if (!future.complete(result) && result instanceof Cut cut) {
                        cut.release(); // no caller waits for it any more
                    }
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    future.completeExceptionally(e);
                } catch (Exception | Error e) {
                    future.completeExceptionally(e);
                }
            });
        } catch (RejectedExecutionException e) {
            future.completeExceptionally(new IllegalStateException("the service is stopping", e));
        }
        return future;
    }

    private Optional<Cut> emptied(String summary) throws InterruptedException {
        synchronized (this) {
            expire();
            if (kept.values().stream().filter(each -> each.cut.isLast()).count() >= cutsMax) {
                throw new ResetRefusedException(
                        "the cuts of the last " + cutsMax + " resets are kept, and no more can be until one is let go");
            }
        }
        Optional<Cut> cut = source.reset(summary);
        if (cut.isPresent()) {
            resets.incrementAndGet();
            Pending asker = new Pending();
            asker.askedFor(Use.ROWS);
            if (!acquire(cut.get(), 1)) {
                throw new IllegalStateException("the cut of a reset was lost"); // such a cut is never revoked
            }
            keep(cut.get(), asker, OptionalLong.empty()); // the state is not known, so the next cut is a new cut
        }
        return cut;
    }

    /**
     * The cut of a reset, and the time for which it is still kept. This time does not run while somebody reads the cut.
     */
    record Emptied(Cut cut, Duration left) {}

    /**
     * Returns the kept cuts of resets, the most recently used last. The caller holds the cuts and must release each of
     * them.
     */
    synchronized List<Emptied> resets() {
        expire();
        long now = nanoTime.getAsLong();
        return kept.values().stream()
                .filter(each -> each.cut.isLast() && each.cut.acquire())
                .map(each -> new Emptied(each.cut, Duration.ofNanos(Math.max(0, each.expiresAt - now))))
                .toList();
    }

    /** Finds the cut of this id, for a caller that is going to read rows from the cut. Restarts the cut's time. */
    synchronized Lookup find(long id) {
        expire();
        Kept found = kept.get(id);
        if (found != null) {
            if (!found.cut.acquire()) {
                return new Lookup.Revoked();
            }
            found.pulled = true;
            renew(found);
            return new Lookup.Found(found.cut);
        }
        return id >= lowestId && id <= highestId ? new Lookup.Gone() : new Lookup.Unknown();
    }

    /**
     * Begins a reading, which holds the cut until the reading is closed. The caller already holds the cut. When the
     * reading is closed, the cut's time restarts if the cut is still kept. If the cut is revoked during the reading,
     * the reading reports this.
     */
    synchronized Reading reading(Cut cut) {
        boolean held = cut.acquire();
        Kept read = kept.get(cut.id());
        if (read != null) {
            read.readers++;
        }
        AtomicBoolean open = new AtomicBoolean(true);
        return () -> {
            if (open.compareAndSet(true, false)) {
                if (read != null) {
                    doneReading(read);
                }
                if (held) {
                    cut.release();
                }
            }
        };
    }

    /** A reading of a cut in progress. */
    interface Reading extends AutoCloseable {
        @Override
        void close();
    }

    private synchronized void doneReading(Kept read) {
        read.readers--;
        if (kept.containsKey(read.cut.id())) {
            renew(read);
            scheduleSweep();
        }
    }

    /** Cuts taken so far. */
    synchronized long taken() {
        return taken;
    }

    /** Cuts kept now. */
    synchronized int size() {
        expire();
        return (int) kept.values().stream().filter(cut -> !cut.cut.isRevoked()).count();
    }

    @Override
    public void close() {
        thread.shutdownNow();
        resetThread.shutdownNow();
        uploadThread.shutdownNow();
        Pending pending;
        synchronized (this) {
            kept.values().forEach(let -> let.cut.release());
            kept.clear();
            latest = null;
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
            next = null; // a later request gets another cut, because it may expect more than this cut has
        }
        if (pending == null) {
            return;
        }
        try {
            // The state is read before the cut is taken. Messages that are processed in between then cause a new cut
            // for the next request, and an old cut never counts as current.
            OptionalLong state = state();
            Cut cut = again(pending, state);
            if (cut == null) {
                cut = source.cut();
                // Holds the cut for the callers first, because keep() may drop the cut.
                boolean held = acquire(cut, pending.askers);
                keep(cut, pending, state);
                if (!held) {
                    throw new IllegalStateException("cuts take more memory than they may (cuts.memory)");
                }
            }
            pending.future.complete(cut);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            pending.future.completeExceptionally(e);
        } catch (RuntimeException | Error e) {
            pending.future.completeExceptionally(e);
        }
    }

    /**
     * Returns a number that changes with each change of the state: {@link CutSource#state} plus the number of resets,
     * because a reset may leave the source's number unchanged.
     */
    private OptionalLong state() {
        OptionalLong state = source.state();
        return state.isPresent() ? OptionalLong.of(state.getAsLong() + resets.get()) : state;
    }

    /** Holds a cut {@code times} times more. Returns false when the cut was revoked. */
    private static boolean acquire(Cut cut, int times) {
        for (int held = 0; held < times; held++) {
            if (!cut.acquire()) {
                for (; held > 0; held--) {
                    cut.release();
                }
                return false;
            }
        }
        return true;
    }

    /**
     * Returns the last cut if it is still kept and a new cut would have the same content; otherwise null. The method
     * acquires the cut once for each waiting caller, and each of these callers must release the cut.
     */
    private synchronized @Nullable Cut again(Pending pending, OptionalLong state) {
        Latest latest = this.latest;
        if (latest == null || state.isEmpty() || latest.state != state.getAsLong() || pending.use == Use.GLANCE) {
            return null; // a glance also shows the time, which must be the time of this request
        }
        expire();
        Kept last = kept.get(latest.id);
        if (last == null || !acquire(last.cut, pending.askers)) {
            return null;
        }
        last.pulled |= pending.use == Use.ROWS;
        renew(last);
        return last.cut;
    }

    private synchronized void keep(Cut cut, Pending pending, OptionalLong state) {
        expire();
        if (pending.use == Use.GLANCE || thread.isShutdown()) {
            taken++;
            cut.release();
            return;
        }
        given(cut);
        latest = state.isPresent() ? new Latest(cut.id(), state.getAsLong()) : null;
        Kept same = kept.get(cut.id());
        if (same != null) { // the source has nothing newer
            same.pulled |= pending.use == Use.ROWS;
            renew(same);
            cut.release();
            return;
        }
        kept.put(cut.id(), new Kept(cut, nanoTime.getAsLong() + keepNanos, pending.use == Use.ROWS));
        while (kept.size() > cutsMax) {
            Kept least = kept.remove(leastWanted(cut.id()));
            if (least != null) {
                least.cut.release();
            }
        }
        scheduleSweep();
    }

    /**
     * Returns the cut to drop next. Cuts from which no rows were pulled are dropped first, then cuts without readers,
     * then other cuts; in each of these groups, the least recently used cut first. A cut of a reset is never dropped.
     * The newest cut, which nobody could use yet, is dropped only when all other cuts are cuts of resets.
     */
    private long leastWanted(long newest) {
        long least = newest;
        int leastWant = Integer.MAX_VALUE;
        for (Kept candidate : kept.values()) {
            int want =
                    candidate.cut.isLast() ? Integer.MAX_VALUE : candidate.readers > 0 ? 2 : candidate.pulled ? 1 : 0;
            if (want < leastWant && candidate.cut.id() != newest) {
                least = candidate.cut.id();
                leastWant = want;
            }
        }
        return least;
    }

    private void renew(Kept used) {
        kept.remove(used.cut.id());
        used.expiresAt = nanoTime.getAsLong() + keepNanos;
        kept.put(used.cut.id(), used);
    }

    private void expire() {
        long now = nanoTime.getAsLong();
        Iterator<Kept> oldestFirst = kept.values().iterator();
        while (oldestFirst.hasNext()) {
            Kept oldest = oldestFirst.next();
            if (oldest.readers > 0) {
                continue;
            }
            if (oldest.expiresAt - now > 0) {
                break;
            }
            oldestFirst.remove();
            oldest.cut.release();
        }
    }

    /** Drops cuts when their times end, even without requests. */
    private void scheduleSweep() {
        if (sweepScheduled || thread.isShutdown()) {
            return;
        }
        for (Kept oldest : kept.values()) {
            if (oldest.readers == 0) {
                sweepScheduled = true;
                long wait = Math.max(0, oldest.expiresAt - nanoTime.getAsLong()) + 1;
                var unused = thread.schedule(this::sweep, wait, TimeUnit.NANOSECONDS);
                return;
            }
        }
    }

    private synchronized void sweep() {
        sweepScheduled = false;
        expire();
        scheduleSweep();
    }

    /** The newest kept cut, and the source's state just before this cut was taken. */
    private record Latest(long id, long state) {}

    private static final class Pending {
        final CompletableFuture<Cut> future = new CompletableFuture<>();
        Use use = Use.GLANCE;
        int askers;

        void askedFor(Use other) {
            askers++;
            if (other.compareTo(use) > 0) {
                use = other;
            }
        }
    }

    private static final class Kept {
        final Cut cut;
        long expiresAt;
        boolean pulled;
        int readers;

        Kept(Cut cut, long expiresAt, boolean pulled) {
            this.cut = cut;
            this.expiresAt = expiresAt;
            this.pulled = pulled;
        }
    }
}
