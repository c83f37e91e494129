package io.summarizer.core.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.summarizer.core.bytes.ByteAccount;
import io.summarizer.core.bytes.Bytes;
import io.summarizer.core.snapshot.CutLease.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class CutMemoryTest {
    private static final int CHUNK = ChunkedBytes.CHUNK_BYTES;

    private static final long BUDGET = 8L * CHUNK;

    private long nanos;
    private final CutMemory memory = new CutMemory(BUDGET, () -> nanos);
    private final ChunkedBytes table = table(8);

    private static ChunkedBytes table(int chunks) {
        ChunkedBytes table = new ChunkedBytes();
        for (int i = 0; i < chunks; i++) {
            write(table, table.append(), i);
        }
        return table;
    }

    private static void write(ChunkedBytes table, int chunk, int value) {
        Bytes.putInt(table.writable(chunk), 0, value);
    }

    private static int read(ChunkedBytes.Frozen view, int chunk) {
        int value = Bytes.getInt(view.chunk(chunk), 0);
        view.check();
        return value;
    }

    @Test
    void aChunkThatNoHeldCutSeesIsWrittenInPlace() {
        byte[] before = table.readable(0);
        CutLease lease = memory.lease(Kind.READ);
        table.freeze(lease);
        lease.release();
        write(table, 0, 77);
        assertThat(table.readable(0)).isSameAs(before);
        assertThat(memory.copies()).isZero();

        CutLease next = memory.lease(Kind.READ);
        ChunkedBytes.Frozen view = table.freeze(next);
        write(table, 0, 78);
        write(table, 0, 79);
        assertThat(table.readable(0)).isNotSameAs(before);
        assertThat(read(view, 0)).isEqualTo(77);
        assertThat(memory.copies()).isEqualTo(1);
        assertThat(memory.heldBytes()).isEqualTo(CHUNK);
    }

    @Test
    void chunksOfCutsThatWereLetGoServeLaterCopies() {
        long steady = 0;
        for (int cut = 0; cut < 100; cut++) {
            CutLease lease = memory.lease(Kind.READ);
            table.freeze(lease);
            for (int chunk = 0; chunk < 4; chunk++) {
                write(table, chunk, cut);
            }
            lease.release();
            assertThat(memory.heldBytes()).isZero();
            if (cut == 10) {
                steady = memory.pooledBytes();
            }
        }
        assertThat(memory.copies()).isEqualTo(400);
        assertThat(steady).isEqualTo(4L * CHUNK);
        assertThat(memory.pooledBytes()).as("nothing was allocated since").isEqualTo(steady);
    }

    @Test
    void aPoolThatNobodyHasAUseForShrinks() {
        CutLease lease = memory.lease(Kind.READ);
        table.freeze(lease);
        for (int chunk = 0; chunk < 8; chunk++) {
            write(table, chunk, 1);
        }
        lease.release();
        assertThat(memory.pooledBytes()).isEqualTo(8L * CHUNK);
        for (int cut = 0; cut < 10; cut++) {
            CutLease idle = memory.lease(Kind.READ);
            table.freeze(idle);
            idle.release();
        }
        assertThat(memory.pooledBytes())
                .as("cuts in quick succession drop nothing")
                .isEqualTo(8L * CHUNK);
        for (int cut = 0; cut < 10; cut++) {
            nanos += CutMemory.TRIM_NANOS;
            CutLease idle = memory.lease(Kind.READ);
            table.freeze(idle);
            idle.release();
        }
        assertThat(memory.pooledBytes()).isLessThanOrEqualTo(CHUNK);
    }

    @Test
    void aChunkIsFreeOnlyWhenTheOldestCutThatSeesItIsLetGo() {
        CutLease old = memory.lease(Kind.READ);
        ChunkedBytes.Frozen oldView = table.freeze(old);
        CutLease young = memory.lease(Kind.READ);
        ChunkedBytes.Frozen youngView = table.freeze(young);
        write(table, 3, 33); // superseded: seen by both
        CutLease youngest = memory.lease(Kind.READ);
        table.freeze(youngest);
        write(table, 3, 34); // superseded: seen by the youngest alone
        assertThat(memory.heldBytes()).isEqualTo(2L * CHUNK);

        youngest.release();
        assertThat(memory.heldBytes()).isEqualTo(CHUNK);
        young.release();
        assertThat(memory.heldBytes()).as("the old one sees it still").isEqualTo(CHUNK);
        assertThat(read(oldView, 3)).isEqualTo(3);
        old.release();
        assertThat(memory.heldBytes()).isZero();
        assertThat(memory.pooledBytes()).isEqualTo(2L * CHUNK);
        assertThatThrownBy(() -> read(youngView, 3))
                .isInstanceOf(CutRevokedException.class)
                .hasMessageContaining("let go");
    }

    @Test
    void ownersThatExceedTheBudgetAtOnceRevokeOneCut() throws Exception {
        int owners = 4;
        int cuts = 6;
        int chunks = 50_000; // so many that ending a lease takes longer than the owners need to notice
        int bytes = 64;
        CutMemory small = new CutMemory((long) bytes * chunks * owners * cuts);
        List<ChunkedBytes> tables = new ArrayList<>();
        for (int owner = 0; owner < owners; owner++) {
            ChunkedBytes made = new ChunkedBytes(bytes, ByteAccount.unbounded());
            for (int chunk = 0; chunk < chunks; chunk++) {
                var unused = made.append();
            }
            tables.add(made);
        }
        // The lease of the checkpoint sees the first versions. When another lease ends, its list is visited.
        for (int cut = 0; cut <= cuts; cut++) {
            CutLease lease = small.lease(cut == 0 ? Kind.CHECKPOINT : Kind.READ);
            tables.forEach(one -> one.freeze(lease));
            if (cut < cuts) {
                tables.forEach(one -> writeAll(one, chunks));
            }
        }
        assertThat(small.revoked()).isZero();
        CyclicBarrier start = new CyclicBarrier(owners);
        List<Thread> threads = new ArrayList<>();
        for (ChunkedBytes one : tables) {
            Thread thread = new Thread(() -> {
                try {
                    start.await();
                } catch (InterruptedException | BrokenBarrierException e) {
                    throw new AssertionError(e);
                }
                writeAll(one, chunks / 2);
            });
            thread.start();
            threads.add(thread);
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(small.revoked()).isEqualTo(1);
    }

    private static void writeAll(ChunkedBytes table, int chunks) {
        for (int chunk = 0; chunk < chunks; chunk++) {
            write(table, chunk, chunk);
        }
    }

    @Test
    void beyondTheBudgetTheOldestCutIsRevoked() {
        CutLease old = memory.lease(Kind.READ);
        ChunkedBytes.Frozen oldView = table.freeze(old);
        for (int chunk = 0; chunk < 4; chunk++) {
            write(table, chunk, 100);
        }
        CutLease young = memory.lease(Kind.READ);
        ChunkedBytes.Frozen youngView = table.freeze(young);
        for (int chunk = 0; chunk < 8; chunk++) {
            assertThat(memory.revoked()).as("before chunk " + chunk).isEqualTo(chunk <= 4 ? 0 : 1);
            write(table, chunk, 200);
            assertThat(memory.heldBytes() + memory.pooledBytes()).isLessThanOrEqualTo(BUDGET);
        }
        assertThat(old.isRevoked()).isTrue();
        assertThat(old.acquire()).isFalse();
        assertThatThrownBy(() -> read(oldView, 7))
                .isInstanceOf(CutRevokedException.class)
                .hasMessageContaining("cuts.memory");
        assertThat(young.isRevoked()).isFalse();
        assertThat(read(youngView, 0)).isEqualTo(100);
        assertThat(read(youngView, 7)).isEqualTo(7);
        old.release(); // its holder learns of it later, and releases as usual
        assertThat(memory.held()).isEqualTo(1);
        assertThat(read(youngView, 7)).isEqualTo(7);
    }

    @Test
    void whenItIsTheOnlyCutThatIsRevokedTheChunkIsNotCopied() {
        CutMemory none = new CutMemory(CHUNK - 1);
        CutLease lease = none.lease(Kind.READ);
        table.freeze(lease);
        byte[] before = table.readable(5);
        write(table, 5, 500);
        assertThat(table.readable(5)).isSameAs(before);
        assertThat(lease.isRevoked()).isTrue();
        assertThat(none.heldBytes()).isZero();
        assertThat(none.held()).isZero();
    }

    @Test
    void whoCopiedOutBeforeTheRevocationIsRightAndWhoReadsOnIsTold() {
        CutLease lease = memory.lease(Kind.READ);
        ChunkedBytes.Frozen view = table.freeze(lease);
        byte[] chunk = view.chunk(2); // a reader is about to read
        write(table, 2, 20);
        CutLease other = memory.lease(Kind.READ);
        table.freeze(other);
        for (int i = 0; i < 8; i++) {
            write(table, i, 30); // revokes the first, whose chunk 2 is reused
        }
        assertThat(lease.isRevoked()).isTrue();
        assertThat(Bytes.getInt(chunk, 0))
                .as("the reader sees what is not of its cut")
                .isNotEqualTo(2);
        assertThatThrownBy(view::check).isInstanceOf(CutRevokedException.class);
    }

    @Test
    @Timeout(value = 60, unit = TimeUnit.SECONDS)
    void aCheckpointIsNotRevokedAndOwnersPauseUntilItIsLetGo() {
        CutMemory small = new CutMemory(CHUNK);
        CutLease checkpoint = small.lease(Kind.CHECKPOINT);
        ChunkedBytes.Frozen view = table.freeze(checkpoint);
        write(table, 0, 1);
        assertThat(small.pauses()).isZero();
        write(table, 1, 1); // beyond the budget, after a pause
        write(table, 2, 1);
        assertThat(small.pauses()).isEqualTo(2);
        assertThat(checkpoint.isRevoked()).isFalse();
        assertThat(read(view, 1)).isEqualTo(1);
        assertThat(read(view, 2)).isEqualTo(2);

        CutLease pull = small.lease(Kind.READ);
        table.freeze(pull);
        write(table, 0, 2); // cuts for reading are revoked before a checkpoint makes anyone wait
        assertThat(pull.isRevoked()).isTrue();
        checkpoint.release();
        assertThat(small.heldBytes()).isZero();
        assertThat(small.pooledBytes()).as("what was forced is retired").isLessThanOrEqualTo(CHUNK);
    }

    @Test
    void theLastCutOfAStoreMakesNobodyCopyOrWaitAndKeepsNoChunksOfOthers() {
        CutLease last = memory.lease(Kind.LAST);
        last.retire(100L * CHUNK, 0);
        CutLease pull = memory.lease(Kind.READ);
        table.freeze(pull);
        write(table, 0, 1);
        assertThat(memory.copies()).isEqualTo(1);
        assertThat(pull.isRevoked())
                .as("what was retired takes no room from copies")
                .isFalse();
        assertThat(memory.heldBytes()).isEqualTo(101L * CHUNK);
        pull.release();
        assertThat(memory.heldBytes()).isEqualTo(100L * CHUNK);
        write(table, 1, 1);
        assertThat(memory.copies()).as("no cut sees it").isEqualTo(1);
        assertThat(memory.pauses()).isZero();
        assertThat(memory.held()).isEqualTo(1);
        last.release();
        assertThat(memory.heldBytes()).isZero();
        assertThat(memory.held()).isZero();
    }

    @Test
    void aStoreThatWasGivenUpIsCountedUntilNoCutSeesIt() {
        CutLease before = memory.lease(Kind.READ);
        CutLease first = memory.lease(Kind.LAST);
        int since = first.retire(1000, 0);
        CutLease between = memory.lease(Kind.READ);
        CutLease second = memory.lease(Kind.LAST);
        second.retire(200, since);
        assertThat(memory.retiredBytes()).isEqualTo(1200);
        second.release();
        assertThat(memory.retiredBytes()).as("one in between sees the second").isEqualTo(1200);
        between.release();
        assertThat(memory.retiredBytes())
                .as("the first cut never saw the second store")
                .isEqualTo(1000);
        first.release();
        assertThat(memory.retiredBytes())
                .as("the first cut sees the first store")
                .isEqualTo(1000);
        before.release();
        assertThat(memory.retiredBytes()).isZero();
    }

    @Test
    void aStoreThatIsGivenUpUnderALeaseThatEndedIsNotCounted() {
        CutLease last = memory.lease(Kind.LAST);
        last.release();
        last.retire(1000, 0);
        assertThat(memory.retiredBytes()).isZero();
    }

    @Test
    void somethingCanBeGivenUpWhenNothingIsKeptAndOtherwiseWithinTheBudget() {
        assertThat(memory.hasRoomToRetire(100 * BUDGET)).isTrue();
        CutLease last = memory.lease(Kind.LAST);
        last.retire(BUDGET - 10, 0);
        assertThat(memory.hasRoomToRetire(10)).isTrue();
        assertThat(memory.hasRoomToRetire(11)).isFalse();
        last.release();
        assertThat(memory.hasRoomToRetire(100 * BUDGET)).isTrue();
    }

    @Test
    void cutsThatKeepTooMuchThatWasRetiredAreRevoked() {
        CutLease old = memory.lease(Kind.READ);
        CutLease checkpoint = memory.lease(Kind.CHECKPOINT);
        CutLease last = memory.lease(Kind.LAST);
        last.retire(BUDGET + 1, 0);
        last.release();
        memory.revokeRetired();
        assertThat(old.isRevoked()).as("the checkpoint keeps the store, too").isFalse();
        checkpoint.release();
        CutLease young = memory.lease(Kind.READ);
        memory.revokeRetired();
        assertThat(old.isRevoked()).isTrue();
        assertThat(young.isRevoked()).as("began after the store").isFalse();
        assertThat(memory.retiredBytes()).isZero();
        old.release();
        young.release();
    }

    @Test
    void aCutCanBeAcquiredUntilItsLastHolderIsGone() {
        CutLease lease = memory.lease(Kind.READ);
        assertThat(lease.acquire()).isTrue();
        lease.release();
        assertThat(memory.held()).isEqualTo(1);
        lease.release();
        assertThat(memory.held()).isZero();
        assertThat(lease.acquire()).isFalse();
        assertThatThrownBy(lease::release).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void aViewTakenAfterItsLeaseEndedIsVoid() {
        CutLease lease = memory.lease(Kind.READ);
        lease.release(); // its caller gave up
        ChunkedBytes.Frozen view = table.freeze(lease);
        assertThatThrownBy(() -> view.chunk(0)).isInstanceOf(CutRevokedException.class);
    }

    @Test
    void shouldLetGoOfAllViewsOfACut() {
        CutMemory memory = new CutMemory(1 << 20);
        CutLease lease = memory.lease(CutLease.Kind.READ);
        List<ChunkedBytes.Frozen> views = new ArrayList<>();
        for (int table = 0; table < 3; table++) {
            ChunkedBytes bytes = new ChunkedBytes();
            bytes.append();
            views.add(bytes.freeze(lease));
        }
        ChunkedBytes empty = new ChunkedBytes();
        ChunkedBytes.Frozen nothing = empty.freeze(lease);
        empty.append();
        assertThat(nothing.count()).as("a chunk that came later").isZero();
        nothing.check();

        lease.release();
        for (ChunkedBytes.Frozen view : views) {
            // Without a check: the contents of the view must be gone.
            assertThatThrownBy(() -> view.chunk(0)).isInstanceOf(CutRevokedException.class);
        }
        assertThatThrownBy(() -> nothing.chunk(0)).isInstanceOf(CutRevokedException.class);
        assertThatThrownBy(nothing::check).isInstanceOf(CutRevokedException.class);
    }
}
