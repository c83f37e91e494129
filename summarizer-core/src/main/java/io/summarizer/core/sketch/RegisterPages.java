package io.summarizer.core.sketch;

import io.summarizer.core.bytes.ChunkedBytes;
import io.summarizer.core.bytes.CutLease;

/**
 * Pages of registers in freezable chunks of their own: a page's number alone says where it lies, so that adding to a set
 * in registers needs no table. Pages are never given back, since a set never leaves its registers.
 *
 * <p>Written by one owner thread. A {@link Frozen} view may be read by any thread it was safely handed to.
 */
final class RegisterPages {
    /** So that two bytes can be read at the last register of a chunk. */
    private static final int PADDING = 1;

    private final ChunkedBytes chunks;
    private final int pageBytes;
    private final int chunkBytes;
    /** log2 of pages in a chunk. */
    private final int shift;

    private int used;

    /** No pages yet; each will be of {@code pageBytes} bytes, less than a chunk. */
    RegisterPages(int pageBytes) {
        this.pageBytes = pageBytes;
        shift = 31 - Integer.numberOfLeadingZeros((ChunkedBytes.CHUNK_BYTES - PADDING) / pageBytes);
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

    /** The chunk that holds a page, to be read only. */
    byte[] readable(int page) {
        return chunks.readable(page >>> shift);
    }

    /** The chunk that holds a page, to be written. */
    byte[] writable(int page) {
        return chunks.writable(page >>> shift);
    }

    /** Where in its chunk a page begins. */
    int offset(int page) {
        return (page & ((1 << shift) - 1)) * pageBytes;
    }

    /** Bytes on the heap; copies that only a view still sees are not counted. */
    long bytesUsed() {
        return (long) chunks.count() * (chunkBytes + 16 + 8 + 4);
    }

    /** A view of all pages as they are now, while the lease holds. */
    Frozen freeze(CutLease lease) {
        return new Frozen(this, lease);
    }

    /** A view, good while its lease holds. */
    static final class Frozen {
        private final ChunkedBytes.Frozen chunks;
        private final RegisterPages pages;

        Frozen(RegisterPages pages, CutLease lease) {
            chunks = pages.chunks.freeze(lease);
            this.pages = pages;
        }

        /** The chunk that holds a page; what is read there is to be believed after {@link #check} only. */
        byte[] chunk(int page) {
            return chunks.chunk(page >>> pages.shift);
        }

        /** Where in its chunk a page begins. */
        int offset(int page) {
            return pages.offset(page);
        }

        /** Says that what was read so far is right; throws {@code CutRevokedException} when it may not be. */
        void check() {
            chunks.check();
        }
    }
}
