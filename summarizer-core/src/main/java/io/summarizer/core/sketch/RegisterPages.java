package io.summarizer.core.sketch;

import io.summarizer.core.bytes.ByteAccount;
import io.summarizer.core.snapshot.ChunkedBytes;
import io.summarizer.core.snapshot.FrozenTables;

/**
 * Pages of registers, in freezable chunks that hold nothing else. A page's number determines its place ({@link
 * SetLayout#pageChunk}, {@link SetLayout#pageOffset}), so an addition to a set with registers needs no table. Pages are
 * never freed, because a set never leaves its registers.
 *
 * <p>Written by one owner thread. Any thread may read the notes of {@link #freeze} after a safe hand-over.
 */
final class RegisterPages {
    private final SetLayout layout;
    private final ChunkedBytes chunks;

    private int used;

    /** Pages without content; {@code account} is charged for their bytes. */
    RegisterPages(SetLayout layout, ByteAccount account) {
        this.layout = layout;
        chunks = new ChunkedBytes(layout.pageChunkBytes, account);
    }

    /**
     * Makes a page with all registers 0.
     *
     * @throws IllegalStateException when all page numbers that a handle can hold are in use
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

    /** The chunk of a page, read-only. */
    byte[] readable(int page) {
        return chunks.readable(layout.pageChunk(page));
    }

    /** The chunk of a page, for writing. */
    byte[] writable(int page) {
        return chunks.writable(layout.pageChunk(page));
    }

    /** Bytes on the heap, without copies that only views hold. */
    long bytesUsed() {
        return chunks.allocatedBytes();
    }

    /** Notes the chunks of all pages as they are now; returns the number of the note. */
    int freeze(FrozenTables into) {
        return chunks.freeze(into);
    }
}
