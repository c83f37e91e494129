package io.summarizer.core.sketch;

import io.summarizer.core.bytes.ChunkedBytes;
import io.summarizer.core.bytes.CutLease;

/**
 * Pages of registers in freezable chunks of their own: a page's number alone says where it lies, so that adding to a set
 * in registers needs no table. Pages are never given back, since a set never leaves its registers.
 *
 * <p>Written by one owner thread. What {@link #freeze} returns may be read by any thread it was safely handed to.
 */
final class RegisterPages {
    /** So that two bytes can be read at the last register of a chunk. */
    private static final int PADDING = 1;

    private final ChunkedBytes chunks;
    private final int pageBytes;
    private final int chunkBytes;
    /** log2 of pages in a chunk. */
    private final int shift;
    /** Selects a page of its chunk. */
    private final int mask;

    private int used;

    /** No pages yet; each will be of {@code pageBytes} bytes, less than a chunk. */
    RegisterPages(int pageBytes) {
        this.pageBytes = pageBytes;
        shift = 31 - Integer.numberOfLeadingZeros((ChunkedBytes.CHUNK_BYTES - PADDING) / pageBytes);
        mask = (1 << shift) - 1;
        chunkBytes = (pageBytes << shift) + PADDING;
        chunks = new ChunkedBytes(chunkBytes);
    }

    /**
     * A page with all registers 0.
     *
     * @throws IllegalStateException when there are as many as a handle can tell apart
     */
    int allocate() {
        int page = used;
        if (page >>> SetLayout.SLOT_BITS != 0) {
            throw new IllegalStateException("pages=" + page + " of registers in use");
        }
        if (page >>> shift == chunks.count()) {
            chunks.append();
        }
        used = page + 1;
        return page;
    }

    /** The number of the chunk that holds a page. Any thread. */
    int chunk(int page) {
        return page >>> shift;
    }

    /** The chunk that holds a page, to be read only. */
    byte[] readable(int page) {
        return chunks.readable(chunk(page));
    }

    /** The chunk that holds a page, to be written. */
    byte[] writable(int page) {
        return chunks.writable(chunk(page));
    }

    /** Where in its chunk a page begins. Any thread. */
    int offset(int page) {
        return (page & mask) * pageBytes;
    }

    /** Bytes on the heap; copies that only a view still sees are not counted. */
    long bytesUsed() {
        return (long) chunks.count() * (chunkBytes + 16 + 8 + 4);
    }

    /** The chunks of all pages as they are now, while the lease holds. */
    ChunkedBytes.Frozen freeze(CutLease lease) {
        return chunks.freeze(lease);
    }
}
