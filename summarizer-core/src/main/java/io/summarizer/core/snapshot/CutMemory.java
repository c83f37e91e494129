package io.summarizer.core.snapshot;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The memory that cuts hold in addition to the current state. This object tracks old versions of chunks, and which cuts
 * still see them. All stores that are cut together share one such object.
 *
 * <p>The epoch of a table is the number of the last lease under which the table was frozen. A version of a chunk is
 * born in one epoch and superseded in a later epoch. A lease sees this version if the lease's number is above the first
 * epoch and not above the second. A superseded chunk is in the list of the youngest lease that sees the chunk. When
 * this lease ends, the chunk moves to the list of the next older lease if that lease also sees the chunk; otherwise,
 * the chunk is free. The dead lists of ZFS work in the same way (Ahrens, "How ZFS snapshots really work", 2019). When a
 * lease ends and there is an older lease, each chunk in the list of the ended lease is visited once. If there is no
 * older lease, all chunks of the list are freed in one step.
 *
 * <p>Free chunks wait in a pool for the next copy. Held and pooled chunks together never exceed the budget, except for
 * copies that checkpoints cause. When a copy would exceed the budget, the oldest revocable cut is revoked. Other owners
 * wait until the chunks of this cut are settled, so that they do not revoke further cuts at once. When no cut is
 * revocable, the owner waits before each copy, for up to {@value #PAUSE_MS} ms, until a cut ends. Updates then change
 * at most {@code 1000 / PAUSE_MS} chunks, or 1.6 MB, per second and owner.
 *
 * <p>The chunks of a retired store belong to cuts only. They do not count against the budget for copies, because they
 * are not copies, but earlier parts of the state. Until no cut sees these chunks, their bytes are counted separately;
 * {@link #hasRoomToRetire} and {@link #revokeRetired} bound this number.
 *
 * <p>Thread-safe. Owners call this object once before and once after each copy; a call takes about 50 ns. Long lists
 * are processed outside the lock.
 */
public final class CutMemory {
    /** The longest time that an owner waits before one copy. */
    static final long PAUSE_MS = 10;

    private static final int DEFAULT_PERCENT = 15;

    /** Maximum number of pooled chunks that one cut drops, so that no cut takes long. */
    private static final int TRIM_MAX = 1024;

    /**
     * The shortest time between two trims of the pool; in a trim, a cut drops pooled chunks. A cut that causes few
     * copies leaves chunks unused. If each cut trimmed the pool, these chunks would be dropped, although the next cuts
     * need them.
     */
    static final long TRIM_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final long budgetBytes;

    /** Leases that are held, the oldest first. */
    private final List<CutLease> live = new ArrayList<>();

    /**
     * Number of leases of retired stores. They are not in {@link #live}, because no chunk is ever copied for such a
     * lease.
     */
    private int last;

    /** Bytes of retired stores that cuts still see. */
    private long retiredBytes;

    private final ChunkList pool = new ChunkList();
    /**
     * The smallest number of chunks in the pool since the last trim. Since then, at least this many pooled chunks were
     * needed by no copy.
     */
    private int poolMin;

    private final LongSupplier nanoTime;
    private long trimmed;

    private int sequence;
    /** Bytes of chunks that are in lists of leases, between lists, or about to be superseded. */
    private long heldBytes;

    /**
     * Bytes of {@link #heldBytes} whose lease has ended, and that are on their way to an older lease or to the pool.
     * Nobody revokes a cut for room that these bytes may give.
     */
    private long settlingBytes;

    private long copies;
    private long revoked;
    private long pauses;

    /**
     * A memory without cuts.
     *
     * @param budgetBytes bound on the memory of all cuts
     */
    public CutMemory(long budgetBytes) {
        this(budgetBytes, System::nanoTime);
    }

    /** A memory without cuts, with a clock of its own. */
    CutMemory(long budgetBytes, LongSupplier nanoTime) {
        this.budgetBytes = budgetBytes;
        this.nanoTime = nanoTime;
        trimmed = nanoTime.getAsLong();
    }

    /** 15 % of the heap. */
    public static long defaultBudget() {
        return Runtime.getRuntime().maxMemory() / 100 * DEFAULT_PERCENT;
    }

    /**
     * A lease for a cut that is taken now. If there are several leases, tables must be frozen in the order in which the
     * leases were made.
     */
    public synchronized CutLease lease(CutLease.Kind kind) {
        long now = nanoTime.getAsLong();
        if (now - trimmed >= TRIM_NANOS) {
            trimmed = now;
            for (int surplus = Math.min(poolMin / 2, TRIM_MAX); surplus > 0; surplus--) {
                var unused = pool.poll();
            }
            poolMin = pool.size();
        }
        // Births of chunks are compared with this number, so it must not wrap.
        sequence = Math.incrementExact(sequence);
        CutLease lease = new CutLease(this, kind, sequence);
        if (kind == CutLease.Kind.LAST) {
            last++;
        } else {
            live.add(lease);
        }
        return lease;
    }

    /**
     * Whether stores of {@code bytes} bytes may be retired now under a lease that keeps these stores. This is allowed
     * if the memory of all cuts stays within the budget. It is also allowed if cuts keep no other retired stores yet,
     * so that stores of any size can be retired.
     */
    public synchronized boolean hasRoomToRetire(long bytes) {
        return retiredBytes == 0 || heldBytes + retiredBytes + bytes <= budgetBytes;
    }

    /**
     * Revokes cuts that keep retired stores, until these stores and all copies are within the budget. Stores that cuts
     * of resets keep do not count. Call this method after stores were retired that nobody refused to retire.
     */
    public void revokeRetired() {
        while (true) {
            CutLease victim;
            ChunkList freed;
            synchronized (this) {
                var unused = awaitSettled(revocableBytes());
                victim = heldBytes + revocableBytes() > budgetBytes ? oldestWithRetired() : null;
                if (victim == null) {
                    return;
                }
                revoked++;
                freed = end(victim, true);
            }
            settle(victim, freed);
        }
    }

    private long revocableBytes() {
        return live.stream()
                .filter(lease -> lease.kind() == CutLease.Kind.READ)
                .flatMap(lease -> lease.retired.stream())
                .mapToLong(CutLease.Retired::bytes)
                .sum();
    }

    private @Nullable CutLease oldestWithRetired() {
        for (CutLease lease : live) {
            if (lease.kind() == CutLease.Kind.READ && !lease.retired.isEmpty()) {
                return lease;
            }
        }
        return null;
    }

    /** Bytes of chunks that only cuts see: copies, and retired stores. */
    public synchronized long heldBytes() {
        return heldBytes + retiredBytes;
    }

    /** Bytes of retired stores that cuts still see. */
    public synchronized long retiredBytes() {
        return retiredBytes;
    }

    /** Bytes of chunks that wait for reuse. */
    public synchronized long pooledBytes() {
        return pool.bytes();
    }

    /** Number of cuts that are held. */
    public synchronized int held() {
        return live.size() + last;
    }

    /** Cuts revoked so far. */
    public synchronized long revoked() {
        return revoked;
    }

    /** Chunks copied so far because a cut saw them. */
    public synchronized long copies() {
        return copies;
    }

    /** Number of times that an owner waited for a checkpoint. */
    public synchronized long pauses() {
        return pauses;
    }

    /**
     * Returns an array for the copy of a chunk that is about to be written. The caller copies the chunk and then calls
     * {@link #superseded}. Called by owners; may wait.
     *
     * @param epoch the epoch of the table
     * @param birth the epoch of the chunk's birth
     * @return the array; null when no cut sees the chunk any more, so that the chunk can be written in place
     */
    byte @Nullable [] target(int epoch, int birth, int length) {
        boolean waited = false;
        while (true) {
            CutLease victim;
            ChunkList freed;
            synchronized (this) {
                CutLease youngest = youngest(epoch);
                if (youngest == null || youngest.sequence <= birth) {
                    return null;
                }
                if (length == ChunkedBytes.CHUNK_BYTES && pool.size() > 0) {
                    heldBytes += length;
                    copies++;
                    byte[] chunk = pool.poll();
                    poolMin = Math.min(poolMin, pool.size());
                    return chunk;
                }
                while (heldBytes + pool.bytes() + length > budgetBytes && pool.size() > 0) {
                    var unused = pool.poll(); // chunks of another size
                }
                if (awaitSettled(length)) {
                    continue;
                }
                victim = heldBytes + length > budgetBytes ? oldestRevocable() : null;
                if (victim == null && (waited || heldBytes + length <= budgetBytes || !pause(length))) {
                    heldBytes += length;
                    copies++;
                    break;
                }
                if (victim == null) {
                    waited = true;
                    continue;
                }
                revoked++;
                freed = end(victim, true);
            }
            settle(victim, freed);
        }
        return new byte[length];
    }

    /** Takes over a chunk that was copied and replaced. The caller must not use this chunk any more. */
    void superseded(byte[] chunk, int epoch, int birth) {
        synchronized (this) {
            CutLease youngest = youngest(epoch);
            if (youngest != null && youngest.sequence > birth) {
                youngest.superseded.add(chunk, birth);
                return;
            }
            ChunkList free = new ChunkList();
            free.add(chunk, birth);
            recycle(free);
        }
    }

    /** Ends a lease that has no holders any more. */
    void released(CutLease lease) {
        ChunkList freed;
        synchronized (this) {
            if (!lease.isLive()) {
                return; // revoked before
            }
            freed = end(lease, false);
        }
        settle(lease, freed);
    }

    /** Counts a store that was retired under {@code lease}, which may have ended. */
    synchronized void retired(CutLease lease, CutLease.Retired store) {
        retiredBytes += store.bytes();
        if (lease.isLive()) {
            lease.retired.add(store);
        } else {
            passOn(lease, store);
        }
    }

    /**
     * Passes a store on to the next older lease that sees the store. If there is no such lease, stops counting the
     * store.
     */
    private void passOn(CutLease ended, CutLease.Retired store) {
        assert Thread.holdsLock(this);
        CutLease older = youngest(ended.sequence);
        if (older != null && older.sequence > store.since()) {
            older.retired.add(store);
        } else {
            retiredBytes -= store.bytes();
        }
    }

    private ChunkList end(CutLease lease, boolean revoke) {
        assert Thread.holdsLock(this);
        lease.end(revoke);
        if (lease.kind() == CutLease.Kind.LAST) {
            last--;
        } else {
            live.remove(lease);
        }
        lease.retired.forEach(store -> passOn(lease, store));
        lease.retired = List.of();
        ChunkList freed = lease.superseded;
        lease.superseded = new ChunkList();
        settlingBytes += freed.bytes();
        return freed;
    }

    /**
     * Handles each chunk of an ended lease: passes the chunk on to the next older lease if that lease sees the chunk,
     * and otherwise recycles the chunk.
     */
    private void settle(CutLease ended, ChunkList chunks) {
        ChunkList left = chunks;
        while (true) {
            CutLease older;
            synchronized (this) {
                older = youngest(ended.sequence);
                if (older == null) {
                    settlingBytes -= left.bytes();
                    recycle(left);
                    return;
                }
            }
            ChunkList seen = new ChunkList();
            ChunkList free = new ChunkList();
            left.split(older.sequence, seen, free);
            synchronized (this) {
                settlingBytes -= free.bytes();
                recycle(free);
                if (older.isLive()) {
                    settlingBytes -= seen.bytes();
                    older.superseded.takeAll(seen);
                    return;
                }
            }
            left = seen; // that one ended meanwhile
        }
    }

    private void recycle(ChunkList free) {
        assert Thread.holdsLock(this);
        assert free.poison(); // so that tests detect reads of foreign chunks
        heldBytes -= free.bytes();
        if (free.isUniform()) {
            pool.takeAll(free);
        } else {
            for (byte[] chunk = free.poll(); chunk != null; chunk = free.poll()) {
                if (chunk.length == ChunkedBytes.CHUNK_BYTES) {
                    pool.add(chunk, 0);
                }
            }
        }
        while (heldBytes + pool.bytes() > budgetBytes && pool.size() > 0) {
            var unused = pool.poll(); // forced by a checkpoint
        }
        notifyAll();
    }

    /** The youngest held lease whose number is at most {@code atMost}, or null. */
    private @Nullable CutLease youngest(int atMost) {
        for (int i = live.size() - 1; i >= 0; i--) {
            if (live.get(i).sequence <= atMost) {
                return live.get(i);
            }
        }
        return null;
    }

    private @Nullable CutLease oldestRevocable() {
        for (CutLease lease : live) {
            if (lease.kind() == CutLease.Kind.READ) {
                return lease;
            }
        }
        return null;
    }

    /**
     * Waits as long as the budget does not allow {@code bytes} more bytes and other threads still settle ended leases.
     * Returns false when there was nothing to wait for, or when the thread was interrupted.
     */
    private boolean awaitSettled(long bytes) {
        assert Thread.holdsLock(this);
        boolean waited = false;
        try {
            while (settlingBytes > 0 && heldBytes + bytes > budgetBytes) {
                wait();
                waited = true;
            }
            return waited;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /**
     * Waits until the budget allows {@code bytes} more bytes, but at most {@value #PAUSE_MS} ms. Returns false when the
     * thread was interrupted.
     */
    private boolean pause(int bytes) {
        assert Thread.holdsLock(this);
        pauses++;
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PAUSE_MS);
        try {
            for (long left = PAUSE_MS; left > 0 && heldBytes + bytes > budgetBytes; ) {
                wait(left);
                left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
            }
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
