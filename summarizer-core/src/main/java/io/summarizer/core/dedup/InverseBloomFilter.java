package io.summarizer.core.dedup;

import io.summarizer.core.bytes.ByteAccount;
import io.summarizer.core.bytes.Bytes;
import io.summarizer.core.snapshot.ChunkedBytes;
import io.summarizer.core.snapshot.FrozenTables;

/**
 * The opposite of a Bloom filter (Hodges, "The opposite of a bloom filter", 2012): a table of fixed size without
 * collision handling. Each id has one place, and displaces the former id of this place. The filter may forget an id
 * that it has seen. But it never reports an unseen id as seen, because it compares all 128 bits of an id. When <i>k</i>
 * other ids have followed an id, a filter of size <i>n</i> has forgotten this id with probability <i>1 -
 * e<sup>-k/n</sup></i>.
 *
 * <p>Takes 24 bytes per place; allocates each chunk at its first use. Not thread-safe; for views see {@link
 * ChunkedBytes}.
 */
final class InverseBloomFilter {
    private final ByteAccount account;
    private final ChunkedBytes chunks;
    private final int idsPerChunk;
    private final long places;
    /** For each range of places, the number of its chunk plus one; 0 for a range without a chunk. */
    private final int[] chunkOf;

    /**
     * An empty filter with at least {@code places} places. If the account refuses the chunk of a range of places, this
     * range keeps no ids.
     */
    InverseBloomFilter(long places, int chunkBytes, ByteAccount account) {
        this.account = account;
        chunks = new ChunkedBytes(chunkBytes, account);
        idsPerChunk = IdLog.idsPerChunk(chunkBytes);
        chunkOf = new int[Math.toIntExact((places + idsPerChunk - 1) / idsPerChunk)];
        this.places = (long) chunkOf.length * idsPerChunk;
    }

    private long place(long high) {
        return ((high >>> 32) * places) >>> 32;
    }

    /** The stamp that was put with an id; 0 when the id is unknown. */
    long stamp(long high, long low) {
        long place = place(high);
        int chunk = chunkOf[(int) (place / idsPerChunk)] - 1;
        if (chunk < 0) {
            return 0;
        }
        byte[] bytes = chunks.readable(chunk);
        int at = (int) (place % idsPerChunk) * IdLog.ID_BYTES;
        return Bytes.getLong(bytes, at) == high && Bytes.getLong(bytes, at + 8) == low
                ? Bytes.getLong(bytes, at + 16)
                : 0;
    }

    /** Puts an id in its place, and forgets the former id of this place. */
    void put(long high, long low, long stamp) {
        long place = place(high);
        int run = (int) (place / idsPerChunk);
        if (chunkOf[run] == 0 && !account.hasRoom()) {
            return;
        }
        if (chunkOf[run] == 0) {
            chunkOf[run] = chunks.append() + 1;
        }
        byte[] bytes = chunks.writable(chunkOf[run] - 1);
        int at = (int) (place % idsPerChunk) * IdLog.ID_BYTES;
        Bytes.putLong(bytes, at, high);
        Bytes.putLong(bytes, at + 8, low);
        Bytes.putLong(bytes, at + 16, stamp);
    }

    long allocatedBytes() {
        return chunks.allocatedBytes() + chunkOf.length * 4L;
    }

    ChunkedBytes.Frozen freeze(FrozenTables into) {
        return into.view(chunks.freeze(into, false));
    }

    /** Visits all ids, in no order. */
    void forEach(IdVisitor visitor) {
        for (int chunk = 0; chunk < chunks.count(); chunk++) {
            IdVisitor.ofChunk(chunks.readable(chunk), idsPerChunk, visitor);
        }
    }
}
