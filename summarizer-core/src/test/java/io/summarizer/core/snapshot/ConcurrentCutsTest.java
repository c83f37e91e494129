package io.summarizer.core.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.core.bytes.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * An owner that writes flat out while readers take, share, verify and release cuts. A write raises three words of a
 * chunk by one, so that in every cut the three are equal and all chunks together hold the number of writes so far.
 */
class ConcurrentCutsTest {
    private static final int CHUNKS = 48;
    private static final int[] WORDS = {0, 8 * 1024, ChunkedBytes.CHUNK_BYTES - 8};
    private static final int READERS = 3;
    private static final int CUTS_EACH = 300;

    private record Taken(CutLease lease, ChunkedBytes.Frozen view, long writes) {}

    private final Queue<CompletableFuture<Taken>> asked = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean stop = new AtomicBoolean();
    private final AtomicLong read = new AtomicLong();
    private final AtomicLong revoked = new AtomicLong();

    @ParameterizedTest
    @ValueSource(longs = {10_000, CHUNKS / 2, 3})
    @Timeout(value = 60, unit = TimeUnit.SECONDS)
    void everyCutIsWholeOrSaysThatItWasRevoked(long budgetChunks) throws Exception {
        CutMemory memory = new CutMemory(budgetChunks * ChunkedBytes.CHUNK_BYTES);
        CompletableFuture<Void> owner = CompletableFuture.runAsync(() -> write(memory));
        List<CompletableFuture<Void>> readers = new ArrayList<>();
        for (int i = 0; i < READERS; i++) {
            int seed = i;
            readers.add(CompletableFuture.runAsync(() -> read(new Random(seed))));
        }
        try {
            for (CompletableFuture<Void> reader : readers) {
                reader.get();
            }
        } finally {
            stop.set(true);
        }
        owner.get();
        assertThat(memory.held()).isZero();
        assertThat(memory.heldBytes()).isZero();
        assertThat(memory.pooledBytes()).isLessThanOrEqualTo(budgetChunks * ChunkedBytes.CHUNK_BYTES);
        assertThat(read.get() + revoked.get()).isEqualTo((long) READERS * CUTS_EACH);
        assertThat(memory.copies()).isPositive();
        if (budgetChunks > CHUNKS * (READERS + 1L)) {
            assertThat(revoked.get()).isZero();
        }
    }

    private void write(CutMemory memory) {
        Random random = new Random(42);
        ChunkedBytes table = new ChunkedBytes();
        for (int i = 0; i < CHUNKS; i++) {
            table.append();
        }
        long writes = 0;
        while (!stop.get()) {
            CompletableFuture<Taken> ask = asked.poll();
            if (ask != null) {
                CutLease lease = memory.lease(CutLease.Kind.READ);
                ask.complete(new Taken(lease, table.freeze(lease), writes));
            }
            byte[] chunk = table.writable(random.nextInt(CHUNKS));
            for (int word : WORDS) {
                Bytes.putLong(chunk, word, Bytes.getLong(chunk, word) + 1);
            }
            writes++;
        }
    }

    private void read(Random random) {
        byte[] copy = new byte[ChunkedBytes.CHUNK_BYTES];
        for (int i = 0; i < CUTS_EACH; i++) {
            CompletableFuture<Taken> ask = new CompletableFuture<>();
            asked.add(ask);
            Taken taken = ask.join();
            try {
                for (int times = random.nextInt(3); times >= 0; times--) {
                    boolean held = taken.lease().acquire(); // as another reader would
                    try {
                        verify(taken, copy);
                    } finally {
                        if (held) {
                            taken.lease().release();
                        }
                    }
                }
                read.incrementAndGet();
            } catch (CutRevokedException e) {
                assertThat(taken.lease().isRevoked()).isTrue();
                revoked.incrementAndGet();
            }
            taken.lease().release();
        }
    }

    private static void verify(Taken taken, byte[] copy) {
        long writes = 0;
        for (int i = 0; i < taken.view().count(); i++) {
            System.arraycopy(taken.view().chunk(i), 0, copy, 0, copy.length);
            taken.view().check();
            long first = Bytes.getLong(copy, WORDS[0]);
            for (int word : WORDS) {
                assertThat(Bytes.getLong(copy, word))
                        .as("chunk %s, word %s", i, word)
                        .isEqualTo(first);
            }
            writes += first;
        }
        assertThat(writes).isEqualTo(taken.writes());
    }
}
