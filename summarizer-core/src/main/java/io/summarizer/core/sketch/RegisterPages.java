package io.summarizer.core.sketch;

import io.summarizer.core.bytes.ByteAccount;
import io.summarizer.core.snapshot.ChunkedBytes;
import io.summarizer.core.snapshot.FrozenTables;

/**
 * Pages of registers in freezable chunks of their own: a page's number alone says where it lies, so that adding to a set
 * in registers needs no table; {@link SetLayout#pageChunk} and {@link SetLayout#pageOffset} have it. Pages are never given back,
 * since a set never leaves its registers.
 *
 * <p>Written by one owner thread. What {@link #freeze} notes may be read by any thread it was safely handed to.
 */
final class RegisterPages {
    private final SetLayout layout;
    private final ChunkedBytes chunks;

    private int used;

    /** No pages yet; {@code account} is told of the bytes they take. */
    RegisterPages(SetLayout layout, ByteAccount account) {
        this.layout = layout;
        chunks = new ChunkedBytes(layout.pageChunkBytes, account);
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
        if (layout.pageChunk(page) == chunks.count()) {
            chunks.append();
        }
        used = page + 1;
        return page;
    }

    /** The chunk that holds a page, to be read only. */
    byte[] readable(int page) {
        return chunks.readable(layout.pageChunk(page));
    }

    /** The chunk that holds a page, to be written. */
    byte[] writable(int page) {
        return chunks.writable(layout.pageChunk(page));
    }

    /** Bytes on the heap; copies that only a view still sees are not counted. */
    long bytesUsed() {
        return chunks.allocatedBytes();
    }

    /** Notes the chunks of all pages as they are now; returns their number. */
    int freeze(FrozenTables into) {
        return chunks.freeze(into);
    }
}
